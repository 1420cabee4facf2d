// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
)

// check fails the test unless the explorer has saved a mission of the samples that
// it was to take, with beliefs that hold the true places.
func (r *robot) check() *record.Mission {
	r.Helper()
	m := r.record()
	if want := r.cfg.Explorer.Mission.Budget.Samples; len(m.Observations) != want {
		r.Fatalf("%d samples are saved, want %d", len(m.Observations), want)
	}
	known := 0
	for _, o := range m.Observations {
		if o.TruePlace == nil { // the explorer was too slow to hear of it
			continue
		}
		known++
		// d = δᵀ·P⁻¹·δ is χ² with two degrees of freedom: beyond 30 with probability
		// e⁻¹⁵ for a filter that knows what it does not know.
		x, y, b := o.TruePlace[0]-o.Belief.X, o.TruePlace[1]-o.Belief.Y, o.Belief
		if d := (x*x*b.YY - 2*x*y*b.XY + y*y*b.XX) / (b.XX*b.YY - b.XY*b.XY); !(d < 30) {
			r.Errorf("sample %d was taken at %v, and is believed to be at (%.2f, %.2f) ± (%.2f, %.2f): %.3g squared deviations",
				o.Sequence, *o.TruePlace, b.X, b.Y, math.Sqrt(b.XX), math.Sqrt(b.YY), d)
		}
	}
	if known == 0 {
		r.Error("nothing is known of the samples' true places")
	}
	return m
}

// TestMission has the nodes see one another, and the mission end with its samples and the robot at home in
// a field that it did not leave. The robot localises itself by wheel odometry, NavSatFix and Imu alone:
// nobody publishes fix_pose.
func TestMission(t *testing.T) {
	origin := []float64{8.0471, 52.2726}
	r := newRobot(t, 40, func(c *simulation.Config) {
		c.Fieldsim.Datum, c.EKF.Datum, c.Fieldsim.PublishIMU = origin, origin, true
	})
	o := r.observe()
	var datum sensor_msgs.NavSatFix
	hear(o, "/"+ekf.DefaultName+"/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix) { datum = *m })
	poses, err := ros.Subscribe(o.n, "/fix_pose", ros.SensorData(), func(*geometry_msgs.PoseWithCovarianceStamped, ros.MessageInfo) {})
	r.must(err)
	begin := time.Now()
	r.start()
	for _, e := range executables {
		o.wait(e.node+" in the graph", func() bool { return o.sees(e.node) })
	}
	o.wait("the datum", func() bool { return datum.Longitude == origin[0] && datum.Latitude == origin[1] })
	if poses.Matched() != 0 {
		t.Error("somebody publishes fix_pose")
	}
	o.finish()
	t.Logf("%v for a mission of %.0f s; %v", time.Since(begin).Round(time.Millisecond), o.status.ElapsedTime, o)
	o.standing()
	start, at := r.cfg.Fieldsim.Start, o.truth.Pose.Pose.Position
	if d := math.Hypot(at.X-start[0], at.Y-start[1]); d > r.cfg.Explorer.Mission.HomeTolerance+2 {
		t.Errorf("the robot ends %.1f m from where it started", d)
	}
	if o.astray > mostAstray {
		t.Errorf("the robot was %.1f m outside of the field", o.astray)
	}
	r.stop()
	r.check()
}
