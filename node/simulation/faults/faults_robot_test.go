// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"math/rand/v2"
	"slices"

	"ugp_explorer/sim"
)

// robotKinds are faults of the robot itself.
var robotKinds = []kind{
	{
		name: "stuck", weight: 4, harm: always(harmMotion), draw: lasting(3, 60),
		begin: func(w *world, _ *Fault, _ *rand.Rand) func() {
			at := w.truth.pose
			sin, cos := math.Sincos(at.Yaw)
			hold := &w.config.Fieldsim.Obstacles
			obstacle := []float64{at.X + 0.3*cos, at.Y + 0.3*sin, 0.6}
			*hold = append(*hold, obstacle...)
			return func() {
				i := slices.Index(*hold, obstacle[0])
				*hold = slices.Delete(*hold, i, i+3)
			}
		},
	},
	{
		name: "kidnap", weight: 3, harm: always(harmPose),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.Size = between(rng, 0.5, 20) },
		begin: func(w *world, f *Fault, rng *rand.Rand) func() {
			at := w.truth.pose
			sin, cos := math.Sincos(between(rng, 0, 2*math.Pi))
			w.carry(sim.Pose{X: at.X + f.Size*cos, Y: at.Y + f.Size*sin, Yaw: at.Yaw + pick(rng, 0, between(rng, -3, 3))})
			return nil
		},
	},
}

// personKinds are what operators do.
var personKinds = []kind{{
	name: "command", weight: 7, harm: always(harmPerson),
	draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
		f.On = pick(rng, "start", "pause", "pause", "resume", "stop", "home", "home", "save", "jump")
	},
	begin: func(w *world, f *Fault, _ *rand.Rand) func() {
		w.say(f.On)
		return nil
	},
}}

// nav2Kinds are faults of Nav2.
var nav2Kinds = []kind{
	{name: "nav2-refuse", weight: 4, harm: always(harmMotion), draw: lasting(1, 40), begin: switched(func(w *world, on bool) { w.nav2.refuses = on })},
	{name: "nav2-abort", weight: 5, harm: always(harmMotion), draw: lasting(0.1, 20), begin: switched(func(w *world, on bool) {
		if w.nav2.aborts = on; on {
			w.nav2.abort()
		}
	})},
	{name: "nav2-endless", weight: 3, harm: always(harmMotion), draw: lasting(5, 60), begin: switched(func(w *world, on bool) { w.nav2.endless = on })},
	{
		name: "nav2-cancels", weight: 3, harm: always(harmPerson), draw: func(*rand.Rand, *Trial, *Fault) {},
		begin: func(w *world, _ *Fault, _ *rand.Rand) func() {
			w.nav2.drop()
			return nil
		},
	},
}

// lasting draws how long a fault lasts, between two limits in s.
func lasting(lo, hi float64) func(*rand.Rand, *Trial, *Fault) {
	return func(rng *rand.Rand, _ *Trial, f *Fault) { f.For = between(rng, lo, hi) }
}

// switched returns a fault that is switched on and off.
func switched(set func(w *world, on bool)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, _ *Fault, _ *rand.Rand) func() {
		set(w, true)
		return func() { set(w, false) }
	}
}
