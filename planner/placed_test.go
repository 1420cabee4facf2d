package planner

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// everywhere is the placing of a Σ̂ that is the same everywhere.
func everywhere(cov *mat.SymDense) Placing {
	return func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: cov} }
}

// widening is a placing whose deviation grows to the east.
func widening(x []float64) gp.Belief {
	s := 1 + math.Abs(x[0])/20
	return gp.Belief{Mean: []float64{x[0] + 1, x[1]}, Cov: mat.NewSymDense(2, []float64{s * s, 0, 0, s * s})}
}

// With a Σ̂ that is the same everywhere it is UCB: values, gradients and the best rows.
func TestPlacedUCBIsUCB(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	model := fieldModel(t, r, 25, 1)
	plain := &UCB{Predictor: mustPredictor(t, model, execution), Beta: 1.7}
	placed := &PlacedUCB{Model: model, Beta: 1.7, Place: everywhere(execution)}
	rng := newRand(5)
	x := r.Points(60, rng)
	want, got := make([]float64, 2), make([]float64, 2)
	for i := range 60 {
		at := x.RawRowView(i)
		v, w := plain.ValueGrad(want, at), placed.ValueGrad(got, at)
		if math.Abs(v-w) > 1e-9 || math.Abs(placed.Value(at)-v) > 1e-9 {
			t.Fatalf("at %v %g, want %g", at, w, v)
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-5 {
				t.Errorf("gradient at %v is %v, want %v", at, got, want)
			}
		}
	}
	penalty := make([]float64, 60)
	penalty[3] = math.Inf(1)
	a, b := plain.Top(make([]gp.Candidate, 7), x, penalty), placed.Top(make([]gp.Candidate, 7), x, penalty)
	if len(a) != len(b) {
		t.Fatalf("%d rows, want %d", len(b), len(a))
	}
	for i := range a {
		if a[i].Row != b[i].Row || math.Abs(a[i].Score-b[i].Score) > 1e-9 {
			t.Errorf("row %d is %+v, want %+v", i, b[i], a[i])
		}
	}
}

// Gradient and value of a placing whose covariance changes from place to place.
func TestPlacedUCBGradient(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	model := fieldModel(t, r, 25, 1)
	u := &PlacedUCB{Model: model, Beta: 2, Place: widening}
	x := r.Points(20, newRand(6))
	got := make([]float64, 2)
	for i := range 20 {
		at := x.RawRowView(i)
		mean, variance := model.Posterior(widening(at))
		if v := u.ValueGrad(got, at); math.Abs(v-mean-2*math.Sqrt(variance)) > 1e-12 {
			t.Errorf("value at %v is %g, want %g", at, v, mean+2*math.Sqrt(variance))
		}
		want := fd.Gradient(nil, u.Value, at, &fd.Settings{Formula: fd.Central, Step: 1e-3})
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-5 {
				t.Errorf("gradient at %v is %v, want %v", at, got, want)
			}
		}
	}
	if err := (&PlacedUCB{Model: model}).Validate(); !errors.Is(err, ErrSearch) {
		t.Errorf("without a placing: %v", err)
	}
}

// Localisation is poor in the east: near samples it is what theirs was, far from all
// of them their mean.
func TestSurroundings(t *testing.T) {
	cov := func(s float64) *mat.SymDense { return mat.NewSymDense(2, []float64{s * s, 0, 0, s * s}) }
	var arrivals []Arrival
	for i := range 10 {
		x := float64(10 * i)
		s := 0.5
		if x >= 50 {
			s = 6
		}
		arrivals = append(arrivals, Arrival{Target: []float64{x, 0}, Located: gp.Belief{Mean: []float64{x, 1}, Cov: cov(s)}})
	}
	around, err := NewSurroundings(2, arrivals, 5)
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
	if v := around.Mean().At(0, 0); math.Abs(v-mean) > 1e-9 {
		t.Errorf("mean variance %g, want %g", v, mean)
	}
	for i, a := range Controlled(arrivals) {
		if a.Located.Cov != nil || arrivals[i].Located.Cov == nil || a.Located.Mean[0] != arrivals[i].Located.Mean[0] {
			t.Errorf("arrival %d without its covariance: %+v of %+v", i, a, arrivals[i])
		}
	}
	if _, err := NewSurroundings(2, nil, 0); !errors.Is(err, ErrExecution) {
		t.Errorf("no reach: %v", err)
	}
	none, err := NewSurroundings(2, nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	if none.Cov(got, []float64{0, 0}); mat.Trace(got) != 0 {
		t.Errorf("without samples: %v", mat.Formatted(got))
	}
}
