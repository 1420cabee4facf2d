package planner

import (
	"fmt"
	"testing"

	"ugp_explorer/gp"
)

// A decision of each acquisition over beliefs, and one that is averaged over eight
// hyper-parameters, after a fit: models of two kernels have their turns.
func BenchmarkBeliefDecision(b *testing.B) {
	r := mustRegion(b, starField(), 2)
	for _, n := range []int{30, 100} {
		var models [2]*gp.GP
		var members [2][]gp.Member
		for i := range models {
			fit := 1 + 0.01*float64(i)
			models[i] = alike(b, fieldModel(b, r, n, 1), gp.SquaredExponential, fit)
			for k := range 8 {
				members[i] = append(members[i], gp.Member{Model: alike(b, models[i], gp.SquaredExponential, 0.7+0.1*float64(k)), Weight: 1.0 / 8})
			}
		}
		for _, name := range []string{"ugp-ucb", "ugp-aei", "ugp-kg"} {
			for _, m := range [][2][]gp.Member{{}, members} {
				b.Run(fmt.Sprintf("%s/n=%d/models=%d", name, n, max(len(m[0]), 1)), func(b *testing.B) {
					s, q := mustStrategy(b, name, r, DefaultStrategyConfig()), request(models[0], 1)
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
}
