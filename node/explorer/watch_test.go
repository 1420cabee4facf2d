// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

// closed closes endpoints of the robot.
func (w *world) closed(ends ...interface{ Close() error }) {
	w.t.Helper()
	for _, e := range ends {
		w.must(e.Close())
	}
}

// unlocalised takes the publisher of poses away, and returns what brings it back.
func (w *world) unlocalised() (mend func()) {
	w.noPoses = true
	w.closed(w.odometry)
	return func() {
		w.odometry = advertise[nav_msgs.Odometry](w, "odometry/filtered", ros.SensorData())
		w.noPoses = false
	}
}

// told returns the diagnostic status of that name as last heard.
func (w *world) told(name string) (d diagnostic_msgs.DiagnosticStatus) {
	for _, s := range w.diagnostics.Status {
		if s.Name == "ugp_explorer: "+name {
			d = s
		}
	}
	return d
}

const (
	onPose    = "waiting for a pose on /odometry/filtered [nav_msgs/msg/Odometry]"
	onReading = "waiting for a reading on /reading [ugp_explorer/msg/FieldReading]"
	onGoal    = "nothing subscribes to the goal on /goal_pose [geometry_msgs/msg/PoseStamped] or /plan [nav_msgs/msg/Path]"
)

// faults are what may be wrong around the explorer before a mission, and how it is
// said: in the log, on /diagnostics and in the status.
var faults = []struct {
	name, status string
	fault        func(w *world) (mend func())
	want         string
}{

	{"no pose", "pose", func(w *world) func() { return w.unlocalised() }, onPose + ": no publisher"},
	{"another frame", "pose", func(w *world) func() {
		w.pose = func(m *nav_msgs.Odometry) { m.Header.FrameID = "odom" }
		return func() { w.pose = nil }
	}, onPose + `: what /robot publishes is refused: it is in the frame "odom", want "map"`},
	{"zero covariance", "pose", func(w *world) func() {
		w.pose = func(m *nav_msgs.Odometry) { m.Pose.Covariance = [36]float64{} }
		return func() { w.pose = nil }
	}, onPose + ": what /robot publishes is refused: its covariance is all zeros or NaN; to use it, set pose.zero_stddev"},
	{"nobody to drive", "goal", func(w *world) func() {
		w.closed(w.ears[0], w.ears[1])
		return w.hearGoals
	}, onGoal + ": no subscription"},
	{"no reading", "reading", func(w *world) func() {
		w.noReading = true
		w.closed(w.reading)
		return func() {
			w.reading = advertise[ugp_explorer_msgs.FieldReading](w, "reading", ros.SensorData())
			w.noReading = false
		}
	}, onReading + ": no publisher"},
	{"readings without a variance", "reading", func(w *world) func() {
		w.read = func(x, y float64, n int) { w.must(w.reading.Publish(&ugp_explorer_msgs.FieldReading{Value: 1})) }
		return func() { w.read = nil }
	}, onReading + ": what /robot publishes is refused: it states no variance; set reading.stddev"},
	{"an explorer of this name", "other explorers", func(w *world) func() {
		p := advertise[ugp_explorer_msgs.MissionStatus](w, "/ugp_explorer/status", ros.Latched())
		return func() { w.closed(p) }
	}, "/robot publishes /ugp_explorer/status too: two explorers have the same name"},
	{"another explorer", "other explorers", func(w *world) func() {
		status := advertise[ugp_explorer_msgs.MissionStatus](w, "/second/status", ros.Latched())
		goal := advertise[geometry_msgs.PoseStamped](w, "goal_pose", ros.DefaultQoS())
		return func() { w.closed(status, goal) }
	}, "there are two explorers: /robot sends goals on /goal_pose too; stop one or give it another namespace"},
}

func TestFaultsAreSaid(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, small())
			w.run(10 * time.Second)
			if log := w.log.String(); strings.Contains(log, "WARN") {
				t.Fatalf("all is well, and the log has\n%s", log)
			}
			idle := w.status.Text
			mend := c.fault(w)
			w.run(8 * time.Second)
			if text := w.status.Text; !strings.HasPrefix(text, idle+"; "+c.want) || w.status.State != "idle" {
				t.Errorf("%s: the status says\n%q, want\n%q", w.status.State, text, idle+"; "+c.want)
			}
			if d := w.told(c.status); !strings.HasPrefix(d.Message, c.want) || d.Level != diagnostic_msgs.DiagnosticStatusWarn {
				t.Errorf("/diagnostics says of the %s %+v", c.status, d)
			}
			if !strings.Contains(w.log.String(), `level=WARN msg="`+strings.ReplaceAll(c.want, `"`, `\"`)) {
				t.Errorf("the log lacks it:\n%s", w.log.String())
			}
			mend()
			w.run(6 * time.Second)
			if w.status.Text != idle {
				t.Errorf("after the fault the status says %q, want %q", w.status.Text, idle)
			}
			if d := w.told(c.status); d.Level != diagnostic_msgs.DiagnosticStatusOK {
				t.Errorf("after the fault /diagnostics says of the %s %+v", c.status, d)
			}
			if !strings.Contains(w.log.String(), `level=INFO msg="over: `) {
				t.Errorf("the log does not say that it is over:\n%s", w.log.String())
			}
		})
	}
}

// A robot whose filter was started again and has another origin stands, since the field lies elsewhere on its
// map; with the old origin the mission goes on.
func TestOtherOrigin(t *testing.T) {
	cfg := small()
	cfg.Field.Datum = []float64{8, 52}
	w := newWorld(t, cfg)
	filter := advertise[sensor_msgs.NavSatFix](w, "ekf/datum", ros.Latched())
	begin := func(lon float64) {
		w.must(filter.Publish(&sensor_msgs.NavSatFix{Longitude: lon, Latitude: 52}))
	}
	begin(8.00000001) // a millimetre beside it
	w.start()
	w.state(mission.StateTravelling)
	begin(8.0001)
	w.run(4 * time.Second)
	driven := w.driven
	w.run(10 * time.Second)
	const why = "the origin of the filter's map is at 8.0001000, 52.0000000 (longitude, latitude), and that of the field's at 8.0000000, 52.0000000: start both with the same datum"
	if w.driven != driven || !strings.Contains(w.status.Text, why) {
		t.Errorf("it drove %.2f m; %s: %q", w.driven-driven, w.status.State, w.status.Text)
	}
	begin(8)
	if m := w.finish(); len(m.Observations) != 4 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// A probe that is silent while the robot drives is nothing unusual. While the robot
// waits for it, it is. When the mission is over nothing is expected any more.
func TestSilentProbeIsSaid(t *testing.T) {
	w := newWorld(t, small())
	w.noReading = true
	w.run(20 * time.Second)
	if text := w.status.Text; strings.Contains(text, "waiting for") && strings.Contains(text, "/reading") {
		t.Errorf("before the mission: %q", text)
	}
	w.start()
	w.state(mission.StateSampling)
	w.run(8 * time.Second)
	if !strings.HasSuffix(w.status.Text, onReading+": /robot is there, but nothing was received") {
		t.Errorf("%s: %q", w.status.State, w.status.Text)
	}
	w.noReading = false
	w.finish()
	said := strings.Count(w.log.String(), "waiting for")
	w.unlocalised()
	w.closed(w.ears[0], w.ears[1])
	w.run(time.Minute)
	if n := strings.Count(w.log.String(), "waiting for"); n != said || strings.Contains(w.log.String(), "nothing subscribes") || strings.Contains(w.status.Text, ";") {
		t.Errorf("after the mission: %q\n%s", w.status.Text, w.log.String())
	}
}

// In a mission in which nothing is wrong nothing is said of it, by any node.
func TestNothingIsSaidOfAGoodMission(t *testing.T) {
	cfg := simulation.DefaultConfig(1)
	cfg.Explorer.Mission.Budget.Samples = 3
	cfg.Explorer.Search.Starts = 60
	var log bytes.Buffer
	var texts []string
	s, err := simulation.New(&cfg, simulation.Options{
		Log: slog.NewTextHandler(&log, nil),
		Status: func(m *ugp_explorer_msgs.MissionStatus) {
			texts = append(texts, m.Text)
		},
	})
	must.OK(t, err)
	must.OK(t, errors.Join(s.Run(t.Context()), s.Close()))
	if len(texts) < 100 {
		t.Errorf("only %d statuses were heard", len(texts))
	}
	// Whatever a watch says names a topic.
	for _, text := range texts {
		if strings.Contains(text, "/") {
			t.Fatalf("the status says %q", text)
		}
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if _, msg, _ := strings.Cut(line, "msg="); strings.Contains(strings.Split(msg, " node=")[0], " /") {
			t.Errorf("the log says %s", line)
		}
	}
}
