// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// Covariances and moments are those of the GP, gradients those of differences, in
// every dimension and under every kernel.
func TestLookahead(t *testing.T) {
	rng := gptest.Rand(31)
	for d := 1; d <= 4; d++ {
		for _, cov := range []*mat.SymDense{nil, queryCov(d)} {
			for _, kind := range Kinds() {
				t.Run(fmt.Sprintf("d=%d nil=%t %v", d, cov == nil, kind), func(t *testing.T) {
					h := randomHyper(rng, d)
					h.Kind = kind
					obs := randomObservations(rng, 20, d)
					g, naive := mustGP(t, h, obs), newNaiveGP(t, h, obs)
					const m = 6
					x := mat.NewDense(m, d, nil)
					beliefs := make([]Belief, m+1)
					for j := range m {
						x.SetRow(j, gptest.Vec(rng, d, 3))
						beliefs[j] = Belief{x.RawRowView(j), cov}
					}
					l, err := g.NewLookahead(cov, x)
					must.OK(t, err)
					at := gptest.Vec(rng, d, 3)
					beliefs[m] = Belief{at, cov}
					c := make([]float64, m)
					variance := l.Covariances(c, at)
					_, wantV := g.Posterior(beliefs[m])
					gptest.Near(t, "variance", variance, wantV, 1e-10)
					for j := range m {
						gptest.Near(t, "covariance", c[j], naive.covariance(beliefs[j], beliefs[m]), 1e-10)
						wantM, _ := g.Posterior(beliefs[j])
						gptest.Near(t, "mean at a place", l.Means()[j], wantM, 1e-10)
					}
					weight := []float64{0.3, 0, -1.2, 0.7, 0, 0.1}
					sum := func(x []float64) float64 {
						l.Covariances(c, x)
						return floats.Dot(weight, c)
					}
					spread := func(x []float64) float64 { return l.Covariances(c, x) }
					dSum, dVar := make([]float64, d), make([]float64, d)
					l.Gradients(dSum, dVar, weight, at)
					settings := &fd.Settings{Formula: fd.Central, Step: 1e-5}
					for i, want := range fd.Gradient(nil, sum, at, settings) {
						gptest.Near(t, "∂ of the sum", dSum[i], want, 1e-6*h.SignalVariance)
					}
					for i, want := range fd.Gradient(nil, spread, at, settings) {
						gptest.Near(t, "∂ of the variance", dVar[i], want, 1e-6*h.SignalVariance)
					}
				})
			}
		}
	}
}

func TestLookaheadRefuses(t *testing.T) {
	g := mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}}, nil)
	if _, err := g.NewLookahead(gptest.Sym2(math.NaN(), 0, 1), mat.NewDense(3, 2, nil)); err == nil {
		t.Error("a covariance that is none")
	}
	l, err := g.NewLookahead(nil, mat.NewDense(3, 2, nil))
	must.OK(t, err)
	for name, f := range map[string]func(){
		"places of another dimension": func() { g.NewLookahead(nil, mat.NewDense(3, 1, nil)) },
		"a query of another":          func() { l.Covariances(make([]float64, 3), []float64{1}) },
		"too few covariances":         func() { l.Covariances(make([]float64, 2), []float64{1, 1}) },
		"too few weights":             func() { l.Gradients(make([]float64, 2), make([]float64, 2), make([]float64, 2), []float64{1, 1}) },
		"a gradient too short":        func() { l.Gradients(make([]float64, 1), make([]float64, 2), make([]float64, 3), []float64{1, 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
