// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// A robot that knows only its position finds its heading within some metres of driving, and claims no more
// than it knows: the normalised error squared of the first headings averages about 1, and the poses are
// consistent from then on.
func TestFirstHeading(t *testing.T) {
	for _, c := range []struct {
		stdDev, period, correlated float64 // of fixes, m, s, m
		speed                      float64 // m/s
		gyro                       bool
		skid                       float64 // true turn over that of the wheels
		median, latest             float64 // path until there is a heading, m
	}{
		{0.02, 1, 0, 1, false, 1, 2.5, 3},
		{0.02, 0.2, 0, 1, true, 1, 2, 2.5},
		{0.3, 0.2, 0, 1, false, 0.7, 4, 4.5},
		{1, 1, 0, 1, false, 0.6, 7, 10},
		{1, 0.2, 0, 0.5, true, 1, 4, 6},
		{0.7, 1, 1.5, 1, false, 1, 13, 18},
		{0.3, 5, 0, 1, false, 1, 18, 22},
	} {
		const seeds = 20
		var paths []float64
		sum := 0.0
		var all score
		for seed := range uint64(seeds) {
			j := newJourney()
			j.seconds, j.filter.HeadingGiven, j.gyro, j.speed = 150, false, c.gyro, c.speed
			j.fix.StdDev, j.fix.Period, j.fix.OutageGap = c.stdDev, c.period, 0
			if c.correlated > 0 {
				j.modes = []fixMode{{duration: 1e5, stdDev: c.stdDev, correlated: c.correlated}}
				j.fix.CorrelationTime = 30
			}
			j.skid(c.skid)
			path, last, known := 0.0, sim.PlantState{}, false
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				if now > 0 {
					path += math.Hypot(truth.X-last.X, truth.Y-last.Y)
				}
				last = truth
				p, err := f.Pose()
				if err != nil || known {
					return
				}
				known = true
				paths = append(paths, path)
				e := math.Remainder(p.Yaw-truth.Yaw, 2*math.Pi)
				sum += e * e / p.Cov[2][2]
			}
			o := j.run(t, seed)
			all.merge(&o.all)
			if o.counts.Turned > 0 {
				t.Errorf("%+v: the heading found was replaced", c)
			}
		}
		slices.Sort(paths)
		if len(paths) < seeds {
			t.Fatalf("%+v: found in %d drives of %d", c, len(paths), seeds)
		}
		median, latest := paths[seeds/2], paths[seeds-1]
		t.Logf("%+v: found after %.1f m (median), %.1f m at the latest; normalised error squared %.2f; NEES %.2f", c, median, latest, sum/seeds, all.nees/all.n)
		if median > c.median || latest > c.latest || sum/seeds > 2 || all.nees/all.n > 5 {
			t.Errorf("want %+v", c)
		}
	}
}
