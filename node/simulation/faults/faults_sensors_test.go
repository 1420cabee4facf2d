// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"math/rand/v2"

	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// poseTopics are those that carry a pose with a covariance: a receiver's, or the filter's. The
// filter's two are always disturbed together.
var poseTopics = []string{"/fix_pose", "/odometry/filtered"}

// sensorKinds are faults of what sensors and localisation say.
var sensorKinds = []kind{
	{
		name: "reading-stuck", weight: 2, harm: always(harmReading),
		draw:  func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 5, 60), between(rng, -1, 3) },
		begin: onReading(func(f *Fault, _ *rand.Rand, m *reading, _ float64) { m.Value = f.Size }),
	},
	{
		name: "reading-drift", weight: 2, harm: always(harmReading),
		draw:  func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 5, 60), between(rng, -0.1, 0.1) },
		begin: onReading(func(f *Fault, _ *rand.Rand, m *reading, passed float64) { m.Value += f.Size * passed }),
	},
	{
		name: "reading-nan", weight: 3, harm: always(harmReading | harmMotion),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 2, 40), between(rng, 0.2, 1) },
		begin: onReading(func(f *Fault, rng *rand.Rand, m *reading, _ float64) {
			if rng.Float64() < f.Size {
				m.Value = pick(rng, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300)
			}
		}),
	},
	{
		name: "reading-variance", weight: 2, harm: always(harmReading),
		draw: lasting(5, 60), begin: onReading(func(_ *Fault, rng *rand.Rand, m *reading, _ float64) {
			m.Variance = pick(rng, 0, -1, math.NaN(), math.Inf(1), 1e-12, 1e6)
		}),
	},
	{
		name: "reading-burst", weight: 2, harm: always(harmReading),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For, f.Size = "/reading", between(rng, 2, 20), float64(5+rng.IntN(200))
		},
		begin: onTopic(func(f *Fault, rng *rand.Rand, cdr []byte, pass deliver) {
			for range int(f.Size) {
				pass(cdr, span(rng, 0, 0.5))
			}
		}),
	},
	{
		name: "pose-jump", weight: 5, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For, f.Size = pick(rng, poseTopics...), between(rng, 0.3, 30), between(rng, 0.3, 30)
		},
		begin: onPose(func(f *Fault, rng *rand.Rand) func(*geometry_msgs.PoseWithCovariance) {
			sin, cos := math.Sincos(between(rng, 0, 2*math.Pi))
			return func(p *geometry_msgs.PoseWithCovariance) {
				p.Pose.Position.X += f.Size * cos
				p.Pose.Position.Y += f.Size * sin
			}
		}),
	},
	{
		name: "pose-covariance", weight: 6, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For, f.Size = pick(rng, poseTopics...), between(rng, 2, 60), pick(rng, 0, 0.01, 0.1, 10, 100, -1, -2)
		},
		begin: onPose(func(f *Fault, _ *rand.Rand) func(*geometry_msgs.PoseWithCovariance) {
			return func(p *geometry_msgs.PoseWithCovariance) {
				switch f.Size {
				case -1: // not positive definite
					p.Covariance[1], p.Covariance[6] = 2*p.Covariance[0]+1, 2*p.Covariance[0]+1
				case -2: // not symmetric, and negative
					p.Covariance[0], p.Covariance[1] = -p.Covariance[0]-0.1, p.Covariance[7]
				default:
					for i := range p.Covariance {
						p.Covariance[i] *= f.Size
					}
				}
			}
		}),
	},
	{
		name: "pose-nan", weight: 3, harm: always(harmMotion),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For = pick(rng, "/fix_pose", "/odometry/filtered", "/odom"), between(rng, 0.5, 20)
		},
		begin: onPose(func(_ *Fault, rng *rand.Rand) func(*geometry_msgs.PoseWithCovariance) {
			return func(p *geometry_msgs.PoseWithCovariance) {
				bad := pick(rng, math.NaN(), math.Inf(1), math.Inf(-1))
				switch rng.IntN(4) {
				case 0:
					p.Pose.Position.X = bad
				case 1:
					p.Pose.Position.Y = bad
				case 2:
					p.Pose.Orientation.W = bad
				default:
					p.Covariance[rng.IntN(2)*7] = bad
				}
			}
		}),
	},
	{
		name: "odometry-slip", weight: 2, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For, f.Size = "/odom", between(rng, 2, 30), between(rng, 0, 2)
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			return w.rewrite("/odom", func(b []byte) []byte {
				var m nav_msgs.Odometry
				return changed(&m, b, func() {
					m.Twist.Twist.Linear.X *= f.Size
					m.Twist.Twist.Angular.Z *= f.Size
				})
			})
		},
	},
}

type reading = ugp_explorer_msgs.FieldReading

// rewrite changes the messages of a topic until the function that it returns is called.
func (w *world) rewrite(topic string, change func([]byte) []byte) (end func()) {
	return w.wire.add(topic, func(b []byte, on deliver) { on(change(b), 0) })
}

// onReading returns a fault that changes readings. passed is the time since it began, s.
func onReading(change func(f *Fault, rng *rand.Rand, m *reading, passed float64)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, f *Fault, rng *rand.Rand) func() {
		return w.rewrite("/reading", func(b []byte) []byte {
			var m reading
			return changed(&m, b, func() { change(f, rng, &m, w.seconds()-f.At) })
		})
	}
}

// onPose returns a fault that changes the poses on a topic.
func onPose(change func(*Fault, *rand.Rand) func(*geometry_msgs.PoseWithCovariance)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, f *Fault, rng *rand.Rand) func() {
		do := change(f, rng)
		odometry := func(b []byte) []byte {
			var m nav_msgs.Odometry
			return changed(&m, b, func() { do(&m.Pose) })
		}
		posed := func(b []byte) []byte {
			var m geometry_msgs.PoseWithCovarianceStamped
			return changed(&m, b, func() { do(&m.Pose) })
		}
		switch f.On {
		case "/odom":
			return w.rewrite(f.On, odometry)
		case "/fix_pose":
			return w.rewrite(f.On, posed)
		}
		a, b := w.rewrite("/odometry/filtered", odometry), w.rewrite("/pose", posed)
		return func() {
			a()
			b()
		}
	}
}

// changed returns the bytes of a message after a change of m, into which they are read.
func changed(m cdr.Message, b []byte, change func()) []byte {
	if m.UnmarshalCDR(b) != nil {
		return b
	}
	change()
	return m.AppendCDR(nil)
}
