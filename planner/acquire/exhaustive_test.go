package acquire

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/plantest"
)

// What is screened row by row comes with the posterior of its row, after a screening
// of fewer and of more rows than before.
func TestExhaustive(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	lookahead, err := model.NewLookahead(plantest.Execution)
	if err != nil {
		t.Fatal(err)
	}
	lookahead.SetPlaces(r.Points(40, plantest.Rand(9)))
	g := make([]float64, 2)
	for name, a := range map[string]Acquisition{
		"variance": &Variance{Lookahead: lookahead, Noise: 0.03},
		"placed": &PlacedUCB{Model: model, Beta: 1.3, Place: func(x []float64) gp.Belief {
			return gp.Belief{Mean: x, Cov: plantest.Execution}
		}},
	} {
		for _, m := range []int{20, 5, 30} {
			x := r.Points(m, plantest.Rand(uint64(m)))
			values := make([]float64, m)
			a.Values(values, x)
			for row, v := range values {
				if want := a.ValueGrad(g, x.RawRowView(row)); v != want {
					t.Errorf("%s: row %d of %d has %g, its place %g", name, row, m, v, want)
				}
			}
			for _, c := range a.Top(make([]gp.Candidate, m), x, nil) {
				mean, variance := model.Posterior(gp.Belief{Mean: mat.Row(nil, c.Row, x), Cov: plantest.Execution})
				if math.Abs(c.Mean-mean) > 1e-9 || math.Abs(c.Variance-variance) > 1e-9 || c.Score != values[c.Row] {
					t.Errorf("%s: row %d of %d is told as %+v, want %g, %g and score %g", name, c.Row, m, c, mean, variance, values[c.Row])
				}
			}
		}
	}
}
