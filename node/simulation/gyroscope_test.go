// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// A mission whose gyroscope measures deg/s, is upside down, lies on its side or freezes is done by the wheels: its samples are where it believes
// them to be, and the filter says what is wrong. With a right one it says nothing.
func TestWrongGyroscope(t *testing.T) {
	outline := outlineFile(t, rectangle(60, 60))
	asItIs := func(v geometry_msgs.Vector3) geometry_msgs.Vector3 { return v }
	for name, c := range map[string]struct {
		measure func(v geometry_msgs.Vector3) geometry_msgs.Vector3
		unit    float64
		gravity bool
		want    string // "": nothing
		freezes bool   // after 40 s
	}{
		"right":                   {measure: asItIs, unit: 1, gravity: true},
		"deg/s":                   {measure: asItIs, unit: 180 / math.Pi, gravity: true, want: "in degrees per second"},
		"mirrored":                {measure: func(v geometry_msgs.Vector3) geometry_msgs.Vector3 { v.Z = -v.Z; return v }, unit: 1, want: "it is upside down, or its sign is wrong: set imu.upside_down to true"},
		"on its side":             {measure: onItsSide, unit: 1, gravity: true, want: "gravity is along its y axis"},
		"on its side, no gravity": {measure: onItsSide, unit: 1, want: "the robot turns about its y axis"},
		"freezes":                 {measure: asItIs, unit: 1, gravity: true, want: "its rates stay the same to the last bit while the wheels turn", freezes: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(3)
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outline, []float64{20, 25, 0.5}
			cfg.Explorer.Mission.Budget.Samples = 5
			s := begin(t, &cfg, Options{Parameters: parameters(t, "fieldsim: {ros__parameters: {imu.publish: false, fix.stddev: 0.1}}")})
			rng := rand.New(rand.NewPCG(1, 2))
			node := rostest.Node(t, s.graph, s.executor, "imu_driver", ros.NodeOptions{})
			pub := rostest.Publisher[sensor_msgs.Imu](t, node, "imu", ros.SensorData())
			said := ""
			var last geometry_msgs.Vector3
			listen(t, s, "spectator", "ground_truth/odom", func(truth *nav_msgs.Odometry) {
				m := sensor_msgs.Imu{Header: truth.Header}
				m.Header.FrameID = "imu_link"
				noise := func(s float64) float64 { return s * rng.NormFloat64() }
				m.AngularVelocity = c.measure(geometry_msgs.Vector3{X: noise(0.05), Y: noise(0.05), Z: truth.Twist.Twist.Angular.Z + 0.01 + noise(0.005)})
				m.AngularVelocity.X *= c.unit
				m.AngularVelocity.Y *= c.unit
				m.AngularVelocity.Z *= c.unit
				m.LinearAccelerationCovariance[0] = -1
				if c.gravity {
					m.LinearAcceleration, m.LinearAccelerationCovariance[0] = c.measure(geometry_msgs.Vector3{X: noise(1), Y: noise(1), Z: 9.81 + noise(1)}), 0
				}
				if c.freezes && truth.Header.Stamp.Sec >= 40 {
					m.AngularVelocity = last
				}
				last = m.AngularVelocity
				must.OK(t, pub.Publish(&m))
				if err := s.filter.WrongMounting(); err != nil {
					said = err.Error()
				}
			})
			must.OK(t, s.Run(t.Context()))
			m := s.Explorer().Record()
			if s.Explorer().State() != mission.StateDone || len(m.Observations) != 5 {
				t.Errorf("%s: %s, %d samples", s.Explorer().State(), m.Outcome, len(m.Observations))
			}
			for _, o := range m.Observations {
				t.Logf("sample %d: %.2f m off, d² %.1f", o.Sequence, math.Hypot(o.Belief.X-o.TruePlace[0], o.Belief.Y-o.TruePlace[1]), o.Belief.SquaredDistance(*o.TruePlace))
				if o.Belief.SquaredDistance(*o.TruePlace) > 20 {
					t.Errorf("sample %d: %+v, truly at %v", o.Sequence, o.Belief, o.TruePlace)
				}
			}
			if t.Log(said); !strings.Contains(said, c.want) || (c.want == "") != (said == "") {
				t.Errorf("the filter says %q, want %q", said, c.want)
			}
		})
	}
}

// A gyroscope whose scale is wrong, by 5 % in the mean, costs no accuracy. If the filter took the scale as known, the fixes would seem to err
// ever more, and would correct the heading ever less: with these seeds, samples would be 18 to 39 m off.
func TestScaleOfTheGyroscope(t *testing.T) {
	const samples = 15
	outline := outlineFile(t, rectangle(200, 200))
	for receiver, most := range map[string]float64{"rtk": 0.5, "consumer": 8} {
		for _, seed := range []int64{3, 4} {
			cfg := DefaultConfig(seed)
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Receiver, cfg.Fieldsim.Gyro.ScaleStdDev = outline, receiver, 0.05
			cfg.Explorer.Mission.Budget.Samples = samples
			s := begin(t, &cfg, Options{})
			must.OK(t, s.Run(t.Context()))
			m, worst := s.Explorer().Record(), 0.0
			for _, o := range m.Observations {
				worst = max(worst, math.Hypot(o.Belief.X-o.TruePlace[0], o.Belief.Y-o.TruePlace[1]))
			}
			t.Logf("%s, seed %d: %d samples, the worst %.2f m from where the filter believed it to be", receiver, seed, len(m.Observations), worst)
			if len(m.Observations) != samples || worst > most {
				t.Errorf("%s, seed %d: %d samples, one is %.2f m from where the filter believed it to be", receiver, seed, len(m.Observations), worst)
			}
		}
	}
}

// onItsSide returns what an IMU whose y axis points up measures.
func onItsSide(v geometry_msgs.Vector3) geometry_msgs.Vector3 {
	return geometry_msgs.Vector3{X: v.X, Y: v.Z, Z: -v.Y}
}
