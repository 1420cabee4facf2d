// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"

	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// A receiver that measures each one or two seconds, and publishes the last measurement five times a second with new stamps, is as good as one
// with few fixes: the robot does not move by leaps.
func TestRepeatedFixes(t *testing.T) {
	for _, name := range []string{"rtk", "consumer"} {
		for _, every := range []float64{1, 2} { // s
			doubts, seconds, squares, bound := 0, 0, 0.0, 0.0
			var s score
			for seed := range uint64(2) {
				for _, repeats := range []bool{false, true} {
					j := newJourney()
					j.seconds, j.speed, j.from, j.gyro = 400, 2, 60, true
					j.fix.Receiver, _ = sim.ReceiverOf(name)
					j.fix.Period, j.fix.OutageGap = 0.2, 0
					var measured filter.Fix
					until := 0.0
					j.spoil = func(now float64, fix *filter.Fix) bool {
						fresh := now >= until-1e-6
						if fresh {
							measured, until = *fix, now+every
						}
						fix.X, fix.Y = measured.X, measured.Y
						return !fresh && !repeats
					}
					j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
						p, err := f.Pose()
						if err != nil || now < 60 {
							return
						}
						off := square(p.X-truth.X) + square(p.Y-truth.Y)
						if !repeats {
							bound += off
							return
						}
						seconds++
						squares += off
						if _, d := f.Doubt(); d {
							doubts++
						}
					}
					if o := j.run(t, seed); repeats {
						s.merge(&o.all)
					}
				}
			}
			ratio := math.Sqrt(squares / bound)
			t.Logf("%s, measured each %g s: doubts %.1f %% of the time, RMSE %.2f of that without repetitions, d² %.2f (3 is consistent)", name, every, 100*float64(doubts)/float64(seconds), ratio, s.nees/s.n)
			if doubts > 0 || ratio > 1.2 || s.nees/s.n > 4 {
				t.Errorf("%s, measured each %g s: doubts %d times, RMSE %.2f of that without repetitions, d² %.2f", name, every, doubts, ratio, s.nees/s.n)
			}
		}
	}
}
