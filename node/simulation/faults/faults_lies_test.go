// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"math/rand/v2"
	"slices"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
)

// lieKinds are faults of sources that lie and sound sure: nothing in their messages tells that
// they are wrong.
var lieKinds = []kind{
	{
		name: "receiver-stuck", weight: 6, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.For, f.Size = between(rng, 10, 90), pick(rng, 0, centimetres, statedNoise)
		},
		begin: onFix(func(f *Fault, rng *rand.Rand) func(*geometry_msgs.PoseWithCovariance, float64) {
			var last *geometry_msgs.Point
			return func(p *geometry_msgs.PoseWithCovariance, _ float64) {
				if last == nil {
					at := p.Pose.Position
					last = &at
				}
				noise := f.Size
				if noise == statedNoise {
					noise = math.Sqrt(max(0, p.Covariance[0]))
				}
				p.Pose.Position = *last
				if noise > 0 {
					p.Pose.Position.X += noise * rng.NormFloat64()
					p.Pose.Position.Y += noise * rng.NormFloat64()
				}
			}
		}),
	},
	{
		name: "receiver-jump", weight: 4, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 5, 90), between(rng, 0.3, 30) },
		begin: onFix(func(f *Fault, rng *rand.Rand) func(*geometry_msgs.PoseWithCovariance, float64) {
			sin, cos := math.Sincos(between(rng, 0, 2*math.Pi))
			return func(p *geometry_msgs.PoseWithCovariance, _ float64) { displace(p, f.Size*cos, f.Size*sin) }
		}),
	},
	{
		name: "receiver-drift", weight: 4, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.For, f.Size = between(rng, 10, 90), between(rng, 0.05, 0.5)
		},
		begin: onFix(func(f *Fault, rng *rand.Rand) func(*geometry_msgs.PoseWithCovariance, float64) {
			sin, cos := math.Sincos(between(rng, 0, 2*math.Pi))
			return func(p *geometry_msgs.PoseWithCovariance, passed float64) {
				displace(p, f.Size*passed*cos, f.Size*passed*sin)
			}
		}),
	},
	{
		// The world starts the filter with it.
		name: "heading-wrong", weight: 4, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.At, f.Size = 0, between(rng, -math.Pi, math.Pi) },
		begin: func(*world, *Fault, *rand.Rand) func() {
			return nil
		},
	},
	{
		name: "turned", weight: 4, harm: always(harmPose | harmPerson),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.Size = pick(rng, "", "pause"), between(rng, -math.Pi, math.Pi)
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			turn := func() {
				at := w.truth.pose
				at.Yaw += f.Size
				w.carry(at)
			}
			if f.On == "" {
				turn()
				return nil
			}
			w.say(f.On)
			w.after(standTime+brakeTime, turn)
			return nil
		},
	},
	{
		name: "encoder", weight: 6, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.On, f.For, f.Size = pick(rng, "left", "right"), between(rng, 10, 120), pick(rng, 0, between(rng, 0.5, 2))
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			if f.On == "left" {
				w.robot.Encoders(f.Size, 1)
			} else {
				w.robot.Encoders(1, f.Size)
			}
			return func() { w.robot.Encoders(1, 1) }
		},
	},
	{
		name: "gyroscope-stuck", weight: 3, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.For = between(rng, 10, 120) },
		begin: func(w *world, _ *Fault, _ *rand.Rand) func() {
			rate := math.NaN()
			return w.onGyroscope(func(r float64) float64 {
				if math.IsNaN(rate) {
					rate = r
				}
				return rate
			})
		},
	},
	{
		name: "gyroscope-scale", weight: 3, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 10, 120), between(rng, 0, 2) },
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			return w.onGyroscope(func(r float64) float64 { return f.Size * r })
		},
	},
}

const (
	// centimetres is the standard deviation, m, of an RTK receiver.
	centimetres = 0.02
	// statedNoise is the size of a fault whose noise is that which the fix states.
	statedNoise = -1.0
	// slowest and fastest are the rates of the fixes, Hz.
	slowest, fastest = 0.5, 20.0
)

// drawLies draws the rate of the fixes and, for two trials of three, one or two sources that lie.
// All else is as it was drawn before, also the other faults: these come first.
func (t *Trial) drawLies(rng *rand.Rand) {
	t.setFixRate(slowest * math.Pow(fastest/slowest, rng.Float64()))
	list := lieKinds
	if !t.config.Fieldsim.PublishIMU {
		list = slices.DeleteFunc(slices.Clone(list), func(k kind) bool { return k.name == "gyroscope-stuck" || k.name == "gyroscope-scale" })
	}
	t.guard = rng.IntN(4) > 0
	for range rng.IntN(3) {
		k := choose(rng, list)
		f := Fault{Number: len(t.Faults) + 1, Kind: k.name, At: between(rng, 1, lastFault)}
		k.draw(rng, t, &f)
		t.Faults = append(t.Faults, f)
	}
}

// setFixRate sets the rate of the fixes, Hz. There is at most one with each step of the world.
func (t *Trial) setFixRate(rate float64) {
	w := &t.config.Fieldsim
	w.Fix.Period = 1 / rate
	if rate > w.Rate {
		w.Rate = fastest
	}
}

// displace moves a fix, and lets it state centimetres.
func displace(p *geometry_msgs.PoseWithCovariance, x, y float64) {
	p.Pose.Position.X += x
	p.Pose.Position.Y += y
	const most = centimetres * centimetres
	if p.Covariance[0] > most {
		p.Covariance[0], p.Covariance[1], p.Covariance[6], p.Covariance[7] = most, 0, 0, most
	}
}

// onFix returns a fault that changes the receiver's fixes. passed is the time since it began, s.
func onFix(change func(*Fault, *rand.Rand) func(p *geometry_msgs.PoseWithCovariance, passed float64)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, f *Fault, rng *rand.Rand) func() {
		do := change(f, rng)
		return w.rewrite("/fix_pose", func(b []byte) []byte {
			var m geometry_msgs.PoseWithCovarianceStamped
			return changed(&m, b, func() { do(&m.Pose, w.seconds()-f.At) })
		})
	}
}

// onGyroscope changes the yaw rates of the gyroscope, rad/s, until the function that it returns is
// called.
func (w *world) onGyroscope(change func(rate float64) float64) (end func()) {
	return w.rewrite("/imu", func(b []byte) []byte {
		var m sensor_msgs.Imu
		return changed(&m, b, func() { m.AngularVelocity.Z = change(m.AngularVelocity.Z) })
	})
}
