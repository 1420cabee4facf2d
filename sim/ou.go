// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"
)

// drift is an Ornstein–Uhlenbeck process of mean zero: normal, with the given
// standard deviation at any time, and the correlation exp(−t/tau) between two
// values t apart. It starts in its stationary state.
type drift struct {
	stdDev, tau float64
	value       float64
	rng         *rand.Rand

	dt, keep, spread float64 // of the last step: most steps are alike
}

func newDrift(stdDev, tau float64, rng *rand.Rand) drift {
	return drift{stdDev: stdDev, tau: tau, value: stdDev * rng.NormFloat64(), rng: rng, dt: math.NaN()}
}

// step moves the process on by dt seconds, by its exact transition (Gillespie
// 1996, Phys. Rev. E 54:2084, eq. 1.7), and returns its value.
func (d *drift) step(dt float64) float64 {
	n := d.rng.NormFloat64() // always drawn: the stream does not depend on settings
	if dt != d.dt {
		a := math.Exp(-dt / d.tau)
		d.dt, d.keep, d.spread = dt, a, d.stdDev*math.Sqrt(1-a*a)
	}
	d.value = d.keep*d.value + d.spread*n
	return d.value
}
