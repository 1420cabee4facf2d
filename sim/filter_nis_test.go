// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/localization/filter"
)

// spread is a mean over drives with its standard error. Drives are independent; the moments of one are not.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

func (s *spread) mean() (mean, stdErr float64) {
	mean = s.sum / s.n
	return mean, math.Sqrt((s.squares/s.n - mean*mean) / (s.n - 1))
}

// The filter as the node configures it is consistent with the simulator's own noise, over many drives from
// the first minute on. The normalised innovations squared of independent fixes follow χ² with 2 degrees of
// freedom, in their mean and in their tail, and the normalised errors squared of the pose average at most 3
// (Bar-Shalom et al. 2001, §5.4). They may be less: whether white fixes have a slow error, too, takes minutes to learn. Fixes that err by somewhat more than they state are learnt about.
//
// Slow errors of four times what is stated, without a gyroscope, are found inconsistent, so the test can fail.
func TestFilterIsConsistentWithSimulator(t *testing.T) {
	for _, c := range []struct {
		name       string
		stdDev     float64 // white error of a fix, m
		correlated float64 // of its slowly varying error, m
		gyro       bool
		wrong      float64 // factor on the stated standard deviation of fixes
	}{
		{"fixes of 1 m", 1, 0, false, 1},
		{"fixes of 1 m, gyroscope", 1, 0, true, 1},
		{"correlated fixes", 0.7, 1.5, false, 1},
		{"fixes that claim too little", 1, 0, false, 1 / 1.5},
		{"correlated fixes that claim far too little", 0.7, 1.5, false, 1.0 / 4},
	} {
		const drives = 12
		var nis, nees spread
		fixes, beyond := 0.0, 0.0
		limit := distuv.ChiSquared{K: 2}.Quantile(0.95)
		for seed := range uint64(drives) {
			j := newJourney()
			j.seconds, j.from, j.gyro, j.fix.StdDev = 600, 60, c.gyro, c.stdDev
			j.filter.GateProbability = 1 // a gate would hide large innovations
			if c.correlated > 0 {
				j.modes = []fixMode{{duration: 1e5, stdDev: c.stdDev, correlated: c.correlated}}
				j.fix.CorrelationTime = 30
			}
			j.spoil = func(_ float64, f *filter.Fix) bool {
				for i := range f.Cov {
					f.Cov[i][i] *= c.wrong * c.wrong
				}
				return false
			}
			n, sum := 0.0, 0.0
			j.fused = func(now float64, i filter.Innovation) {
				if now < 60 || i.DoF != 2 {
					return
				}
				n, sum = n+1, sum+i.NIS
				if i.NIS > limit {
					beyond++
				}
			}
			o := j.run(t, seed)
			fixes += n
			nis.add(sum / n)
			nees.add(o.all.nees / o.all.n)
		}
		meanNIS, errNIS := nis.mean()
		meanNEES, errNEES := nees.mean()
		tail := beyond / fixes
		t.Logf("%s: NIS %.3f ± %.3f, beyond the 0.95 quantile %.4f of %.0f; NEES %.2f ± %.2f", c.name, meanNIS, errNIS, tail, fixes, meanNEES, errNEES)
		// Bands of 99 %: 2.6 standard errors. Drives share their fixes' seeds with those of other cases.
		consistent := meanNEES < 3+2.6*errNEES
		if c.correlated == 0 {
			consistent = consistent && meanNEES > leastNEES && meanNIS < 2.1 && meanNIS > 1.8 && tail < 0.065 && tail > 0.03
		}
		if consistent != (c.wrong > 0.5) {
			t.Errorf("%s: consistent: %v", c.name, consistent)
		}
	}
}
