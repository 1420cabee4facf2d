// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"
	"testing"
)

// Stamps of fixes that are late by up to 0.6 s, or early by up to 0.4 s, displace no belief: the filter learns the delay from the stops and
// turns of the robot.
func TestDelayOfStamps(t *testing.T) {
	for _, late := range []float64{-0.4, 0, 0.1, 0.3, 0.6} {
		for _, rate := range []float64{1, 10} {
			for _, stdDev := range []float64{0.02, 0.3} {
				t.Run(fmt.Sprintf("%g s/%g Hz/%g m", late, rate, stdDev), func(t *testing.T) {
					t.Parallel()
					drive := trip{rate: rate, stdDev: stdDev, gyro: true, seconds: 300, late: late}
					f, mean := drive.nees(t, 30)
					got, sigma := f.now().delay()
					if off := math.Abs(got - late); late >= 0 && off > 0.02+3*sigma { // what the robot does after a stamp is not known when it is early
						t.Errorf("the delay is learnt as %.3f ± %.3f s", got, sigma)
					}
					if mean > 2 {
						t.Errorf("d² of the position is %.1f", mean)
					}
					if counts := f.Counts(); counts.Turned > 0 || counts.Slips > 1 {
						t.Errorf("%+v", counts)
					}
				})
			}
		}
	}
}

// A delay that is forgotten is learnt again, also if messages come late.
func TestForgetDelay(t *testing.T) {
	drive := trip{rate: 5, stdDev: 0.02, gyro: true, seconds: 100, late: 0.3}
	f := drive.run(t, 1)
	if _, sigma := f.now().delay(); sigma > 0.1 {
		t.Fatalf("the delay has a standard deviation of %.3f s", sigma)
	}
	f.ForgetDelay()
	now, _ := f.Stamp()
	for _, stamp := range []int64{now - 300*ms, now + 50*ms} { // what is repeated since, and what follows
		if _, err := f.FusePosition(Fix{Stamp: stamp, Cov: diag2(4, 4)}); err != nil {
			t.Fatal(err)
		}
		if got, sigma := f.now().delay(); math.Abs(got) > 0.05 || math.Abs(sigma-delayStdDev) > 0.05 {
			t.Errorf("after a fix: %.3f ± %.3f s, want 0 ± %g", got, sigma, delayStdDev)
		}
	}
}

// delay returns the mean and the standard deviation of the delay of stamps, s.
func (e *estimate) delay() (mean, stdDev float64) {
	return e.x[stateDelay], math.Sqrt(e.p[stateDelay][stateDelay])
}
