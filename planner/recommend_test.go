package planner

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

func TestRecommend(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	model := fieldModel(t, r, 20, 1)
	var targets [][]float64
	points := r.Points(15, newRand(5))
	for i := range 15 {
		targets = append(targets, points.RawRowView(i))
	}
	for _, cov := range []*mat.SymDense{nil, execution} {
		got, err := Recommend(model, cov, targets)
		if err != nil {
			t.Fatal(err)
		}
		best, sd := math.Inf(-1), 0.0
		index := -1
		for i, x := range targets {
			if mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: cov}); mean > best {
				index, best, sd = i, mean, math.Sqrt(variance)
			}
		}
		if got.Index != index || math.Abs(got.Mean-best) > 1e-9 || math.Abs(got.StdDev-sd) > 1e-9 {
			t.Errorf("got %+v, want target %d with %g ± %g", got, index, best, sd)
		}
	}
	twice := [][]float64{targets[3], targets[3]}
	if got, err := Recommend(model, nil, twice); err != nil || got.Index != 0 {
		t.Errorf("of equal targets: %+v, %v", got, err)
	}
}

func TestRecommendErrors(t *testing.T) {
	model := fieldModel(t, mustRegion(t, starField(), 2), 4, 1)
	bad := mat.NewSymDense(2, []float64{1, 2, 2, 1})
	for name, err := range map[string]error{
		"no targets": second(Recommend(model, nil, nil)),
		"dimension":  second(Recommend(model, nil, [][]float64{{1}})),
		"NaN":        second(Recommend(model, nil, [][]float64{{1, math.NaN()}})),
		"covariance": second(Recommend(model, bad, [][]float64{{1, 2}})),
	} {
		if !errors.Is(err, ErrRecommend) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
