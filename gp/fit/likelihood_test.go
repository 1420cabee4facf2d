// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// hyperAt returns the hyper-parameters that theta stands for.
func hyperAt(kind gp.Kind, theta []float64, d int, covariates ...gp.Covariate) gp.Hyper {
	h := gp.Hyper{Kind: kind, SignalVariance: math.Exp(theta[0]), NoiseVariance: math.Exp(theta[2])}
	for range d {
		h.LengthScales = append(h.LengthScales, math.Exp(theta[1]))
	}
	h.Covariates = covariates
	for _, r := range theta[3:] {
		h.Weights = append(h.Weights, math.Exp(r))
	}
	h.SignalVariance /= 1 + floats.Dot(h.Weights, h.Weights)
	floats.Scale(math.Sqrt(h.SignalVariance), h.Weights)
	return h
}

// restricted is the log restricted likelihood, and the GLS mean, by R&W Alg. 2.1: the
// likelihood as a function of the mean is a bell around that mean, of variance 1 / 1ᵀK⁻¹1.
func restricted(tb testing.TB, h gp.Hyper, obs []gp.Observation) (logLikelihood, mean float64) {
	mean, information := newNaiveGP(tb, h, obs).glsMean()
	h.Mean = mean
	return newNaiveGP(tb, h, obs).logLikelihood() + 0.5*math.Log(2*math.Pi/information), mean
}

// glsMean is 1ᵀK⁻¹y / 1ᵀK⁻¹1, and that denominator.
func (g *naiveGP) glsMean() (mean, information float64) {
	n := len(g.obs)
	one, y, s := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i, o := range g.obs {
		one.SetVec(i, 1)
		y.SetVec(i, o.Value)
	}
	if err := g.chol.SolveVecTo(s, one); err != nil {
		panic(err)
	}
	return mat.Dot(s, y) / mat.Dot(s, one), mat.Dot(s, one)
}

// TestLikelihoodIntegratesMean: the restricted likelihood is the integral of the posterior's
// own likelihood over the mean.
func TestLikelihoodIntegratesMean(t *testing.T) {
	obs, theta := randomObservations(gptest.Rand(42), 9, 2), []float64{0.3, -0.2, -1}
	l := newLikelihood(gp.Matern32, newSamples(obs, 2, nil))
	got, centre := l.eval(theta)
	h := hyperAt(gp.Matern32, theta, 2)
	integral := quad.Fixed(func(mean float64) float64 {
		h.Mean = mean
		return math.Exp(mustGP(t, h, obs).LogMarginalLikelihood() - got)
	}, centre-10, centre+10, 200, nil, 0)
	gptest.Near(t, "integral over the mean, relative", integral, 1, 1e-9)
}

// TestLikelihood compares value, mean and gradient with those of [restricted] and its finite
// differences, in which the mean is estimated again at every point.
func TestLikelihood(t *testing.T) {
	rng := gptest.Rand(40)
	for d := 1; d <= 4; d++ {
		for _, n := range []int{1, 2, 25} {
			kind := gp.Kind((d + n) % len(gp.Kinds())) // each kind with each size in some dimension
			t.Run(fmt.Sprintf("d=%d n=%d %v", d, n, kind), func(t *testing.T) {
				obs := randomObservations(rng, n, d)
				var covariates []gp.Covariate
				if d == 2 {
					covariates = []gp.Covariate{gptest.Wave{A: 1, B: 2, Phase: 0}, gptest.Wave{A: -2, B: 1, Phase: 1}}[:n%3]
				}
				l := newLikelihood(kind, newSamples(obs, d, covariates))
				theta := make([]float64, l.numParams())
				for i := range theta {
					theta[i] = rng.Float64() - 0.5
				}
				theta[atNoise] -= 2
				grad := make([]float64, len(theta))
				got, mean := l.eval(theta)
				l.gradient(grad)
				want, wantMean := restricted(t, hyperAt(kind, theta, d, covariates...), obs)
				gptest.Near(t, "log likelihood", got, want, 1e-11)
				gptest.Near(t, "mean", mean, wantMean, 1e-11)
				wantGrad := fd.Gradient(nil, func(theta []float64) float64 {
					v, _ := restricted(t, hyperAt(kind, theta, d, covariates...), obs)
					return v
				}, theta, &fd.Settings{Formula: fd.Central})
				for i := range grad {
					gptest.Near(t, fmt.Sprintf("gradient[%d]", i), grad[i], wantGrad[i], 1e-6)
				}
				if n == 1 { // no residual
					return
				}
				curvature := make([]float64, packed.Len(len(theta)))
				l.curvature(curvature)
				wantCurvature := averageInformation(t, theta, func(theta []float64) *naiveGP {
					h := hyperAt(kind, theta, d, covariates...)
					h.Mean = mean
					return newNaiveGP(t, h, obs)
				})
				for i := range curvature {
					gptest.Near(t, fmt.Sprintf("curvature[%d]", i), curvature[i], wantCurvature[i], 1e-6)
				}
			})
		}
	}
}

// averageInformation is ½ (y-m)ᵀK⁻¹K_i' P K_j'K⁻¹(y-m) · (n-1) / (y-m)ᵀK⁻¹(y-m), packed, with differences of K for its
// derivatives.
func averageInformation(tb testing.TB, theta []float64, at func(theta []float64) *naiveGP) (a []float64) {
	tb.Helper()
	const step = 1e-5
	here := at(theta)
	n := len(here.obs)
	one, u := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		one.SetVec(i, 1)
	}
	must.OK(tb, here.chol.SolveVecTo(u, one))
	scale := 0.5 * float64(n-1) / mat.Dot(here.resid, here.alpha)
	var moves []*mat.VecDense
	for i := range theta {
		up, down := slices.Clone(theta), slices.Clone(theta)
		up[i], down[i] = up[i]+step, down[i]-step
		var slope mat.Dense
		slope.Sub(at(up).k, at(down).k)
		slope.Scale(0.5/step, &slope)
		move, solved := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		move.MulVec(&slope, here.alpha)
		moves = append(moves, move)
		must.OK(tb, here.chol.SolveVecTo(solved, move))
		for _, other := range moves {
			a = append(a, scale*(mat.Dot(solved, other)-mat.Dot(u, move)*mat.Dot(u, other)/mat.Dot(u, one)))
		}
	}
	return a
}

// TestLikelihoodAllocates: an evaluation allocates nothing, in the plane and elsewhere.
func TestLikelihoodAllocates(t *testing.T) {
	rng := gptest.Rand(43)
	for d := 1; d <= 4; d++ {
		l := newLikelihood(gp.Kind(d), newSamples(randomObservations(rng, 20, d), d, nil))
		theta, grad, curvature := []float64{0.3, -0.2, -1}, make([]float64, 3), make([]float64, 6)
		if n := testing.AllocsPerRun(10, func() { l.eval(theta); l.gradient(grad); l.curvature(curvature) }); n != 0 {
			t.Errorf("%d dimensions: %g allocations", d, n)
		}
	}
}

// TestLikelihoodAslant: a line, plane or space that lies aslant in one of another dimension, with beliefs that are
// singular there, has the same likelihood and gradient.
func TestLikelihoodAslant(t *testing.T) {
	rng := gptest.Rand(44)
	for d := 1; d <= 3; d++ {
		for _, kind := range gp.Kinds() {
			obs := randomObservations(rng, 15, d)
			aslant := gptest.Rotation(rng, d+1).Slice(0, d+1, 0, d)
			seen := slices.Clone(obs)
			for i, o := range obs {
				seen[i].Belief.Mean, seen[i].Belief.Cov = gptest.Mapped(aslant, o.Belief.Mean, o.Belief.Cov)
			}
			theta, grad, other := []float64{0.3, -0.2, -1}, make([]float64, 3), make([]float64, 3)
			l, aslantL := newLikelihood(kind, newSamples(obs, d, nil)), newLikelihood(kind, newSamples(seen, d+1, nil))
			want, wantMean := l.eval(theta)
			got, mean := aslantL.eval(theta)
			l.gradient(grad)
			aslantL.gradient(other)
			gptest.Near(t, "log likelihood", got, want, 1e-10)
			gptest.Near(t, "mean", mean, wantMean, 1e-10)
			for i := range grad {
				gptest.Near(t, "gradient", other[i], grad[i], 1e-9)
			}
		}
	}
}

// TestLikelihoodSingular: two noiseless observations of one place.
func TestLikelihoodSingular(t *testing.T) {
	l := newLikelihood(gp.SquaredExponential, newSamples([]gp.Observation{{Belief: gp.Point(0), Value: 1}, {Belief: gp.Point(0), Value: 2}}, 1, nil))
	grad := make([]float64, 3)
	v, _ := l.eval([]float64{0, 0, -80})
	l.gradient(grad)
	if !math.IsInf(v, -1) || !math.IsNaN(grad[0]) {
		t.Errorf("got %g with gradient %v, want -Inf with NaN", v, grad)
	}
	v, _ = l.eval([]float64{0, 0, -3})
	if l.gradient(grad); !num.Finite(v) || !num.Finite(grad[0]) {
		t.Errorf("with noise: got %g with gradient %v", v, grad)
	}
}
