package experiment

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/execution"
)

// Localisation is poor in the east: near samples it is what theirs was, far from all
// of them their mean.
func TestSampleMap(t *testing.T) {
	cov := func(s float64) *mat.SymDense { return mat.NewSymDense(2, []float64{s * s, 0, 0, s * s}) }
	var arrivals []execution.Arrival
	for i := range 10 {
		x := float64(10 * i)
		s := 0.5
		if x >= 50 {
			s = 6
		}
		arrivals = append(arrivals, execution.Arrival{Target: []float64{x, 0}, Located: gp.Belief{Mean: []float64{x, 1}, Cov: cov(s)}})
	}
	around, err := newSampleMap(2, arrivals, 5)
	if err != nil {
		t.Fatal(err)
	}
	mean := (0.25 + 36) / 2
	got := mat.NewSymDense(2, nil)
	for _, c := range []struct{ x, low, high float64 }{{10, 0.25, 2}, {80, 34, 36}, {5000, mean - 1e-9, mean + 1e-9}, {45, 10, 26}} {
		around.Cov(got, []float64{c.x, 0})
		if v := got.At(0, 0); v < c.low || v > c.high || got.At(1, 1) != v || got.At(0, 1) != 0 {
			t.Errorf("at %g m: covariance %v, want a variance from %g to %g", c.x, mat.Formatted(got), c.low, c.high)
		}
	}
	if v := around.mean.At(0, 0); math.Abs(v-mean) > 1e-9 {
		t.Errorf("mean variance %g, want %g", v, mean)
	}
	for i, a := range execution.Controlled(arrivals) {
		if a.Located.Cov != nil || arrivals[i].Located.Cov == nil || a.Located.Mean[0] != arrivals[i].Located.Mean[0] {
			t.Errorf("arrival %d without its covariance: %+v of %+v", i, a, arrivals[i])
		}
	}
	if _, err := newSampleMap(2, nil, 0); !errors.Is(err, execution.ErrExecution) {
		t.Errorf("no reach: %v", err)
	}
	none, err := newSampleMap(2, nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	if none.Cov(got, []float64{0, 0}); mat.Trace(got) != 0 {
		t.Errorf("without samples: %v", mat.Formatted(got))
	}
}
