package planner_test

import (
	"fmt"
	"reflect"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/plantest"
)

// A strategy that has decided before decides as one that has not: what is remembered
// of models before, of all kinds of acquisition, changes no bit.
func TestRememberingChangesNothing(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	obs := plantest.Data(r, 24, 3)
	for _, objective := range planner.Objectives() {
		for _, name := range []string{"ugp-ucb", "ei", "uei"} {
			if objective != planner.ObjectiveMaximum && name != "ugp-ucb" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", name, objective), func(t *testing.T) {
				cfg := planner.DefaultStrategyConfig()
				cfg.Search.Starts, cfg.Objective, cfg.Level = 200, objective, 0.5
				if name != "ei" {
					cfg.Recommend = planner.RecommendAnywhere
				}
				old := mustStrategy(t, name, r, cfg)
				model := plantest.Model(t, r, 4, 9)
				var targets [][]float64
				for i, o := range obs {
					if i%10 == 9 { // a fit
						model = alike(t, model, gp.Kind(i/10), 1.1)
					} else {
						model = model.Clone()
					}
					if err := model.Add(o); err != nil {
						t.Fatal(err)
					}
					q := request(model, uint64(i))
					q.Price = 0.002
					if i%3 == 2 {
						q.Pending = [][]float64{{60, 40}}
					}
					got, err := old.Next(q)
					if err != nil {
						t.Fatal(err)
					}
					q.Rng = plantest.Rand(uint64(i))
					want, err := mustStrategy(t, name, r, cfg).Next(q)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%d observations: %+v, afresh %+v", model.Len(), got, want)
					}
					targets = append(targets, o.Belief.Mean)
					inquiry := planner.Inquiry{Model: model, Execution: plantest.Execution, Targets: targets, Rng: plantest.Rand(1)}
					best, err := old.Recommend(inquiry)
					if err != nil {
						t.Fatal(err)
					}
					inquiry.Rng = plantest.Rand(1)
					wantBest, err := mustStrategy(t, name, r, cfg).Recommend(inquiry)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(best, wantBest) {
						t.Fatalf("%d observations: recommended %+v, afresh %+v", model.Len(), best, wantBest)
					}
				}
			})
		}
	}
}
