// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/gptest"
)

// TestBeliefValidate: what is refused is named with its numbers.
func TestBeliefValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		b    Belief
		want []string // in the message; nil when the belief is good
	}{
		{"point", Point(1, 2), nil},
		{"full", Belief{[]float64{1, 2}, gptest.Sym2(2, 1, 3)}, nil},
		{"zero", Belief{[]float64{1, 2}, gptest.Sym2(0, 0, 0)}, nil},
		{"singular", Belief{[]float64{1, 2}, gptest.Sym2(1, 2, 4)}, nil},
		{"one sure direction", Belief{[]float64{1, 2}, gptest.Sym2(0, 0, 4)}, nil},
		{"units far apart", Belief{[]float64{1, 2}, gptest.Sym2(1e12, 0.9e-1, 1e-14)}, nil},
		{"rounding", Belief{[]float64{1, 2}, gptest.Sym2(1, 1+1e-12, 1)}, nil},
		{"short mean", Point(1), []string{"mean [1]", "1 entries", "want 2"}},
		{"no mean", Belief{}, []string{"0 entries", "want 2"}},
		{"NaN mean", Point(1, nan), []string{"mean[1] is NaN"}},
		{"infinite mean", Point(-inf, 1), []string{"mean[0] is -Inf"}},
		{"wrong size", Belief{[]float64{1, 2}, mat.NewSymDense(3, nil)}, []string{"[1 2]", "3×3", "2×2"}},
		{"NaN variance", Belief{[]float64{1, 2}, gptest.Sym2(nan, 0, 1)}, []string{"covariance[0,0] is NaN"}},
		{"infinite covariance", Belief{[]float64{1, 2}, gptest.Sym2(1, inf, 1)}, []string{"covariance[1,0] is +Inf"}},
		{"negative variance", Belief{[]float64{1, 2}, gptest.Sym2(1, 0, -0.5)}, []string{"[1 2]", "variance[1] is -0.5"}},
		{"indefinite", Belief{[]float64{1, 2}, gptest.Sym2(1, 2, 1)}, []string{"[1 2]", "positive semi-definite", "eigenvalue of -1"}},
		{"indefinite in small units", Belief{[]float64{1, 2}, gptest.Sym2(1, 2e-9, 1e-18)}, []string{"eigenvalue of -1"}},
		{"covariance without variance", Belief{[]float64{1, 2}, gptest.Sym2(0, 0.1, 1)}, []string{"covariance[1,0] is 0.1", "variance of 0"}},
	} {
		t.Run(c.name, func(t *testing.T) { gptest.Refused(t, c.b.Validate(2), ErrBelief, c.want) })
	}
	// In seven dimensions, past what lives on the stack.
	s := mat.NewSymDense(7, nil)
	for i := range 7 {
		s.SetSym(i, i, 1)
	}
	b := Belief{make([]float64, 7), s}
	gptest.Refused(t, b.Validate(7), ErrBelief, nil)
	s.SetSym(5, 6, 1.5)
	gptest.Refused(t, b.Validate(7), ErrBelief, []string{"1.5", "eigenvalue of -0.5"})
}

func TestNewRefuses(t *testing.T) {
	good := Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}, NoiseVariance: 0.1}
	for _, c := range []struct {
		name   string
		change func(*Hyper)
		want   []string
	}{
		{"good", func(*Hyper) {}, nil},
		{"no noise", func(h *Hyper) { h.NoiseVariance = 0 }, nil},
		{"no signal", func(h *Hyper) { h.SignalVariance = 0 }, []string{"SignalVariance is 0"}},
		{"NaN signal", func(h *Hyper) { h.SignalVariance = math.NaN() }, []string{"SignalVariance is NaN"}},
		{"no dimension", func(h *Hyper) { h.LengthScales = nil }, []string{"LengthScales is empty"}},
		{"negative length", func(h *Hyper) { h.LengthScales[1] = -2 }, []string{"LengthScales[1] is -2"}},
		{"infinite length", func(h *Hyper) { h.LengthScales[0] = math.Inf(1) }, []string{"LengthScales[0] is +Inf"}},
		{"negative noise", func(h *Hyper) { h.NoiseVariance = -1 }, []string{"NoiseVariance is -1"}},
		{"infinite mean", func(h *Hyper) { h.Mean = math.Inf(-1) }, []string{"Mean is -Inf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := good.clone()
			c.change(&h)
			_, err := New(h)
			gptest.Refused(t, err, ErrHyper, c.want)
		})
	}
}

func TestAddRefuses(t *testing.T) {
	h := Hyper{SignalVariance: 1, LengthScales: []float64{1, 2}, NoiseVariance: 0.1}
	for _, c := range []struct {
		name string
		o    Observation
		kind error
		want []string
	}{
		{"good", Observation{Belief: Point(1, 2), Value: 3, NoiseVariance: 0.1}, nil, nil},
		{"belief", Observation{Belief: Point(1), Value: 3, NoiseVariance: 0.1}, ErrBelief, []string{"1 entries"}},
		{"NaN value", Observation{Belief: Point(1, 2), Value: math.NaN(), NoiseVariance: 0.1}, ErrObservation, []string{"Value is NaN at [1 2]"}},
		{"infinite noise", Observation{Belief: Point(1, 2), Value: 3, NoiseVariance: math.Inf(1)}, ErrObservation, []string{"NoiseVariance is +Inf at [1 2]"}},
		{"negative noise", Observation{Belief: Point(1, 2), Value: 3, NoiseVariance: -1e-3}, ErrObservation, []string{"NoiseVariance is -0.001 at [1 2]"}},
		{"huge value", Observation{Belief: Point(1, 2), Value: 1e300}, ErrObservation, []string{"Value 1e+300"}},
		{"huge belief", Observation{Belief: Belief{[]float64{1, 2}, gptest.Sym2(1, 0, 1e308)}, Value: 3}, ErrBelief, []string{"deviation[1] is 1e+154", "length-scales of 2"}},
		{"far away", Observation{Belief: Point(1, 1e300), Value: 3}, ErrBelief, []string{"mean[1] is 1e+300", "origin"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := mustGP(t, h, []Observation{{Belief: Point(0, 0), Value: 1}})
			before := mustGP(t, h, []Observation{{Belief: Point(0, 0), Value: 1}})
			err := g.Add(c.o)
			gptest.Refused(t, err, c.kind, c.want)
			if d := difference(before, g); err != nil && d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNewPredictorRefuses(t *testing.T) {
	g := mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1, 2}, NoiseVariance: 0.1}, nil)
	for _, c := range []struct {
		cov  *mat.SymDense
		want []string
	}{
		{nil, nil},
		{gptest.Sym2(1, 0.5, 1), nil},
		{mat.NewSymDense(1, nil), []string{"1×1"}},
		{gptest.Sym2(1, 3, 1), []string{"positive semi-definite"}},
		{gptest.Sym2(1, 0, 1e300), []string{"deviation[1]"}},
	} {
		_, err := g.NewPredictor(c.cov)
		gptest.Refused(t, err, ErrBelief, c.want)
	}
}

// TestWidestBelief: the widest belief that is let in, with a correlation as far
// past 1 as is let in, still has a covariance with itself, in the shortest terms of
// a mixture too.
func TestWidestBelief(t *testing.T) {
	for d := 1; d <= 4; d++ {
		for _, kind := range Kinds() {
			g := mustGP(t, Hyper{Kind: kind, SignalVariance: 1, LengthScales: slices.Repeat([]float64{2}, d), NoiseVariance: 0.1}, nil)
			limit := 2 * maxSpread * kind.mixture().Shortest()
			wide := func(s float64) Belief {
				cov := mat.NewSymDense(d, nil)
				for i := range d {
					for j := range i {
						cov.SetSym(i, j, s*s*(1+0.9*psdTolerance))
					}
					cov.SetSym(i, i, s*s)
				}
				return Belief{make([]float64, d), cov}
			}
			if err := g.Add(Observation{Belief: wide(0.999 * limit), Value: 1}); err != nil {
				t.Errorf("d=%d %v: %v", d, kind, err)
			}
			for _, b := range []Belief{Point(make([]float64, d)...), wide(0.999 * limit)} {
				if m, v := g.Posterior(b); !(num.Finite(m) && v > 0) {
					t.Errorf("d=%d %v: mean %g, variance %g", d, kind, m, v)
				}
			}
			gptest.Refused(t, g.Add(Observation{Belief: wide(1.001 * limit), Value: 1}), ErrBelief, []string{"deviation[0]"})
			if m, v := g.Posterior(wide(1.001 * limit)); !(math.IsNaN(m) && math.IsNaN(v)) {
				t.Errorf("d=%d %v: mean %g, variance %g of a belief that is too wide, want NaN", d, kind, m, v)
			}
		}
	}
}
