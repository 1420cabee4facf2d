// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package plantest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
)

// Points is a space that gives quasi-random places, one per row.
type Points interface {
	Points(n int, rng *rand.Rand) *mat.Dense
}

// Rand returns the random source of a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// Rect returns the closed ring of a rectangle.
func Rect(x0, y0, x1, y1 float64) orb.Ring {
	return orb.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}
}

// Hyper holds the hyper-parameters of models of [Bumps] in the field of [Star].
var Hyper = gp.Hyper{SignalVariance: 1.5, LengthScales: []float64{14, 11}, NoiseVariance: 0.01, Mean: 0.3}

// Model returns a model of the observations of [Data].
func Model(tb testing.TB, space Points, n int, seed uint64) *gp.GP {
	tb.Helper()
	model, err := gp.New(Hyper)
	must.OK(tb, err)
	must.OK(tb, model.AddAll(Data(space, n, seed)))
	return model
}

// Data returns n noisy observations of [Bumps] in a space, each at a belief with its own
// covariance.
func Data(space Points, n int, seed uint64) []gp.Observation {
	rng := Rand(seed)
	points := space.Points(n, rng)
	obs := make([]gp.Observation, n)
	for i := range n {
		x := points.RawRowView(i)
		a, b, c := 0.2+2*rng.Float64(), 0.4*rng.Float64()-0.2, 0.2+2*rng.Float64()
		obs[i] = gp.Observation{
			Belief: gp.Belief{Mean: []float64{x[0], x[1]}, Cov: mat.NewSymDense(2, []float64{a, b, b, c})},
			Value:  Bumps(x) + 0.1*rng.NormFloat64(), NoiseVariance: 0.01 * (1 + rng.Float64()),
		}
	}
	return obs
}

// Bumps is a smooth field of hills and hollows.
func Bumps(x []float64) float64 {
	return math.Sin(x[0]/17) + math.Cos(x[1]/13) + 0.5*math.Sin((x[0]+x[1])/9)
}

// Execution is a covariance Σ̂ of the execution noise, m².
var Execution = mat.NewSymDense(2, []float64{2.5, 0.4, 0.4, 1.5})

// Predictor returns a predictor of the model for queries with the given covariance.
func Predictor(tb testing.TB, model *gp.GP, cov *mat.SymDense) *gp.Predictor {
	tb.Helper()
	p, err := model.NewPredictor(cov)
	must.OK(tb, err)
	return p
}

// Waves is a sample of a Gaussian process of zero mean and unit variance, by random Fourier
// features (Rahimi and Recht, NIPS 2007).
type Waves struct{ wx, wy, phase []float64 }

// NewWaves draws a field with the squared exponential kernel of the given length-scale, m.
// A rough field has the Matérn 3/2 kernel: its frequencies have a t-distribution with 3
// degrees of freedom.
func NewWaves(length float64, rough bool, rng *rand.Rand) *Waves {
	const n = 500
	w := &Waves{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		s := 1 / length
		if rough {
			chi2 := 0.0
			for range 3 {
				z := rng.NormFloat64()
				chi2 += z * z
			}
			s /= math.Sqrt(chi2 / 3)
		}
		w.wx[i], w.wy[i], w.phase[i] = s*rng.NormFloat64(), s*rng.NormFloat64(), 2*math.Pi*rng.Float64()
	}
	return w
}

// At returns the value at x.
func (w *Waves) At(x []float64) float64 {
	sum := 0.0
	for i := range w.wx {
		sum += math.Cos(w.wx[i]*x[0] + w.wy[i]*x[1] + w.phase[i])
	}
	return sum * math.Sqrt(2/float64(len(w.wx)))
}

// Widening is a placing whose standard deviation grows to the east.
func Widening(x []float64) gp.Belief {
	s := 1 + math.Abs(x[0])/20
	return gp.Belief{Mean: []float64{x[0] + 1, x[1]}, Cov: mat.NewSymDense(2, []float64{s * s, 0, 0, s * s})}
}

// Star is an irregular outline of 40 vertices, about 100 m across, with two
// keep-outs: a farmyard of five vertices and a pond of eight.
func Star() (boundary orb.Polygon, keepOuts []orb.Polygon) {
	const n = 40
	ring := make(orb.Ring, 0, n+1)
	for i := range n {
		a := 2 * math.Pi * float64(i) / n
		radius := 50 + 8*math.Sin(3*a) + 4*math.Cos(7*a+1) + 2*math.Sin(13*a)
		ring = append(ring, orb.Point{60 + 1.2*radius*math.Cos(a), 50 + radius*math.Sin(a)})
	}
	ring = append(ring, ring[0])
	pond := make(orb.Ring, 0, 9)
	for i := range 8 {
		a := 2 * math.Pi * float64(i) / 8
		pond = append(pond, orb.Point{80 + 9*math.Cos(a), 60 + 6*math.Sin(a)})
	}
	pond = append(pond, pond[0])
	yard := orb.Ring{{30, 30}, {48, 34}, {46, 44}, {38, 40}, {28, 46}, {30, 30}}
	return orb.Polygon{ring}, []orb.Polygon{{yard}, {pond}}
}
