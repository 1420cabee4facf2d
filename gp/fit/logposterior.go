// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"

	"ugp_explorer/gp"
	"ugp_explorer/gp/internal/packed"
)

// logPosterior is the function that is maximised. Its variables t are unbounded;
// Prior.bounded maps them to the parameters of the likelihood of standardised values.
type logPosterior struct {
	lik         *likelihood
	priors      []Prior // one per parameter; variances relative to the squared scale
	mean, scale float64 // of the values before they were standardised

	// At the last point.
	at, theta, slope []float64 // slope is ∂θ/∂t
	m                float64
	grad             []float64
	curvature        []float64 // an approximation of the negated Hessian, packed, positive definite
}

func newPosterior(lik *likelihood, cfg Config, mean, scale float64) *logPosterior {
	n := lik.numParams()
	p := &logPosterior{lik: lik, mean: mean, scale: scale}
	p.priors = append(p.priors, cfg.SignalVariance, cfg.LengthScale, cfg.NoiseVariance)
	for range lik.covariates {
		p.priors = append(p.priors, weightPrior)
	}
	p.theta, p.slope, p.grad, p.curvature = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, packed.Len(n))
	return p
}

// eval returns the log posterior at t, in the user's units.
func (p *logPosterior) eval(t []float64) float64 {
	p.at = append(p.at[:0], t...)
	for i, prior := range p.priors {
		p.theta[i], p.slope[i] = prior.bounded(t[i])
	}
	value, m := p.lik.eval(p.theta)
	p.m = m
	value -= float64(p.lik.n-1) * math.Log(p.scale) // density of y, without its mean, instead of y/scale
	for i, prior := range p.priors {
		f, _ := prior.logDensity(p.theta[i])
		value += f
	}
	return value
}

// derive sets grad, and curvature to those of the likelihood and of the priors,
// at the point of the last eval.
func (p *logPosterior) derive() {
	p.lik.gradient(p.grad)
	p.lik.curvature(p.curvature)
	for i, prior := range p.priors {
		_, df := prior.logDensity(p.theta[i])
		for j := range i + 1 {
			p.curvature[packed.At(i, j)] *= p.slope[i] * p.slope[j]
		}
		p.grad[i] += df
		bend := p.grad[i] * prior.bend(p.at[i]) // towards a bound
		p.curvature[packed.At(i, i)] += p.slope[i]*p.slope[i]/(prior.LogStdDev*prior.LogStdDev) + max(-bend, 0)
		p.grad[i] *= p.slope[i]
	}
}

// meanWide is the prior standard deviation of the mean in scales of the values. Predictions with it are those of the flat
// prior under which the likelihood integrates the mean out (ordinary kriging) to a hundredth, and a sparse posterior, where the mean is
// one of the weights, stays well-conditioned.
const meanWide = 10

// hyper returns the hyper-parameters at t in the user's units, with mean as the m that eval has found there.
func (p *logPosterior) hyper(t []float64, mean float64) gp.Hyper {
	theta := make([]float64, len(t))
	for i, prior := range p.priors {
		theta[i], _ = prior.bounded(t[i])
	}
	v := p.scale * p.scale
	h := gp.Hyper{
		Kind:           p.lik.kind,
		SignalVariance: v * math.Exp(theta[atSignal]),
		LengthScales:   make([]float64, p.lik.dim),
		NoiseVariance:  v * math.Exp(theta[atNoise]),
		Mean:           p.mean + p.scale*mean,
		MeanStdDev:     meanWide * p.scale,
		Covariates:     p.lik.covariates,
		Secondary:      p.lik.secondary,
		Correlation:    p.lik.correlation,
	}
	for i := range h.LengthScales {
		h.LengthScales[i] = math.Exp(theta[atLength])
	}
	whole := 1.0
	for _, r := range theta[atWeights:] {
		whole += math.Exp(2 * r)
	}
	h.SignalVariance /= whole
	for _, r := range theta[atWeights:] {
		h.Weights = append(h.Weights, math.Sqrt(h.SignalVariance)*math.Exp(r))
	}
	return h
}

// variables returns the t of h, moved inside the bounds. The length-scale is the geometric mean of
// those of h.
func (p *logPosterior) variables(h gp.Hyper) []float64 {
	v := make([]float64, len(p.priors))
	whole := h.SignalVariance
	for j, s := range h.Weights {
		whole += s * s
		v[atWeights+j] = math.Log(s) - 0.5*math.Log(h.SignalVariance)
	}
	v[atSignal] = math.Log(whole) - 2*math.Log(p.scale)
	v[atNoise] = math.Log(h.NoiseVariance) - 2*math.Log(p.scale) // -Inf for 0: at the bound
	for _, l := range h.LengthScales {
		v[atLength] += math.Log(l) / float64(p.lik.dim)
	}
	for i, prior := range p.priors {
		v[i] = prior.unbounded(v[i])
	}
	return v
}

// starts returns at most n ≤ 3 starting points: start; the prior medians, but for a length-scale that is
// a standard deviation from its median, on the other side of it than that of start; and the same
// on the other side again.
func (p *logPosterior) starts(start gp.Hyper, n int) [][]float64 {
	all := [][]float64{p.variables(start)}
	length := p.priors[atLength]
	side := length.LogStdDev
	if own, _ := length.bounded(all[0][atLength]); own >= math.Log(length.Median) {
		side = -side
	}
	for len(all) < n {
		t := make([]float64, len(p.priors))
		for i, prior := range p.priors {
			t[i] = prior.unbounded(math.Log(prior.Median))
		}
		t[atLength] = length.unbounded(math.Log(length.Median) + side)
		all, side = append(all, t), -side
	}
	return all
}
