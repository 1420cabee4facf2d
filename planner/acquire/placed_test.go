// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/plantest"
)

// everywhere is the placing of a Σ̂ that is the same everywhere.
func everywhere(cov *mat.SymDense) Placing {
	return func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: cov} }
}

// With a Σ̂ that is the same everywhere it is UCB: values and gradients.
func TestPlacedUCBIsUCB(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	plain := &UCB{Predictor: plantest.Predictor(t, model, plantest.Execution), Beta: 1.7}
	placed := &PlacedUCB{Model: model, Beta: 1.7, Place: everywhere(plantest.Execution)}
	rng := plantest.Rand(5)
	x := r.Points(60, rng)
	want, got := make([]float64, 2), make([]float64, 2)
	for i := range 60 {
		at := x.RawRowView(i)
		v, w := plain.Value(at), placed.Value(at)
		plain.Grad(want)
		placed.Grad(got)
		if math.Abs(v-w) > 1e-9 {
			t.Fatalf("at %v %g, want %g", at, w, v)
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-5 {
				t.Errorf("gradient at %v is %v, want %v", at, got, want)
			}
		}
	}
	a, b := make([]float64, 60), make([]float64, 60)
	plain.Values(a, x)
	placed.Values(b, x)
	if !floats.EqualApprox(a, b, 1e-9) {
		t.Errorf("the rows are %v, want %v", b, a)
	}
}

// Gradient and value of a placing whose covariance changes from place to place.
func TestPlacedUCBGradient(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	u := &PlacedUCB{Model: model, Beta: 2, Place: plantest.Widening}
	x := r.Points(20, plantest.Rand(6))
	got := make([]float64, 2)
	for i := range 20 {
		at := x.RawRowView(i)
		mean, variance := model.Posterior(plantest.Widening(at))
		if v := u.Value(at); math.Abs(v-mean-2*math.Sqrt(variance)) > 1e-12 {
			t.Errorf("value at %v is %g, want %g", at, v, mean+2*math.Sqrt(variance))
		}
		u.Grad(got)
		want := fd.Gradient(nil, u.value, at, &fd.Settings{Formula: fd.Central, Step: 1e-3})
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-5 {
				t.Errorf("gradient at %v is %v, want %v", at, got, want)
			}
		}
	}
}
