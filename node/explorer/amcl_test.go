// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// amcl publishes as nav2_amcl's amcl_node.cpp does: its pose (here on the topic pose) latched, with the stamp of a
// scan, only when odometry has moved by update_min_d in x or y or by update_min_a since the
// last (and once at the start), and with each scan map → odom, stamped transform_tolerance
// ahead. Beside it, as a robot's base does, odom → base_footprint at 20 Hz, by wheels that
// drift, and base_footprint → base_link as a static transform.
type amcl struct {
	node *ros.Node
	rng  *rand.Rand
	at   func() (x, y, yaw float64) // the truth
	cov  [3]float64                 // standard deviations of its poses, m, m, rad
	dead bool                       // it publishes nothing

	odom, seen, updated [3]float64 // odometry; truth that it knows of; odometry at the last update
	mapFromOdom         [3]float64
	told                bool
	updates             int

	pose    *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	tf      *ros.Publisher[tf2_msgs.TFMessage, *tf2_msgs.TFMessage]
	statics *ros.Publisher[tf2_msgs.TFMessage, *tf2_msgs.TFMessage]
}

const (
	updateMinD, updateMinA = 0.25, 0.2 // m, rad: the defaults
	transformTolerance     = time.Second
	scanPeriod             = 100 * time.Millisecond
	odomPeriod             = 50 * time.Millisecond
)

func newAMCL(t *testing.T, graph *inproc.Transport, ex *exec.Simulated, at func() (x, y, yaw float64)) *amcl {
	t.Helper()
	node := rostest.Node(t, graph, ex, "amcl", ros.NodeOptions{NoRosout: true})
	a := &amcl{node: node, rng: rand.New(rand.NewPCG(1, 2)), at: at, cov: [3]float64{0.15, 0.1, 0.05}, odom: [3]float64{5, -3, 0.7}}
	a.seen[0], a.seen[1], a.seen[2] = at()
	a.pose = rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, node, "pose", ros.Latched())
	a.tf = rostest.Publisher[tf2_msgs.TFMessage](t, node, "/tf", ros.DefaultQoS().WithDepth(100))
	a.statics = rostest.Publisher[tf2_msgs.TFMessage](t, node, "/tf_static", ros.Latched())
	must.OK(t, a.statics.Publish(transforms(0, "base_footprint", "base_link", [3]float64{})))
	for _, timer := range []struct {
		period time.Duration
		fn     func()
	}{{odomPeriod, a.drive}, {scanPeriod, a.scan}} {
		if _, err := node.NewTimer(timer.period, timer.fn); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func transforms(stamp int64, parent, child string, at [3]float64) *tf2_msgs.TFMessage {
	t := geometry_msgs.TransformStamped{Header: std_msgs.Header{Stamp: ros.TimeMsg(stamp), FrameID: parent}, ChildFrameID: child}
	t.Transform.Translation = geometry_msgs.Vector3{X: at[0], Y: at[1]}
	t.Transform.Rotation = convert.Quaternion(at[2])
	return &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{t}}
}

// compose returns the planar pose a·b, and inverse that of a⁻¹.
func compose(a, b [3]float64) [3]float64 {
	sin, cos := math.Sincos(a[2])
	return [3]float64{a[0] + cos*b[0] - sin*b[1], a[1] + sin*b[0] + cos*b[1], a[2] + b[2]}
}

func inverse(a [3]float64) [3]float64 {
	sin, cos := math.Sincos(a[2])
	return [3]float64{-cos*a[0] - sin*a[1], sin*a[0] - cos*a[1], -a[2]}
}

// drive publishes odometry, which takes 3 % too much for a metre and turns by 0.3° on it.
func (a *amcl) drive() {
	var now [3]float64
	now[0], now[1], now[2] = a.at()
	step := compose(inverse(a.seen), now)
	a.seen = now
	metres := math.Hypot(step[0], step[1])
	a.odom = compose(a.odom, [3]float64{1.03 * step[0], 1.03 * step[1], step[2] + 0.005*metres})
	if !a.dead {
		_ = a.tf.Publish(transforms(a.node.Now(), "odom", "base_footprint", a.odom))
	}
}

// scan publishes what a laser scan leads to.
func (a *amcl) scan() {
	if a.dead {
		return
	}
	stamp := a.node.Now()
	turn := math.Remainder(a.odom[2]-a.updated[2], 2*math.Pi)
	if !a.told || math.Abs(a.odom[0]-a.updated[0]) > updateMinD || math.Abs(a.odom[1]-a.updated[1]) > updateMinD || math.Abs(turn) > updateMinA {
		a.told, a.updated = true, a.odom
		p := localization.Pose{
			Stamp: stamp, X: a.seen[0] + a.cov[0]*a.rng.NormFloat64(), Y: a.seen[1] + a.cov[1]*a.rng.NormFloat64(), Yaw: a.seen[2] + a.cov[2]*a.rng.NormFloat64(),
			Cov: [3][3]float64{{a.cov[0] * a.cov[0]}, {0, a.cov[1] * a.cov[1]}, {0, 0, a.cov[2] * a.cov[2]}},
		}
		a.mapFromOdom = compose([3]float64{p.X, p.Y, p.Yaw}, inverse(a.odom))
		m := geometry_msgs.PoseWithCovarianceStamped{Header: std_msgs.Header{Stamp: ros.TimeMsg(stamp), FrameID: "map"}}
		convert.PoseWithCovariance(&m.Pose, p)
		_ = a.pose.Publish(&m)
		a.updates++
	}
	_ = a.tf.Publish(transforms(stamp+int64(transformTolerance), "map", "odom", a.mapFromOdom))
}

// amclWorld starts AMCL, and half a minute later an explorer with a pose source and a robot
// that has not moved since.
func amclWorld(t *testing.T, cfg settings.Config, source string) (*world, *amcl) {
	t.Helper()
	ex, graph := exec.NewSimulated(epoch), inproc.New()
	var w *world
	a := newAMCL(t, graph, ex, func() (x, y, yaw float64) {
		if w == nil {
			return 20, 10, 0
		}
		return w.x, w.y, w.yaw
	})
	must.OK(t, ex.RunTo(t.Context(), epoch+int64(30*time.Second)))
	cfg.PoseSource = source
	w = joinWorld(t, cfg, false, ex, graph, "", 20, 10)
	w.noPoses = true
	w.closed(w.odometry, w.posed)
	w.speed = 1.5
	w.run(transformTolerance) // until the transforms of both have a time in common
	return w, a
}

// A mission by AMCL's transforms and the covariances that it tells now and then: it is
// started from where the robot stands, all samples are taken while the robot stands, and
// their beliefs are as far off as they say.
func TestMissionByAMCL(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 30
	cfg.Mission.Speed = 1
	w, a := amclWorld(t, cfg, "tf")
	var nees, claimed []float64
	hear(w, "ugp_explorer/observation", ros.Latched().WithDepth(100), func(m *ugp_explorer_msgs.FieldObservation) {
		p, err := convert.PlanarPose(0, &m.Belief)
		w.must(err)
		b := p.At(localization.Lever{})
		dx, dy := b.X-w.x, b.Y-w.y
		nees = append(nees, (b.YY*dx*dx-2*b.XY*dx*dy+b.XX*dy*dy)/(b.XX*b.YY-b.XY*b.XY))
		claimed = append(claimed, math.Sqrt((b.XX+b.YY)/2))
	})
	m := w.mission()
	if len(m.Observations) != 30 || len(nees) != 30 {
		t.Fatalf("%d samples, outcome %q", len(m.Observations), m.Outcome)
	}
	for _, state := range w.states {
		if state == "fault" {
			t.Errorf("states %v: the pose was stale while the robot stood", w.states)
		}
	}
	mean := 0.0
	for _, v := range nees {
		mean += v / float64(len(nees))
	}
	// A mean of 30 values of χ²(2) has the mean 2 and the standard deviation 0.37; the 3
	// sigma interval.
	if mean < 0.9 || mean > 3.1 {
		t.Errorf("the mean of %d NEES is %.2f, want 2: %.3g", len(nees), mean, nees)
	}
	for i, s := range claimed {
		// What AMCL claims, and 0.1 m/m over at most the 0.25·√2 m before its next update
		// and a step of the robot.
		own := math.Sqrt((a.cov[0]*a.cov[0] + a.cov[1]*a.cov[1]) / 2)
		if s < own-1e-9 || s > own+0.02 {
			t.Errorf("belief %d claims %.3f m, AMCL %.3f m", i, s, own)
		}
	}
	if driven := m.Distance; math.Abs(driven-w.driven) > 0.06*w.driven { // odometry is 3 % off
		t.Errorf("%.1f m driven, the record says %.1f m", w.driven, driven)
	}
	t.Logf("mean NEES %.2f, %d updates of AMCL, %.0f m", mean, a.updates, w.driven)
}

// What is missing on /tf is said.
func TestWithoutTransforms(t *testing.T) {
	cfg := small()
	cfg.PoseSource = "tf"
	w := newWorld(t, cfg)
	w.run(20 * time.Second)
	want := "waiting for the transform map → base_link on /tf: no publisher"
	if !strings.Contains(w.status.Text, want) {
		t.Errorf("status %q, want %q", w.status.Text, want)
	}
	if ok, text := w.call("start"); ok || !strings.Contains(text, want) {
		t.Errorf("start: %v, %q, want a refusal with %q", ok, text, want)
	}
	p := advertise[tf2_msgs.TFMessage](w, "/tf", ros.DefaultQoS())
	_, err := w.node.NewTimer(odomPeriod, func() { w.must(p.Publish(transforms(w.ex.Now(), "odom", "base_link", [3]float64{}))) })
	w.must(err)
	w.run(20 * time.Second)
	if want := `the transforms end at "odom": nothing publishes its transform from "map"`; !strings.Contains(w.status.Text, want) {
		t.Errorf("status %q, want %q", w.status.Text, want)
	}
}
