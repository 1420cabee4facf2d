// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"

	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// A robot that follows the filter's pose along lines of a kilometre steers against the errors of the
// fixes all the time. The filter does not mistake that for the scale of its turn, so the heading after
// a turn on the spot is as good as claimed. When each fix corrected the scale, the heading at departure
// was off by 0.53 rad and claimed to be good to 0.24 (root mean squares), and its normalised error
// squared reached 36.
func TestSteeringDoesNotTeachTheTurn(t *testing.T) {
	const fraction = 0.7 // true turn over that of the wheels
	var sum, n, worst, most float64
	var departed score
	for seed := range uint64(4) {
		j := newJourney()
		j.skid(fraction)
		j.plant.TurnFractionStdDev = 0.05
		j.steered, j.square, j.speed, j.plant.MaxSpeed, j.seconds = true, 2000, 2.5, 2.5, 6000
		j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
			p, err := f.Pose()
			if err != nil || now < 600 {
				return
			}
			e := math.Remainder(p.Yaw-truth.Yaw, 2*math.Pi)
			sum += e * e / p.Cov[2][2]
			n++
			worst = max(worst, e*e/p.Cov[2][2])
			k, sd := f.Slip()
			most = max(most, math.Abs(k.Turn-fraction)/sd.Turn)
		}
		o := j.run(t, seed+1)
		departed.merge(&o.departed)
	}
	rms, claimed := math.Sqrt(departed.yaw/departed.n), math.Sqrt(departed.yawVar/departed.n)
	if worst > 20 || rms > 1.2*claimed || most > 4 {
		t.Errorf("true turn %g of the wheels': normalised error squared of the heading up to %.1f, at departure off by %.2f rad and claimed %.2f, scale off by %.1f standard deviations", fraction, worst, rms, claimed, most)
	}
	t.Logf("true turn %g of the wheels': NEES of the heading %.2f, at most %.1f; at departure off by %.2f rad, claimed %.2f; scale off by up to %.1f standard deviations", fraction, sum/n, worst, rms, claimed, most)
}
