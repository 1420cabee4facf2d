package simulation

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// lostRobot is a simulation of a robot whose filter has no heading, on a square field of
// 100 m with a keep-out of 10 m in the middle.
type lostRobot struct {
	*Simulation
	t          *testing.T
	log        bytes.Buffer
	texts      []string // of the status, each once
	x, y, v    float64  // true
	firstX     float64
	firstY     float64
	furthest   float64 // m, true distance from the start before the first pose
	poses      int
	yawErr     float64 // rad, of the first pose
	truthYaw   float64
	trackedOut float64 // m, furthest outside the field
}

func newLostRobot(t *testing.T, start []float64, yaml string, changes ...func(*Config)) *lostRobot {
	t.Helper()
	r := &lostRobot{t: t, firstX: start[0], firstY: start[1]}
	boundary := filepath.Join(t.TempDir(), "boundary.geojson")
	if err := os.WriteFile(boundary, []byte(`{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [100, 0], [100, 100], [0, 100], [0, 0]]]}},
{"type": "Feature", "properties": {"keep_out": true}, "geometry": {"type": "Polygon", "coordinates": [[[45, 45], [55, 45], [55, 55], [45, 55], [45, 45]]]}}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig(1)
	cfg.Fieldsim.Field.Boundary = boundary
	cfg.Fieldsim.Start = start
	cfg.EKF.Heading = "drive"
	cfg.Explorer.HeadingDrive = 9
	cfg.Explorer.Mission.Budget.Samples = 1
	for _, change := range changes {
		change(&cfg)
	}
	r.Simulation = begin(t, &cfg, Options{
		Parameters: parameters(t, yaml), Log: slog.NewTextHandler(&r.log, nil),
		Status: func(m *ugp_explorer_msgs.MissionStatus) {
			if n := len(r.texts); n == 0 || r.texts[n-1] != m.Text {
				r.texts = append(r.texts, strings.Clone(m.Text))
			}
		},
	})
	listen(t, r.Simulation, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
		p := &m.Pose.Pose
		r.x, r.y, r.v = p.Position.X, p.Position.Y, m.Twist.Twist.Linear.X
		r.truthYaw = 2 * math.Atan2(p.Orientation.Z, p.Orientation.W)
		r.trackedOut = max(r.trackedOut, -r.x, -r.y, r.x-100, r.y-100)
		if r.poses == 0 {
			r.furthest = max(r.furthest, math.Hypot(r.x-r.firstX, r.y-r.firstY))
		}
	})
	listen(t, r.Simulation, "navigator", "odometry/filtered", func(m *nav_msgs.Odometry) {
		if r.poses++; r.poses == 1 {
			q := &m.Pose.Pose.Orientation
			r.yawErr = math.Remainder(2*math.Atan2(q.Z, q.W)-r.truthYaw, 2*math.Pi)
		}
	})
	return r
}

// until lets time pass until the condition holds.
func (r *lostRobot) until(what string, met func() bool) {
	r.t.Helper()
	limit := r.executor.Now() + int64(10*time.Minute)
	if err := r.executor.Run(r.t.Context(), func() bool { return met() || r.executor.Now() > limit }); err != nil {
		r.t.Fatal(err)
	}
	if !met() {
		r.t.Fatalf("still waiting for %s; the robot is at (%.1f, %.1f); %s\n%s", what, r.x, r.y, r.Explorer().Status(), &r.log)
	}
}

func (r *lostRobot) says(text string) func() bool {
	return func() bool { return strings.Contains(r.Explorer().Status(), text) }
}

// send gives the explorer a command.
func (r *lostRobot) send(word string) {
	r.t.Helper()
	node, err := ros.NewNode(r.graph, r.executor, "person_"+word, ros.NodeOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.nodes = append(r.nodes, node)
	pub, err := ros.Advertise[std_msgs.String](node, "ugp_explorer/command", ros.DefaultQoS())
	if err != nil {
		r.t.Fatal(err)
	}
	if err := pub.Publish(&std_msgs.String{Data: word}); err != nil {
		r.t.Fatal(err)
	}
}

// Whatever way the robot heads, it finds its heading within nine metres, and then does its
// mission.
func TestHeadingByDriving(t *testing.T) {
	for i := range 8 {
		yaw := -math.Pi + float64(i)*math.Pi/4
		t.Run(fmt.Sprintf("%.2f rad", yaw), func(t *testing.T) {
			t.Parallel()
			r := newLostRobot(t, []float64{20, 25, yaw}, fmt.Sprintf("fieldsim: {ros__parameters: {seed: %d}}", 10*i))
			r.until("the drive", r.says("finding the heading: 1."))
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r.furthest > 9.3 || r.furthest < 3 {
				t.Errorf("the robot was %.2f m from its start before it had a pose, want 3 to 9", r.furthest)
			}
			if r.trackedOut > 0 {
				t.Errorf("the robot was %.2f m outside the field", r.trackedOut)
			}
			if m := r.Explorer().Record(); len(m.Observations) != 1 {
				t.Errorf("%d samples, want 1: %s", len(m.Observations), m.Outcome)
			}
			t.Logf("%.2f m, yaw error %.2f rad", r.furthest, r.yawErr)
		})
	}
}

// Where the disc is not free the robot does not move, and the log says what is needed.
func TestHeadingWithoutRoom(t *testing.T) {
	for name, c := range map[string]struct {
		start []float64
		yaml  string
		want  string
	}{
		"edge":     {[]float64{4, 50, 0}, "", "m from the edge of the field or a keep-out, and needs"},
		"keep-out": {[]float64{50, 40, 0}, "", "m from the edge of the field or a keep-out, and needs"},
		"outside":  {[]float64{-5, 40, 0}, "", "outside the field or in a keep-out"},
		"off":      {[]float64{20, 25, 0}, "ugp_explorer: {ros__parameters: {heading_drive.distance: 0.0}}", "no heading yet: drive the robot 8 m by hand, give initial_yaw, or set heading_drive.distance"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newLostRobot(t, c.start, c.yaml)
			r.until("what to do", func() bool { return strings.Contains(r.log.String(), c.want) })
			r.send("start")
			end := r.executor.Now() + int64(2*time.Minute)
			r.until("two minutes", func() bool { return r.executor.Now() > end })
			if r.furthest > 0 {
				t.Errorf("the robot has moved by %.3f m", r.furthest)
			}
			if n := strings.Count(r.log.String(), c.want); n != 2 {
				t.Errorf("the log says %q %d times, want once, and once as the answer:\n%s", c.want, n, &r.log)
			}
			if r.Explorer().State() != mission.StateIdle || !strings.Contains(r.texts[len(r.texts)-1], "no heading yet") {
				t.Errorf("%s; the status says %q", r.Explorer().Status(), r.texts[len(r.texts)-1])
			}
		})
	}
}

// Fixes that cease end the drive within a metre, and so does a person.
func TestHeadingDriveIsBrokenOff(t *testing.T) {
	t.Run("fixes cease", func(t *testing.T) {
		// Beyond x = 21 m there are none.
		r := newLostRobot(t, []float64{20, 25, 0}, "", func(c *Config) {
			c.Fieldsim.Shadow = fieldsim.ShadowConfig{Corners: []float64{21, 0, 100, 0, 100, 100, 21, 100}, Missing: true}
		})
		r.until("the fault", func() bool { return r.Explorer().State() == mission.StateFault })
		if text := r.Explorer().Status(); !strings.Contains(text, "the heading was not found: no new position for 2 s") {
			t.Error(text)
		}
		end := r.executor.Now() + int64(time.Minute)
		r.until("a minute", func() bool { return r.executor.Now() > end })
		if math.Abs(r.v) > 1e-3 || r.x < 21 || r.x > 22.2 {
			t.Errorf("the robot is at %.2f m and drives at %.2f m/s; the fixes ceased at 21 m", r.x, r.v)
		}
	})
	for _, word := range []string{"pause", "stop", "home"} {
		t.Run(word, func(t *testing.T) {
			r := newLostRobot(t, []float64{20, 25, 0}, "")
			r.until("the drive", r.says("finding the heading: 1."))
			at := r.x
			r.send(word)
			end := r.executor.Now() + int64(time.Minute)
			r.until("a minute", func() bool { return r.executor.Now() > end })
			if math.Abs(r.v) > 1e-3 || r.x-at > 0.3 || strings.Contains(r.Explorer().Status(), "finding") {
				t.Errorf("%.2f m were driven since, at %.2f m/s: %s", r.x-at, r.v, r.Explorer().Status())
			}
			if want := map[bool]mission.State{true: mission.StateDone, false: mission.StateIdle}[word == "stop"]; r.Explorer().State() != want {
				t.Errorf("%s, want %s", r.Explorer().Status(), want)
			}
			if word == "stop" {
				return
			}
			r.send("start")
			r.until("the mission", func() bool { return r.Explorer().State() == mission.StateTravelling })
		})
	}
}
