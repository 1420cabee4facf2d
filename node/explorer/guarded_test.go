// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// Targets keep as far inside the field as the guard needs for the position fixes that come, and a
// person is told that. Where too few places are so far inside, or home is not, the mission does not start.
func TestTargetsKeepAsFarInsideAsTheGuardNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		stdDev, allowance, least, most float64 // least and most distance of the nearest target from the edges, m
		log, refusal                   string
	}{
		"small":            {0.4, 0, 4.5, 30, "only places 6 m inside the field are sampled, which are", ""},
		"allowed":          {0.2, 30, 2, 30, "", ""},
		"home too near":    {2.5, 0, 2, 50, "the robot returns to the place nearest to home", ""},
		"home far outside": {0.2, 30, 2, 30, "the robot returns to the place nearest to home that the guard lets it reach", ""},
		"home at the gate": {0.2, 30, 2, 30, "", ""},
		"too large":        {9, 5, 2, 50, "", "raise allowance of the guard to"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			cfg.Mission.Budget.Samples = 12
			switch name {
			case "too large":
				cfg.Home = []float64{50, 50}
			case "home far outside":
				cfg.Home = []float64{50, -60}
			case "home at the gate":
				cfg.Home = []float64{50, -10}
			}
			w := newWorld(t, cfg)
			if name == "home too near" { // there its guard would not let it start
				cfg.Home = []float64{w.x, w.y}
				w = openWorldAt(t, cfg, false, epoch, 50, 50)
			}
			of := guard.DefaultConfig()
			of.Outline, of.Allowance = cfg.Outline, c.allowance
			node := rostest.Node(t, w.graph, w.ex, guard.DefaultName, ros.NodeOptions{Parameters: of.Parameters(), NoRosout: true})
			_, err := guard.New(node, &of)
			w.must(err)
			fix, wheels := advertise[geometry_msgs.PoseWithCovarianceStamped](w, "fix_pose", ros.SensorData()), advertise[nav_msgs.Odometry](w, "odom", ros.SensorData())
			rng := rand.New(rand.NewPCG(1, 2))
			_, err = w.node.NewTimer(time.Second, func() {
				var m geometry_msgs.PoseWithCovarianceStamped
				m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(w.ex.Now())
				m.Pose.Pose.Position = geometry_msgs.Point{X: w.x + c.stdDev*rng.NormFloat64(), Y: w.y + c.stdDev*rng.NormFloat64()}
				m.Pose.Covariance[0], m.Pose.Covariance[7] = c.stdDev*c.stdDev, c.stdDev*c.stdDev
				w.must(fix.Publish(&m))
			})
			w.must(err)
			before := [3]float64{w.x, w.y, w.yaw}
			const period = 100 * time.Millisecond
			_, err = w.node.NewTimer(period, func() {
				var speed nav_msgs.Odometry
				speed.Twist.Twist.Linear.X = math.Hypot(w.x-before[0], w.y-before[1]) / period.Seconds()
				speed.Twist.Twist.Angular.Z = math.Remainder(w.yaw-before[2], 2*math.Pi) / period.Seconds()
				before = [3]float64{w.x, w.y, w.yaw}
				w.must(wheels.Publish(&speed))
			})
			w.must(err)
			w.run(10 * time.Second)
			if ok, text := w.call("start"); ok != (c.refusal == "") || !strings.Contains(text, c.refusal) {
				t.Fatalf("the start is answered with %v, %q", ok, text)
			}
			if c.refusal != "" {
				return
			}
			m := w.mission()
			nearest := fieldEdge
			for _, d := range m.Decisions {
				nearest = min(nearest, w.explorer.Region().SignedDistance(orb.Point(d.Target)))
			}
			if nearest < c.least || nearest > c.most || len(m.Observations) != 12 {
				t.Errorf("targets keep %.1f m inside, and there are %d samples: %s", nearest, len(m.Observations), m.Outcome)
			}
			if y := m.Home[1]; name == "home far outside" && !(y > 0) || name == "home at the gate" && y != -10 {
				t.Errorf("home is %v", m.Home)
			}
			if log := w.log.String(); !strings.Contains(log, c.log) || c.log == "" && strings.Contains(log, "the receiver states") {
				t.Error(log)
			}
		})
	}
}

// The target of a robot that its guard has stopped for 6 s is given up, and the next one is farther inside, on a way that leads inwards.
// Fixes that may still come back are waited for.
func TestGuardLetsDriveInwardsOnly(t *testing.T) {
	for reason, givenUp := range map[string]bool{
		ugp_explorer_msgs.GuardStatusReasonDoubt: true, ugp_explorer_msgs.GuardStatusReasonEdge: true, ugp_explorer_msgs.GuardStatusReasonUnmoved: true,
		ugp_explorer_msgs.GuardStatusReasonJumped: false, ugp_explorer_msgs.GuardStatusReasonNone: false,
	} {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, small())
			says := ugp_explorer_msgs.GuardStatus{FenceReason: ugp_explorer_msgs.GuardStatusReasonNone}
			w.guarded(&says)
			w.start()
			w.until("a drive", func() bool { return w.driving() && w.driven > 11 })
			at, before := orb.Point{w.x, w.y}, len(w.explorer.Record().Decisions)
			w.stuck, says.State, says.FenceReason = true, ugp_explorer_msgs.GuardStatusStateStops, reason
			if !givenUp {
				if w.run(10 * time.Second); len(w.explorer.Record().Skipped) > 0 {
					t.Error(w.explorer.Record().Skipped[0].Reason)
				}
				return
			}
			w.until("another target", func() bool { return len(w.explorer.Record().Decisions) > before })
			region, decisions := w.explorer.Region(), w.explorer.Record().Decisions
			target := orb.Point(decisions[len(decisions)-1].Target)
			if in, way := region.SignedDistance(target)-region.SignedDistance(at), planar.Distance(at, target); in < 0.55*way {
				t.Errorf("from %v to %v are %.1f m, and %.1f m of them inwards", at, target, way, in)
			}
		})
	}
}

// A robot that its guard stops on the way home drives first so far inside as the guard needs, or to the middle of the field, and where it
// may be home already the mission is over.
func TestGuardStopsOnTheWayHome(t *testing.T) {
	for name, inset := range map[string]float64{"far away": 0, "near an edge": 30, "at home": 0} {
		t.Run(name, func(t *testing.T) {
			atHome := name == "at home"
			cfg := small()
			cfg.Home = []float64{80, 10}
			w := drivesHome(t, cfg)
			w.until("10 m", func() bool { return w.driven > 11 })
			says := ugp_explorer_msgs.GuardStatus{State: ugp_explorer_msgs.GuardStatusStateStops, FenceReason: ugp_explorer_msgs.GuardStatusReasonDoubt, TargetInset: inset}
			if atHome {
				w.until("the last metres", func() bool { return w.x > 60 })
				w.spread(14, 1)
			}
			w.stuck = true
			w.guarded(&says)
			if atHome {
				w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
				if outcome := w.explorer.Record().Outcome; !strings.Contains(outcome, "within the uncertainty of the position") {
					t.Errorf("it ends with %q", outcome)
				}
				return
			}
			region := w.explorer.Region()
			want := region.SignedDistance(orb.Point(region.Centre()))
			if inset > 0 {
				want = inset
			}
			w.until("a drive inwards first", func() bool {
				deepest := math.Inf(-1)
				for _, p := range w.plans[len(w.plans)-1] {
					deepest = max(deepest, region.SignedDistance(p))
				}
				return math.Abs(deepest-want) < 1
			})
			says.State, says.FenceReason, w.stuck = ugp_explorer_msgs.GuardStatusStatePasses, ugp_explorer_msgs.GuardStatusReasonNone, false
			w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
			near(t, "x of home", w.x, 80, 2)
			near(t, "y of home", w.y, 10, 2)
		})
	}
}

// A robot that its guard stops goes on by itself once the guard would let it, as when fixes come again; a pause lasts.
func TestGoesOnWhenTheGuardLetsIt(t *testing.T) {
	for reason, paused := range map[string]bool{ugp_explorer_msgs.GuardStatusReasonSilent: false, ugp_explorer_msgs.GuardStatusReasonUnmoved: true} {
		w := newWorld(t, small())
		says := ugp_explorer_msgs.GuardStatus{FenceReason: ugp_explorer_msgs.GuardStatusReasonNone}
		w.guarded(&says)
		w.start()
		w.until("a drive", w.driving)
		w.stuck = true
		says = ugp_explorer_msgs.GuardStatus{Level: ugp_explorer_msgs.GuardStatusLevelError, State: ugp_explorer_msgs.GuardStatusStateStops, Reason: reason, FenceReason: reason}
		w.until("a fault", func() bool { return w.explorer.State() == mission.StateFault })
		says.Level, says.State, says.Reason = ugp_explorer_msgs.GuardStatusLevelOK, ugp_explorer_msgs.GuardStatusStateHolds, ugp_explorer_msgs.GuardStatusReasonMission
		if w.run(20 * time.Minute); w.explorer.State() != mission.StateFault {
			t.Fatalf("%s: it is %s while the guard has not said that it may drive", reason, w.explorer.State())
		}
		if paused {
			w.do("pause")
		}
		w.stuck, says.FenceReason = false, ugp_explorer_msgs.GuardStatusReasonNone
		if !paused {
			w.until("a drive", w.driving)
		} else if w.run(time.Minute); w.explorer.State() != mission.StatePaused {
			t.Errorf("%s: it is %s after a pause", reason, w.explorer.State())
		}
	}
}

// Where a drive home has failed because home lies nearer to the edge than the guard now lets the robot, the robot returns to the
// nearest place that is far enough inside, and says so.
func TestHomeMovesInwardsAfterAFailedDriveHome(t *testing.T) {
	const needs = 22.0 // m
	cfg := small()
	cfg.Home, cfg.Mission.MaxFailures = []float64{80, 10}, 3
	w := drivesHome(t, cfg)
	w.until("11 m", func() bool { return w.driven > 11 })
	says := ugp_explorer_msgs.GuardStatus{Level: ugp_explorer_msgs.GuardStatusLevelWarn, State: ugp_explorer_msgs.GuardStatusStateStops, FenceReason: ugp_explorer_msgs.GuardStatusReasonEdge,
		TargetInsetAlways: needs}
	w.guarded(&says)
	w.stuck = true
	w.until("a failed drive home", func() bool { return strings.Contains(w.log.String(), "drive home 1 of") })
	says.State, w.stuck = ugp_explorer_msgs.GuardStatusStatePasses, false
	w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
	near(t, "x", w.x, 80, 2)
	near(t, "y", w.y, needs, 2)
	if log := w.log.String(); !strings.Contains(log, "home is closer to the edge than the guard now lets the robot drive") {
		t.Error(log)
	}
	if home := w.explorer.Record().Home; home[1] < needs {
		t.Errorf("the record, from which page and report are drawn, has home at %v, %g m from the edge", *home, home[1])
	}
}

// A way home on which the guard holds the robot for longer than the time limit is driven once the guard lets it, and is a fault with the
// guard's reason when all attempts are used up.
func TestHeldOnTheWayHome(t *testing.T) {
	for name, freed := range map[string]bool{"for a while": true, "for good": false} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			cfg.Home, cfg.Mission.MaxFailures = []float64{80, 10}, 2
			w := drivesHome(t, cfg)
			w.until("11 m", func() bool { return w.driven > 11 })
			says := ugp_explorer_msgs.GuardStatus{Level: ugp_explorer_msgs.GuardStatusLevelWarn, State: ugp_explorer_msgs.GuardStatusStateStops,
				Reason: ugp_explorer_msgs.GuardStatusReasonJumped, FenceReason: ugp_explorer_msgs.GuardStatusReasonJumped, Text: "waits for fixes that come back"}
			w.guarded(&says)
			w.stuck = true
			w.until("a failed drive home", func() bool {
				return strings.Contains(w.log.String(), "drive home 1 of 2 failed: the guard waits for fixes that come back; not home within")
			})
			if freed {
				says, w.stuck = ugp_explorer_msgs.GuardStatus{}, false
				w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
				return
			}
			w.until("a fault", func() bool { return w.status.State == string(mission.StateFault) })
			if want := "cannot return home: 2 drives failed, the last: the guard waits for fixes that come back; not home within"; !strings.Contains(w.status.Text, want) {
				t.Errorf("the status is %q, want %q", w.status.Text, want)
			}
		})
	}
}

// A mission that needs a guard which is not there does not start; one that starts by itself waits for it.
func TestStartWithoutItsGuard(t *testing.T) {
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart = auto
		w := newWorld(t, cfg)
		rostest.Publisher[geometry_msgs.Twist](t, rostest.Node(t, w.graph, w.ex, "follower", ros.NodeOptions{NoRosout: true}), "cmd_vel_in", ros.DefaultQoS())
		w.run(10 * time.Second)
		if !auto {
			if done, text := w.call("start"); done || !strings.Contains(text, "no guard subscribes to them: start the guard") {
				t.Errorf("start: %v %q", done, text)
			}
		}
		if s := w.explorer.State(); s != mission.StateIdle {
			t.Errorf("auto_start %v: without its guard the mission is %s", auto, s)
		}
		rostest.Hear(t, w.node, "cmd_vel_in", ros.DefaultQoS(), func(*geometry_msgs.Twist) {})
		if !auto {
			w.start()
		}
		w.state(mission.StateTravelling)
	}
}

// A mission does not begin with a guard in another namespace: neither hears the other, and the robot would stand at the edge without a
// reason, or drive on in a pause.
func TestStartWithAGuardInAnotherNamespace(t *testing.T) {
	for _, namespace := range []string{"/safety", "/"} {
		w := newWorld(t, small())
		rostest.Publisher[geometry_msgs.Twist](t, rostest.Node(t, w.graph, w.ex, "follower", ros.NodeOptions{NoRosout: true}), "cmd_vel_in", ros.DefaultQoS())
		guard := rostest.Node(t, w.graph, w.ex, "guard", ros.NodeOptions{NoRosout: true, Namespace: namespace})
		rostest.Hear(t, guard, "/cmd_vel_in", ros.DefaultQoS(), func(*geometry_msgs.Twist) {})
		rostest.Publisher[ugp_explorer_msgs.GuardStatus](t, guard, "~/status", ros.Latched())
		w.run(10 * time.Second)
		done, text := w.call("start")
		const want = "/safety/guard subscribes to the velocities on /cmd_vel_in, but publishes its status on /safety/guard/status instead of /guard/status"
		if other := namespace != "/"; done == other || other && !strings.Contains(text, want) {
			t.Errorf("with a guard in %s, start: %v %q", namespace, done, text)
		}
	}
}

// A guard that stops the robot says why by itself, and has a patience of its own.
func TestRobotThatTheGuardStops(t *testing.T) {
	w := newWorld(t, small())
	w.guarded(&ugp_explorer_msgs.GuardStatus{
		Level: ugp_explorer_msgs.GuardStatusLevelWarn, State: ugp_explorer_msgs.GuardStatusStateStops, Text: "stops the robot: the robot may be too near to the edge",
	})
	w.stuck = true
	w.start()
	w.state(mission.StateTravelling)
	w.run(30 * time.Second)
	if w.explorer.State() != mission.StateTravelling {
		t.Errorf("after 30 s: %s", w.explorer.Status())
	}
}

// The last status of a guard that has fallen silent does not count, and no mission starts without it.
func TestWordOfADeadGuard(t *testing.T) {
	w := newWorld(t, small())
	guard := advertise[ugp_explorer_msgs.GuardStatus](w, "guard/status", ros.Latched())
	w.must(guard.Publish(&ugp_explorer_msgs.GuardStatus{Level: ugp_explorer_msgs.GuardStatusLevelWarn, Text: "slows the robot"}))
	w.run(2 * time.Second)
	if got := w.explorer.Trouble(); got != "the guard slows the robot" {
		t.Fatalf("the trouble is %q", got)
	}
	w.run(5 * time.Second)
	if got := w.explorer.Trouble(); !strings.Contains(got, "the guard has been silent for") || strings.Contains(got, "slows") {
		t.Errorf("the trouble is %q", got)
	}
	if done, text := w.call("start"); done || !strings.Contains(text, "the guard has been silent") || !strings.Contains(w.status.Text, "start the guard again") {
		t.Errorf("start: %v %q: %s", done, text, w.status.Text)
	}
}

// The guard's reason is in the status while it stops the robot, and no longer.
func TestGuardInStatus(t *testing.T) {
	w := newWorld(t, small())
	guard := advertise[ugp_explorer_msgs.GuardStatus](w, "guard/status", ros.Latched())
	say := func(level uint8, text string) {
		w.must(guard.Publish(&ugp_explorer_msgs.GuardStatus{Level: level, Text: text}))
		w.run(2 * time.Second)
	}
	say(ugp_explorer_msgs.GuardStatusLevelWarn, "stops the robot: it may be too near to the edge; 0.12 m to the fence are certain")
	if text := w.status.Text; !strings.Contains(text, "the guard stops the robot: it may be too near to the edge; 0.12 m") {
		t.Errorf("the status says %q", text)
	}
	say(ugp_explorer_msgs.GuardStatusLevelOK, "passes commands on")
	if text := w.status.Text; strings.Contains(text, "guard") {
		t.Errorf("the status still says %q", text)
	}
	w.call("start")
	for range 3 {
		say(ugp_explorer_msgs.GuardStatusLevelOK, "passes commands on")
	}
	if !w.explorer.State().Active() {
		t.Fatal(w.status.Text)
	}
	say(ugp_explorer_msgs.GuardStatusLevelError, "stops the robot: the fixes are in doubt; look at the robot")
	if text := w.status.Text; w.explorer.State() != mission.StateFault || !strings.Contains(text, "look at the robot") {
		t.Errorf("a guard that waits for a person: %s: %s", w.status.State, text)
	}
}

// A guard that falls silent during a mission is a fault within 4 s. The mission continues when the guard is back.
func TestGuardThatIsGone(t *testing.T) {
	w := newWorld(t, small())
	guard := advertise[ugp_explorer_msgs.GuardStatus](w, "guard/status", ros.Latched())
	says := func(seconds int) {
		for range seconds {
			w.must(guard.Publish(&ugp_explorer_msgs.GuardStatus{Text: "passes commands on"}))
			w.run(time.Second)
		}
	}
	says(2)
	w.call("start")
	if says(3); !w.explorer.State().Active() {
		t.Fatal(w.status.Text)
	}
	if w.run(4 * time.Second); w.explorer.State() != mission.StateFault || !strings.Contains(w.status.Text, "the guard has been silent") {
		t.Errorf("%s: %s", w.status.State, w.status.Text)
	}
	says(1)
	w.call("resume")
	if says(3); !w.explorer.State().Active() {
		t.Errorf("with the guard again: %s: %s", w.status.State, w.status.Text)
	}
}
