// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
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
}

// In any dimension the bound is that of the equation, written with an inverse and determinants.
func TestMismatchEquation(t *testing.T) {
	rng := gptest.Rand(81)
	for d := 1; d <= 4; d++ {
		definite := func() *mat.SymDense {
			s := gptest.Cov(rng, d, 1)
			if s == nil {
				s = mat.NewSymDense(d, nil)
			}
			for i := range d {
				s.SetSym(i, i, s.At(i, i)+0.2)
			}
			return s
		}
		for range 20 {
			model, truth := definite(), definite()
			var inverse, ratio mat.Dense
			must.OK(t, inverse.Inverse(model))
			ratio.Mul(&inverse, truth)
			want := 1.5 * math.Sqrt(mat.Trace(&ratio)-float64(d)+math.Log(mat.Det(model)/mat.Det(truth)))
			printed, proven, err := Mismatch(3, model, truth)
			must.OK(t, err)
			gptest.Near(t, "printed", printed, want, 1e-7) // the root of a rounding error where both are equal
			gptest.Near(t, "proven", proven, min(2*want, 6), 1e-7)
			// On a line, plane or space aslant in one of another dimension both are singular.
			aslant := gptest.Rotation(rng, d+1).Slice(0, d+1, 0, d)
			_, model = gptest.Mapped(aslant, make([]float64, d), model)
			_, truth = gptest.Mapped(aslant, make([]float64, d), truth)
			printed, _, err = Mismatch(3, model, truth)
			must.OK(t, err)
			gptest.Near(t, "printed of singular ones", printed, want, 1e-6)
		}
		zero := mat.NewSymDense(d, nil)
		if printed, proven, err := Mismatch(3, zero, zero); err != nil || printed != 0 || proven != 0 {
			t.Errorf("of points: %g, %g, %v", printed, proven, err)
		}
	}
}

// Where one is certain and the other is not there is no bound, nor for what is no covariance.
func TestMismatchRefuses(t *testing.T) {
	of := func(v ...float64) *mat.SymDense { return mat.NewSymDense(3, v) }
	whole := of(2, 0.3, -0.4, 0.3, 1, 0.2, -0.4, 0.2, 0.5)
	line, other := of(1, 1, 1, 1, 1, 1, 1, 1, 1), of(1, 1, -1, 1, 1, -1, -1, -1, 1)
	for name, c := range map[string]struct {
		model, truth *mat.SymDense
		kind         error
	}{
		"model certain":         {of(0, 0, 0, 0, 0, 0, 0, 0, 0), whole, errMismatch},
		"truth certain":         {whole, of(0, 0, 0, 0, 0, 0, 0, 0, 0), errMismatch},
		"model along a line":    {line, whole, errMismatch},
		"truth along a line":    {whole, line, errMismatch},
		"along different lines": {line, other, errMismatch},
		"indefinite":            {whole, of(1, 2, 0, 2, 1, 0, 0, 0, 1), gp.ErrBelief},
		"NaN":                   {of(math.NaN(), 0, 0, 0, 1, 0, 0, 0, 1), whole, gp.ErrBelief},
		"another dimension":     {mat.NewSymDense(2, nil), whole, gp.ErrBelief},
	} {
		if printed, proven, err := Mismatch(1, c.model, c.truth); !errors.Is(err, c.kind) {
			t.Errorf("%s: %g and %g, error %v", name, printed, proven, err)
		}
	}
}
