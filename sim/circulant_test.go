// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/surface"
)

var fieldModels = []Variogram{
	{Model: Spherical, Nugget: 0.3, Structured: 1, Range: 60},
	{Model: Exponential, Nugget: 0.3, Structured: 1, Range: 20},
	{Model: Gaussian, Nugget: 0.3, Structured: 1, Range: 20},
	{Model: Matern32, Nugget: 0.3, Structured: 1, Range: 15},
	{Model: Matern52, Nugget: 0.3, Structured: 1, Range: 15},
}

// The covariance of the fields drawn is Σ λ·exp(2πI(...)) over the torus, summed
// here term by term. It must be the model's for every lag on the grid.
func TestEmbeddingIsExact(t *testing.T) {
	for _, g := range []surface.Grid{
		{DX: 5, DY: 5, NX: 24, NY: 17},
		{DX: 4, DY: 7, NX: 16, NY: 20}, // a torus wider than a strip of the transform, and not a multiple of it
		{DX: 5, DY: 5, NX: 30, NY: 1},
		{DX: 5, DY: 5, NX: 1, NY: 1},
	} {
		for _, v := range fieldModels {
			s, err := NewSampler(g, v)
			must.OK(t, err)
			for _, lag := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {3, 2}, {g.NX - 1, 0}, {g.NX - 1, g.NY - 1}} {
				i, j := min(lag[0], g.NX-1), min(lag[1], g.NY-1)
				sum := 0.0
				for q := range s.my {
					for p := range s.mx {
						phase := 2 * math.Pi * (float64(i*p)/float64(s.mx) + float64(j*q)/float64(s.my))
						sum += square(s.root[q*s.mx+p]) * math.Cos(phase)
					}
				}
				near(t, v.Model.String()+" lag", sum, v.Structured*v.correlationAt(math.Hypot(float64(i)*g.DX, float64(j)*g.DY)), 2*covarianceTolerance)
			}
		}
	}
}

func TestSamplerDoublesOrRefuses(t *testing.T) {
	g := surface.Grid{DX: 5, DY: 5, NX: 20, NY: 20}
	smooth := Variogram{Model: Gaussian, Structured: 1, Range: 80}
	s, err := newSampler(g, smooth, 1<<20)
	must.OK(t, err)
	if mx, my := s.mx, s.my; mx <= 40 || my <= 40 {
		t.Errorf("torus of %d × %d: a range of 80 m on 95 m cannot be embedded in twice the grid", mx, my)
	}
	_, err = newSampler(g, smooth, 2000)
	wantError(t, err, "covariances would still be wrong")
	_, err = newSampler(g, smooth, 100)
	wantError(t, err, "at most 100 in all")
}
