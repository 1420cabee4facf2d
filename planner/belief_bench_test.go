// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"fmt"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
)

// A decision over beliefs, and one that is averaged over eight hyper-parameters, after a fit:
// models of two hyper-parameters have their turns. The last are of both Matérn kernels, as the
// explorer has them by default.
func BenchmarkBeliefDecision(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	for _, n := range []int{30, 100} {
		var models [2]*gp.GP
		var members, matern [2]fit.Mixture
		for i := range models {
			factor := 1 + 0.01*float64(i)
			models[i] = alike(b, plantest.Model(b, r, n, 1), gp.SquaredExponential, factor)
			for k := range 8 {
				members[i] = append(members[i], fit.Member{Model: alike(b, models[i], gp.SquaredExponential, 0.7+0.1*float64(k)), Weight: 1.0 / 8})
				matern[i] = append(matern[i], fit.Member{Model: alike(b, models[i], []gp.Kind{gp.Matern52, gp.Matern32}[k%2], 0.7+0.1*float64(k)), Weight: 1.0 / 8})
			}
		}
		for i, m := range [][2]fit.Mixture{{}, members, matern} {
			b.Run(fmt.Sprintf("n=%d/models=%s", n, []string{"1", "8", "8 matern"}[i]), func(b *testing.B) {
				s, q := mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), request(models[0], 1)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					q.Model, q.Members = models[i%2], m[i%2]
					if _, err := s.Next(q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
