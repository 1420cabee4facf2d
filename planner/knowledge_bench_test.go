package planner

import (
	"fmt"
	"testing"

	"ugp_explorer/gp"
)

// A decision of each acquisition over beliefs, and one that is averaged over eight
// hyper-parameters.
func BenchmarkBeliefDecision(b *testing.B) {
	r := mustRegion(b, starField(), 2)
	for _, n := range []int{30, 100} {
		model := fieldModel(b, r, n, 1)
		var members []gp.Member
		for i := range 8 {
			h := model.Hyper()
			for k := range h.LengthScales {
				h.LengthScales[k] *= 0.7 + 0.1*float64(i)
			}
			g, err := gp.New(h)
			if err != nil {
				b.Fatal(err)
			}
			if err := g.AddAll(model.Observations()); err != nil {
				b.Fatal(err)
			}
			members = append(members, gp.Member{Model: g, Weight: 1.0 / 8})
		}
		for _, name := range []string{"ugp-ucb", "ugp-aei", "ugp-kg"} {
			for _, m := range [][]gp.Member{nil, members} {
				b.Run(fmt.Sprintf("%s/n=%d/models=%d", name, n, max(len(m), 1)), func(b *testing.B) {
					s := mustStrategy(b, name, r, DefaultStrategyConfig())
					q := request(model, 1)
					q.Members = m
					b.ReportAllocs()
					for b.Loop() {
						if _, err := s.Next(q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
