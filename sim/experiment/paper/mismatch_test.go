package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/sim/rig/must"
	"ugp_explorer/sim/rig/plantest"
)

// A search for functions of the squared exponential's space that violate the
// bounds, of all widths, covariances and supports: neither the
// printed bound nor that which the proof gives. The expectations are closed forms.
func TestMismatchBoundsHold(t *testing.T) {
	rng := plantest.Rand(6)
	nearest := 0.0
	for range 3000 {
		draw := func() *mat.SymDense {
			a, c := math.Exp(2*rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
			b := (2*rng.Float64() - 1) * math.Sqrt(a*c)
			return mat.NewSymDense(2, []float64{a, 0.9 * b, 0.9 * b, c})
		}
		truth, model := draw(), draw()
		if rng.IntN(2) == 0 { // near each other, where a linear error would show
			model.ScaleSym(1+0.1*rng.NormFloat64(), truth)
		}
		k := gp.Kernel{Variance: 1, LengthScales: []float64{1, 1}}
		n := 1 + rng.IntN(6)
		alpha, at := make([]float64, n), make([]gp.Belief, n)
		for i := range alpha {
			alpha[i] = 2*rng.Float64() - 1
			at[i] = gp.Point(3*rng.NormFloat64(), 3*rng.NormFloat64())
		}
		norm, gap := 0.0, 0.0
		p, q := gp.Belief{Mean: []float64{0, 0}, Cov: truth}, gp.Belief{Mean: []float64{0, 0}, Cov: model}
		for i := range alpha {
			gap += alpha[i] * (k.Cov(p, at[i]) - k.Cov(q, at[i]))
			for j := range alpha {
				norm += alpha[i] * alpha[j] * k.Cov(at[i], at[j])
			}
		}
		printed, proven, err := Mismatch(math.Sqrt(norm), model, truth)
		must.OK(t, err)
		if math.Abs(gap) > printed || printed > proven && proven < 2*math.Sqrt(norm)*(1-1e-12) {
			t.Errorf("the expected values differ by %g, bounds %g and %g", gap, printed, proven)
		}
		if printed > 0 {
			nearest = max(nearest, math.Abs(gap)/printed)
		}
	}
	if nearest < 0.1 {
		t.Errorf("the search came to %g of the bound only: it does not probe it", nearest)
	}
	t.Logf("largest share of the printed bound: %.3f", nearest)
}

func TestMismatch(t *testing.T) {
	truth := mat.NewSymDense(2, []float64{4, 0, 0, 1})
	model := mat.NewSymDense(2, []float64{1, 0, 0, 2})
	// tr(Σ̂⁻¹Σ) = 4.5, d = 2, log 2/4.
	root := math.Sqrt(4.5 - 2 + math.Log(0.5))
	printed, proven, err := Mismatch(3, model, truth)
	if err != nil || math.Abs(printed-1.5*root) > 1e-12 || math.Abs(proven-3*root) > 1e-12 {
		t.Errorf("%g and %g, want %g and twice that: %v", printed, proven, 1.5*root, err)
	}
	if printed, proven, err := Mismatch(3, truth, truth); err != nil || printed != 0 || proven != 0 {
		t.Errorf("of equal ones: %g, %g, %v", printed, proven, err)
	}
	tiny := mat.NewSymDense(2, []float64{1e-6, 0, 0, 1e-6})
	if _, proven, err := Mismatch(3, tiny, truth); err != nil || proven != 6 {
		t.Errorf("the difference of two means of f is 2b at most: %g, %v", proven, err)
	}
	if _, _, err := Mismatch(1, mat.NewSymDense(2, nil), truth); err == nil {
		t.Error("a singular covariance has a bound")
	}
}
