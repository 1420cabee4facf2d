// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// positioned has the localisation tell the position alone, on pose, at 10 Hz.
func positioned(w *world) {
	w.noPoses = true
	_, err := w.node.NewTimer(robotStep, func() {
		p := localization.Pose{Stamp: w.ex.Now(), X: w.x, Y: w.y}
		p.Cov = [3][3]float64{{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, math.Pi * math.Pi}}
		m := odometryOf(w.cfg.Frame, p, 0)
		if w.noPoses {
			w.must(w.posed.Publish(&geometry_msgs.PoseWithCovarianceStamped{Header: m.Header, Pose: m.Pose}))
		}
	})
	w.must(err)
}

// A robot without a heading is not driven unless heading_drive.distance allows it and there
// is a follower. The answer, the status and the log say what to do, the log once.
func TestNoHeading(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*settings.Config)
		want   string // in the status and in the log
		answer string
	}{
		"off":         {nil, "no heading yet: drive the robot 7 m by hand, give initial_yaw, or set heading_drive.distance", "or set heading_drive.distance"},
		"no follower": {func(c *settings.Config) { c.HeadingDrive = 4 }, "or start the mission, which drives it up to 4 m straight ahead", "nothing subscribes to /heading_drive"},
		"Nav2": {func(c *settings.Config) { c.HeadingDrive, c.Interface = 4, "navigate_to_pose" },
			"no heading yet, and Nav2 cannot drive without it: drive the robot 7 m by hand or give initial_yaw", "navigate_to_pose"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			if c.change != nil {
				c.change(&cfg)
			}
			w := newWorld(t, cfg)
			positioned(w)
			w.run(10 * time.Second)
			if ok, text := w.call("start"); ok || !strings.Contains(text, c.answer) {
				t.Errorf("start: %v, %q, want %q", ok, text, c.answer)
			}
			if !strings.Contains(w.status.Text, c.want) {
				t.Errorf("the status says %q, want %q", w.status.Text, c.want)
			}
			if n := strings.Count(w.log.String(), c.want); n != 1 {
				t.Errorf("the log says %q %d times, want once:\n%s", c.want, n, &w.log)
			}
			if len(w.goals) != 0 {
				t.Errorf("%d goals were sent", len(w.goals))
			}
			w.noPoses = false // the heading has been found
			w.run(5 * time.Second)
			if strings.Contains(w.status.Text, "no heading") {
				t.Errorf("the status says %q when there are poses", w.status.Text)
			}
			if w.posed.Matched() != 0 {
				t.Error("the explorer still listens on pose")
			}
			w.noPoses = true // the localisation has started anew
			w.run(10 * time.Second)
			if !strings.Contains(w.status.Text, c.want) {
				t.Errorf("the status says %q when the heading is lost, want %q", w.status.Text, c.want)
			}
		})
	}
}

// The speeds on heading_drive: a zero that begins the drive, the speed at 10 Hz, and zeros
// when it ends because a pose has come. Then the mission starts.
func TestHeadingDriveSpeeds(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive = 4
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	var speeds []float64
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { speeds = append(speeds, m.Data) })
	w.run(time.Second)
	ok, text := w.call("start")
	if !ok || !strings.Contains(text, "finding the heading: 0.0 of 4 m") {
		t.Fatalf("start: %v, %q", ok, text)
	}
	// The position moves, or the drive would end for a lack of fixes.
	_, err := w.node.NewTimer(robotStep, func() { w.x += 0.03 })
	w.must(err)
	w.run(4 * time.Second)
	if len(speeds) < 35 || speeds[0] != 0 || speeds[1] != 0.3 || speeds[len(speeds)-1] != 0.3 {
		t.Fatalf("%v", speeds)
	}
	if !strings.Contains(w.explorer.Status(), "finding the heading: 1.") || w.status.State != "heading" {
		t.Errorf("%s, and the state is %s", w.explorer.Status(), w.status.State)
	}
	w.noPoses = false
	w.until("the mission", w.driving)
	w.run(2 * time.Second)
	if speeds[len(speeds)-1] != 0 || speeds[len(speeds)-5] != 0 {
		t.Errorf("the last speeds are %v, want zeros", speeds[len(speeds)-5:])
	}
	n := len(speeds)
	w.run(10 * time.Second)
	if len(speeds) != n {
		t.Errorf("%d more speeds after the drive", len(speeds)-n)
	}
}

// An explorer that takes up an interrupted mission, or one that a person has paused, drives nowhere
// to find the heading until a person says so, with auto_start neither.
func TestResumedMissionFindsNoHeadingByItself(t *testing.T) {
	w := begun(t)
	w.state(mission.StateTravelling)
	for name, word := range map[string]string{"interrupted": "save", "paused": "pause"} {
		w.call(word)
		n := w.crashed(10*time.Second, func(c *settings.Config) { c.AutoStart, c.HeadingDrive = true, 4 })
		n.x, n.y = 50, 50
		fastest := 0.0
		hear(n, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { fastest = max(fastest, m.Data) })
		positioned(n)
		n.run(10 * time.Second)
		if fastest > 0 || !strings.Contains(n.status.Text, "no heading yet") {
			t.Errorf("%s: the robot drives at %g m/s: %s", name, fastest, n.status.Text)
		}
	}
}

// A drive for the heading on which the guard holds the robot says why it does, and not that the robot has driven.
func TestHeadingDriveHeldByTheGuard(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive = 4
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	passes := ugp_explorer_msgs.GuardStatus{State: ugp_explorer_msgs.GuardStatusStatePasses, Text: "passes commands on"}
	says := passes
	w.guarded(&says)
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) {
		if says = passes; m.Data > 0 {
			says = ugp_explorer_msgs.GuardStatus{
				Level: ugp_explorer_msgs.GuardStatusLevelWarn, State: ugp_explorer_msgs.GuardStatusStateHolds, Reason: ugp_explorer_msgs.GuardStatusReasonNoOdometry,
				Text: "holds the robot: no plausible wheel odometry is coming in",
			}
		}
	})
	w.run(2 * time.Second)
	w.call("start")
	_, err := w.node.NewTimer(robotStep, func() { w.x += 1e-6 }) // fixes come, and the robot stands
	w.must(err)
	w.until("the end of the drive", func() bool { return w.status.State == "fault" })
	const want = "the heading was not found: the heading is still unknown after 4 m: a position with a standard deviation of 0.5 m needs about 7 m; " +
		"the guard holds the robot: no plausible wheel odometry is coming in"
	if !strings.Contains(w.status.Text, want) {
		t.Errorf("the status is %q, want %q", w.status.Text, want)
	}
}

// A drive for the heading that began by itself, and ended because fixes ceased, begins again when they come again, and not before.
func TestHeadingDriveAfterAnOutage(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive, cfg.AutoStart = 4, true
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	speed, fixes := 0.0, true
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { speed = m.Data })
	_, err := w.node.NewTimer(robotStep, func() {
		if fixes {
			w.x += 0.03
		}
	})
	w.must(err)
	w.until("the drive", func() bool { return speed > 0 })
	fixes = false // the filter repeats the position
	w.until("the end of the drive", func() bool { return speed == 0 })
	if w.run(30 * time.Second); speed != 0 || w.status.State != "idle" {
		t.Errorf("without fixes the robot drives at %g m/s, and the mission is %s: %s", speed, w.status.State, w.status.Text)
	}
	fixes = true
	w.until("another drive", func() bool { return speed > 0 })
	w.noPoses = false
	w.until("the mission", w.driving)
}

// The last speed of a drive for the heading is 0 when the explorer is shut down meanwhile.
func TestShutDownEndsTheHeadingDrive(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive = 4
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	last := math.NaN()
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { last = m.Data })
	w.run(time.Second)
	w.call("start")
	_, err := w.node.NewTimer(robotStep, func() { w.x += 0.03 })
	w.must(err)
	w.until("the drive", func() bool { return last > 0 })
	w.interrupted()
	if last != 0 {
		t.Errorf("the last speed is %g m/s", last)
	}
}

// A mission under way that loses its heading says so, and what to do. Where heading_drive.distance allows it and there is
// room the robot finds its heading again by itself, each time, and the mission goes on.
func TestHeadingLostOnAMission(t *testing.T) {
	for _, c := range []struct{ distance, y float64 }{{0, 50}, {4, 50}, {4, 3}} {
		cfg := small()
		cfg.HeadingDrive, cfg.Home = c.distance, []float64{90, c.y}
		w := openWorldAt(t, cfg, false, epoch, 10, c.y)
		w.start()
		w.run(time.Second)
		w.do("home")
		fastest := 0.0
		hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { w.x, fastest = w.x+m.Data/10, max(fastest, m.Data) })
		positioned(w)
		w.noPoses = false
		for range 2 {
			from := w.driven
			w.until("the drive home", func() bool { return w.driving() && w.driven > from+10 })
			w.noPoses, fastest = true, 0
			w.run(5 * time.Second)
			if drives, want := fastest > 0, c.distance > 0 && c.y == 50; drives != want {
				t.Errorf("%+v: it drives %v, want %v: %s", c, drives, want, w.explorer.Status())
			}
			const lost = "fault while returning, 0 of 4 samples: pose stale: the heading is lost: drive the robot 7 m by hand"
			if s := w.explorer.Status(); fastest == 0 && !strings.HasPrefix(s, lost) || fastest > 0 && !strings.HasPrefix(s, "fault: finding the heading") {
				t.Error(s)
			}
			w.noPoses = false
		}
		w.until("the end", w.explorer.Finished)
	}
}

// A mission whose poses cease altogether, or cannot be used, says that.
func TestPosesCease(t *testing.T) {
	w := begun(t)
	w.state(mission.StateTravelling)
	w.noPoses = true
	w.run(4 * time.Second)
	if s := w.explorer.Status(); !strings.Contains(s, ": pose stale: ") || !strings.Contains(s, "odometry") {
		t.Error(s)
	}
	w.noPoses = false
	w.state(mission.StateTravelling)
	w.spread(90, 90)
	w.run(4 * time.Second)
	if s := w.explorer.Status(); !strings.Contains(s, ": pose stale: the poses cannot be used: its position is too uncertain: ") {
		t.Error(s)
	}
}
