// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/must"
)

// scattered returns n made-up data.
func scattered(n int, seed uint64) *PointData {
	rng := Stream(seed, "scattered")
	p := &PointData{Name: "z"}
	for range n {
		p.XY = append(p.XY, orb.Point{500 * rng.Float64(), 300 * rng.Float64()})
		p.Values = append(p.Values, 10+3*rng.NormFloat64())
	}
	return p
}

// textbook solves the ordinary kriging system in semivariances as Webster &
// Oliver print it (eq. 8.11: Γ 1; 1ᵀ 0 with the Lagrange multiplier), by LU.
func textbook(t *testing.T, p *PointData, between func(i, j int) float64, to func(i int) float64) (z float64) {
	t.Helper()
	n := len(p.Values)
	a, b := mat.NewDense(n+1, n+1, nil), mat.NewVecDense(n+1, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, between(i, j))
		}
		a.Set(i, n, 1)
		a.Set(n, i, 1)
		b.SetVec(i, to(i))
	}
	b.SetVec(n, 1)
	var x mat.VecDense
	must.OK(t, x.SolveVec(a, b))
	for i, v := range p.Values {
		z += x.AtVec(i) * v
	}
	return z
}

func TestKrigingAgainstTextbook(t *testing.T) {
	p := scattered(10, 1)
	distance := func(i int, at orb.Point) float64 { return math.Hypot(at[0]-p.XY[i][0], at[1]-p.XY[i][1]) }
	for _, v := range []Variogram{
		{Model: Spherical, Nugget: 2, Structured: 7, Range: 250},
		{Model: Exponential, Structured: 7, Range: 120},
		{Model: Matern52, Nugget: 1, Structured: 7, Range: 60},
	} {
		for _, micro := range []float64{0, 150} {
			// The quantity's own semivariance, with the nugget as a spherical
			// structure where the micro range is not 0.
			own := func(h float64) float64 {
				if micro == 0 || h == 0 {
					return v.semivariance(h)
				}
				u := min(h/micro, 1)
				return v.semivariance(h) - v.Nugget + v.Nugget*(1.5*u-0.5*u*u*u)
			}
			// Filtered kriging (Cressie, section 3.2.1): towards the noise-free
			// value even a datum at the same place is a nugget away.
			filtered := func(h float64) float64 { return v.Nugget + v.Structured*(1-v.correlationAt(h)) }
			k, err := newKriger(p, v, micro)
			must.OK(t, err)
			places := []orb.Point{{100, 100}, {250, 10}, {-300, 900}, p.XY[3], p.XY[7], {p.XY[2][0] + 20, p.XY[2][1]}}
			for _, at := range places {
				wantZ := textbook(t, p, func(i, j int) float64 { return own(distance(i, p.XY[j])) }, func(i int) float64 { return own(distance(i, at)) })
				wantF := textbook(t, p, func(i, j int) float64 { return v.semivariance(distance(i, p.XY[j])) }, func(i int) float64 { return filtered(distance(i, at)) })
				z, f := k.predict(at[0], at[1])
				near(t, v.Model.String()+" value", z, wantZ, 1e-10)
				near(t, v.Model.String()+" smooth", f, wantF, 1e-10)
			}
		}
	}
}

func TestKrigingErrors(t *testing.T) {
	_, err := newKriger(scattered(60, 3), Variogram{Model: Gaussian, Structured: 1, Range: 400}, 0)
	wantError(t, err, "ill-conditioned (condition number")
	coincident := &PointData{XY: []orb.Point{{1, 1}, {1, 1}}, Values: []float64{1, 2}} // singular on every processor
	_, err = newKriger(coincident, Variogram{Structured: 1, Range: 400}, 0)
	wantError(t, err, "ill-conditioned (condition number +Inf")
}

func TestFieldFromPoints(t *testing.T) {
	// A smooth hill sampled on a lattice comes back between the samples.
	hill := func(x, y float64) float64 { return 5 * math.Exp(-(square(x-200)+square(y-150))/(2*square(90))) }
	p := &PointData{Name: "z", Units: "u"}
	for j := range 8 {
		for i := range 10 {
			x, y := 40*float64(i), 40*float64(j)
			p.XY, p.Values = append(p.XY, orb.Point{x, y}), append(p.Values, hill(x, y))
		}
	}
	o, err := Outline(p)
	must.OK(t, err)
	f, err := FieldFromPoints(p, o)
	must.OK(t, err)
	for i, at := range p.XY {
		near(t, "datum", f.Value(at[0], at[1]), p.Values[i], 1e-9)
	}
	for _, at := range [][2]float64{{180, 140}, {100, 100}, {220, 60}} {
		near(t, "between", f.Value(at[0], at[1]), hill(at[0], at[1]), 0.25)
	}
	_, err = FieldFromPoints(p, nil)
	wantError(t, err, "outline")
	_, err = FieldFromPoints(scattered(3, 1), o)
	wantError(t, err, "its 3 points do not show how values vary with distance")
	_, err = FieldFromPoints(scattered(1, 1), o)
	wantError(t, err, "1 points")
}
