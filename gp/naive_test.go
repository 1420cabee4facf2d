// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
)

// This file holds what the tests compare with: the equations written out with
// gonum's general matrices.

func denseCov(b Belief) *mat.Dense {
	d := len(b.Mean)
	s := mat.NewDense(d, d, nil)
	if b.Cov != nil {
		s.Copy(b.Cov)
	}
	return s
}

// naiveCov is the kernel, by its equation, the mean, and the covariates.
func naiveCov(h Hyper, p, q Belief) float64 {
	sum := h.MeanStdDev * h.MeanStdDev
	for _, c := range h.Kind.mixture() {
		scaled := make([]float64, len(h.LengthScales))
		floats.ScaleTo(scaled, c.Scale, h.LengthScales)
		sum += h.SignalVariance * c.Weight * gptest.Expected(scaled, p.Mean, q.Mean, p.Cov, q.Cov)
	}
	for j, s := range h.Weights {
		sum += s * s * naiveMean(h.Covariates[j], p) * naiveMean(h.Covariates[j], q)
	}
	return sum
}

// naiveMean is the mean of a covariate over a belief.
func naiveMean(c Covariate, b Belief) float64 {
	s := denseCov(b)
	v, _, _ := c.Mean(b.Mean[0], b.Mean[1], [3]float64{s.At(0, 0), s.At(0, 1), s.At(1, 1)})
	return v
}

// naiveNoise is by how much the variance of an observation exceeds that of f̂.
func naiveNoise(h Hyper, o Observation) float64 {
	noise := h.NoiseVariance + o.NoiseVariance
	if o.OnePlace {
		noise += h.Spread(o.Belief)
	}
	return noise
}

// naiveGP is R&W Alg. 2.1 on the full matrix, for residuals y - m.
type naiveGP struct {
	h     Hyper
	obs   []Observation
	k     *mat.SymDense // K̂+Λ
	chol  mat.Cholesky
	alpha *mat.VecDense
	resid *mat.VecDense
}

func newNaiveGP(tb testing.TB, h Hyper, obs []Observation) *naiveGP {
	tb.Helper()
	n := len(obs)
	g := &naiveGP{h: h, obs: obs, k: mat.NewSymDense(n, nil), alpha: mat.NewVecDense(n, nil), resid: mat.NewVecDense(n, nil)}
	for i, o := range obs {
		for j := range i + 1 {
			g.k.SetSym(i, j, naiveCov(h, o.Belief, obs[j].Belief))
		}
		g.k.SetSym(i, i, g.k.At(i, i)+naiveNoise(h, o))
		g.resid.SetVec(i, o.Value-h.Mean)
	}
	if !g.chol.Factorize(g.k) { // line 2
		tb.Fatal("naive Cholesky failed")
	}
	if err := g.chol.SolveVecTo(g.alpha, g.resid); err != nil { // line 3
		tb.Fatal(err)
	}
	return g
}

func (g *naiveGP) cross(b Belief) *mat.VecDense {
	k := mat.NewVecDense(len(g.obs), nil)
	for i, o := range g.obs {
		k.SetVec(i, naiveCov(g.h, b, o.Belief))
	}
	return k
}

// covariance is Eq. posterior_kp.
func (g *naiveGP) covariance(p, q Belief) float64 {
	v := mat.NewVecDense(len(g.obs), nil)
	if err := g.chol.SolveVecTo(v, g.cross(q)); err != nil {
		panic(err)
	}
	return naiveCov(g.h, p, q) - mat.Dot(g.cross(p), v)
}

// posterior is lines 4 to 6.
func (g *naiveGP) posterior(b Belief) (mean, variance float64) {
	return g.h.Mean + mat.Dot(g.cross(b), g.alpha), g.covariance(b, b)
}

// logLikelihood is line 7.
func (g *naiveGP) logLikelihood() float64 {
	return -0.5*mat.Dot(g.resid, g.alpha) - 0.5*g.chol.LogDet() - 0.5*float64(len(g.obs))*math.Log(2*math.Pi)
}

func randomBelief(rng *rand.Rand, d int) Belief {
	return Belief{Mean: gptest.Vec(rng, d, 3), Cov: gptest.Cov(rng, d, 0.8)}
}

// randomHyper returns hyper-parameters of a random kind.
func randomHyper(rng *rand.Rand, d int) Hyper {
	h := Hyper{SignalVariance: 0.5 + 2*rng.Float64(), NoiseVariance: 0.01 + 0.2*rng.Float64(), Mean: rng.NormFloat64()}
	for range d {
		h.LengthScales = append(h.LengthScales, 0.6+1.5*rng.Float64())
	}
	h.Kind = Kind(rng.IntN(len(kindNames)))
	if rng.IntN(2) == 0 {
		h.MeanStdDev = 2 * rng.Float64()
	}
	return h
}

// randomObservations returns values of means over beliefs and of single places.
func randomObservations(rng *rand.Rand, n, d int) []Observation {
	obs := make([]Observation, n)
	for i := range obs {
		obs[i] = Observation{Belief: randomBelief(rng, d), Value: 2 * rng.NormFloat64(), NoiseVariance: 0.1 * rng.Float64(), OnePlace: i%2 == 0}
	}
	return obs
}
