// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"

	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// A robot is told a heading that is wrong. The directions of the wheels' way and of the fixes' tell it
// long before ten fixes have been refused, after which the position used to be up to 22 m off, at 8
// claimed standard deviations. A right heading is left alone.
func TestWrongInitialHeading(t *testing.T) {
	for _, c := range []struct {
		stdDev, told float64
		worst, ratio float64 // error of the position, m and claimed standard deviations
		until        float64 // path driven until the heading is right within 4 claimed standard deviations, m
	}{
		{0.5, 0, 3, 3, 4}, {1, 0, 4, 3, 4},
		{0.5, 1, 5, 4.5, 10}, {1, 0.5, 5, 3.5, 8}, {1, 1.5, 10.5, 5.5, 15}, {0.5, 3, 9, 7, 10}, {1, 3, 14, 5.5, 15},
	} {
		worst, ratio, until, turned := 0.0, 0.0, 0.0, uint64(0)
		for seed := range uint64(10) {
			j := newJourney()
			j.seconds, j.told, j.fix.StdDev, j.fix.OutageGap = 120, c.told, c.stdDev, 0
			j.steered = seed%2 == 1
			j.skid(0.9)
			path, last := 0.0, sim.PlantState{}
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				if now > 0 {
					path += math.Hypot(truth.X-last.X, truth.Y-last.Y)
				}
				last = truth
				p, err := f.Pose()
				if err != nil {
					return
				}
				e := math.Hypot(p.X-truth.X, p.Y-truth.Y)
				worst = max(worst, e)
				ratio = max(ratio, e/math.Sqrt(p.Cov[0][0]+p.Cov[1][1]))
				if math.Abs(math.Remainder(p.Yaw-truth.Yaw, 2*math.Pi)) > 4*math.Sqrt(p.Cov[2][2]) {
					until = max(until, path)
				}
			}
			o := j.run(t, seed)
			turned += o.counts.Turned
		}
		t.Logf("fixes of %v m, heading %v rad off: position error up to %.1f m, %.1f claimed standard deviations; heading right after %.1f m, corrected %d times", c.stdDev, c.told, worst, ratio, until, turned)
		if worst > c.worst || ratio > c.ratio || until > c.until || c.told == 0 && turned > 0 {
			t.Errorf("fixes of %v m, heading %v rad off: position error up to %.1f m, %.1f claimed standard deviations; heading right after %.1f m, corrected %d times in 20 drives; want at most %+v", c.stdDev, c.told, worst, ratio, until, turned, c)
		}
	}
}

// A robot that stands is turned by hand, and perhaps carried 16 m, and then drives on. Its heading is right
// again, within its claims, after some metres, and the position with it. Before that nobody can know.
func TestTurnedByHand(t *testing.T) {
	for _, c := range []struct {
		stdDev, carried, turned float64
		until                   float64 // path driven until the heading is right within 3 claimed standard deviations, m
		worst                   float64 // later error of the position, m
		ratio                   float64 // the same in claimed standard deviations
	}{
		{0.02, 0, 1.5, 6, 0.5, 4},
		{0.1, 0, 0, 0, 0.7, 3}, {0.1, 0, 1.5, 40, 2, 4}, {0.1, 16, 3, 7, 0.9, 4}, // 0.1 m counts as float: worth less
		{1, 0, 0, 0, 2, 3}, {1, 0, 1.5, 45, 6.5, 5}, {1, 16, 3, 18, 4, 4},
	} {
		until, worst, ratio := 0.0, 0.0, 0.0
		for seed := range uint64(10) {
			j := newJourney()
			j.seconds, j.fix.StdDev, j.fix.OutageGap = 200, c.stdDev, 0
			j.skid(0.9)
			stood, path, carried := 0.0, math.Inf(-1), false
			j.disturb = func(now float64, p *sim.Plant) {
				at := p.State()
				if stood += float64(simStep) * 1e-9; at.Forward > 0.01 {
					stood = 0
				}
				path += math.Abs(at.Forward) * float64(simStep) * 1e-9
				if now > 100 && stood > 5 && !carried {
					carried, path = true, 0
					p.Carry(sim.Pose{X: at.X + 0.8*c.carried, Y: at.Y - 0.6*c.carried, Yaw: at.Yaw + c.turned})
				}
			}
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				p, err := f.Pose()
				if err != nil || path <= 0 { // no pose, not carried yet, or it still stands
					return
				}
				if math.Abs(math.Remainder(p.Yaw-truth.Yaw, 2*math.Pi)) > 3*math.Sqrt(p.Cov[2][2]) {
					until = max(until, path)
				}
				if path > 20 {
					e := math.Hypot(p.X-truth.X, p.Y-truth.Y)
					worst = max(worst, e)
					ratio = max(ratio, e/math.Sqrt(p.Cov[0][0]+p.Cov[1][1]))
				}
			}
			j.run(t, seed)
		}
		t.Logf("fixes of %v m, carried %v m and turned %v rad: heading right after %.1f m; after 20 m position error up to %.1f m, %.1f claimed standard deviations", c.stdDev, c.carried, c.turned, until, worst, ratio)
		if until > c.until || worst > c.worst || ratio > c.ratio {
			t.Errorf("want at most %+v", c)
		}
	}
}
