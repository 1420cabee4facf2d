// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/gonum/stat/samplemv"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
)

// Weighted is one of several hyper-parameters. Weight is the probability that it is
// the true one.
type Weighted struct {
	Hyper  gp.Hyper
	Weight float64
}

const (
	// averageDraws is the number of draws of hyper-parameters for each kernel, or a quarter of it for
	// each kernel and correlation with a second quantity. Of 100,
	// some tens have a considerable weight with five values, about ten with thirty.
	averageDraws = 100
	// laplaceWide multiplies the standard deviations of the normal approximation, so
	// that its tails cover those of the posterior.
	laplaceWide = 1.4
)

// Average returns at most k hyper-parameters that represent their posterior, whose
// maximum best is the result of [Hyper]. They differ in what the observations leave
// uncertain. Their weights add up to 1. The method is importance sampling: quasi-random
// draws from an even mixture of the priors and the normal approximation at best
// (Laplace), weighted by the posterior over the density of the mixture, and thinned to k
// by systematic resampling in the order of the length-scale. The kernels of
// cfg.Kinds are equally likely a priori, and so are the correlations with a second quantity; the observations decide how many of the k
// belong to each. With fewer than two observations, equal values, or k < 2, the result
// is best alone. The same arguments and state of rng give the same result. The errors
// are those of Hyper.
func Average(obs []gp.Observation, best gp.Hyper, cfg Config, k int, rng *rand.Rand) ([]Weighted, error) {
	alone := []Weighted{{copied(best), 1}}
	d, err := prepare(obs, best, cfg, rng)
	if err != nil {
		return nil, err
	}
	if d.n < 2 || d.scale == 0 || k < 2 {
		return alone, nil
	}
	var draws []weightedTheta
	kinds, correlations := cfg.kinds(best), d.correlations()
	n := averageDraws
	if len(correlations) > 1 {
		n = averageDraws / 4
	}
	for _, kind := range kinds {
		for _, rho := range correlations {
			p, at := d.posterior(variant{kind, rho}, cfg), best
			if kind != best.Kind || rho != best.Correlation {
				at = p.climb(p.variables(best), cfg.MaxEvaluations).hyper
			}
			draws = p.draw(draws, at, n, rng)
		}
	}
	if len(draws) == 0 {
		return alone, nil
	}
	return thin(draws, k), nil
}

// leastWeight is the least weight of a correlation in [Correlations].
const leastWeight = 0.01

// Correlations returns the likeliest hyper-parameters for each correlation with the second quantity of best, which
// is the result of [Hyper], with the weights of their posterior densities. With many observations they stand for
// [Average], which takes longer. Without a second quantity, or where Average returns best alone, the result is that.
// The errors are those of Hyper.
func Correlations(obs []gp.Observation, best gp.Hyper, cfg Config, rng *rand.Rand) ([]Weighted, error) {
	d, err := prepare(obs, best, cfg, rng)
	if err != nil {
		return nil, err
	}
	if d.n < 2 || d.scale == 0 || d.samples.secondary == nil {
		return []Weighted{{copied(best), 1}}, nil
	}
	found := d.climbCorrelations(best, cfg)
	top := highest(found, best).value
	var all []Weighted
	sum := 0.0
	for _, s := range found {
		if w := math.Exp(s.value - top); w >= leastWeight {
			all, sum = append(all, Weighted{s.hyper, w}), sum+w
		}
	}
	for i := range all {
		all[i].Weight /= sum
	}
	return all, nil
}

// draw appends n draws from the posterior whose maximum is at best, with their log
// weights.
func (p *logPosterior) draw(draws []weightedTheta, best gp.Hyper, n int, rng *rand.Rand) []weightedTheta {
	centre := make([]float64, len(p.priors))
	for i, t := range p.variables(best) {
		centre[i], _ = p.priors[i].bounded(t)
	}
	root := p.laplace(centre)
	d := len(centre)
	u := mat.NewDense(n, d, nil)
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(d, nil), Src: rng}.Sample(u)
	for r := range n {
		z := make([]float64, d)
		for i := range z {
			z[i] = distuv.UnitNormal.Quantile(min(max(u.At(r, i), 1e-4), 1-1e-4))
		}
		theta := make([]float64, d)
		for i := range theta {
			if r%2 == 0 {
				theta[i] = math.Log(p.priors[i].Median) + p.priors[i].LogStdDev*z[i]
				continue
			}
			theta[i] = centre[i]
			for j := range i + 1 {
				theta[i] += root.At(i, j) * z[j]
			}
		}
		if log := p.density(theta) - p.proposal(theta, centre, root); log > math.Inf(-1) {
			draws = append(draws, weightedTheta{p, theta, log})
		}
	}
	return draws
}

// thin returns at most k of the draws by systematic resampling in the order of the
// length-scale.
func thin(draws []weightedTheta, k int) []Weighted {
	slices.SortStableFunc(draws, func(a, b weightedTheta) int { return cmp.Compare(a.theta[atLength], b.theta[atLength]) })
	highest := math.Inf(-1)
	for _, w := range draws {
		highest = max(highest, w.log)
	}
	sum := 0.0
	for _, w := range draws {
		sum += math.Exp(w.log - highest)
	}
	var out []Weighted
	below, next := 0.0, 0.5
	for _, w := range draws {
		below += math.Exp(w.log-highest) / sum * float64(k)
		taken := 0
		for ; next < below; next++ {
			taken++
		}
		if taken > 0 {
			at := make([]float64, len(w.theta))
			for i, v := range w.theta {
				at[i] = w.of.priors[i].unbounded(v)
			}
			w.of.eval(at)
			out = append(out, Weighted{w.of.hyper(at, w.of.m), float64(taken) / float64(k)})
		}
	}
	return out
}

// weightedTheta is a draw: log parameters and the logarithm of its weight.
type weightedTheta struct {
	of    *logPosterior
	theta []float64
	log   float64
}

// density returns the log posterior at the log parameters theta, for standardised
// values; -Inf outside the bounds.
func (p *logPosterior) density(theta []float64) float64 {
	v := 0.0
	for i, prior := range p.priors {
		if theta[i] < math.Log(prior.Min) || theta[i] > math.Log(prior.Max) {
			return math.Inf(-1)
		}
		f, _ := prior.logDensity(theta[i])
		v += f
	}
	l, _ := p.lik.eval(theta)
	return v + l
}

// proposal returns, up to a constant, the log density of the mixture that the draws come
// from.
func (p *logPosterior) proposal(theta, centre []float64, root *mat.TriDense) float64 {
	prior, laplace := 0.0, 0.0
	z := make([]float64, len(theta))
	for i, pr := range p.priors {
		r := (theta[i] - math.Log(pr.Median)) / pr.LogStdDev
		prior -= 0.5*r*r + math.Log(pr.LogStdDev)
		z[i] = theta[i] - centre[i]
		for j := range i {
			z[i] -= root.At(i, j) * z[j]
		}
		z[i] /= root.At(i, i)
		laplace -= 0.5*z[i]*z[i] + math.Log(root.At(i, i))
	}
	high := max(prior, laplace)
	return high + math.Log(math.Exp(prior-high)+math.Exp(laplace-high))
}

// laplace returns the lower Cholesky factor of the covariance of the normal
// approximation at theta, widened by laplaceWide. In directions in which the posterior
// is flatter than the priors or not concave, it has the standard deviation of the widest
// prior.
func (p *logPosterior) laplace(theta []float64) *mat.TriDense {
	const step = 1e-3 // log units: errors of the difference are 1e-6 of the curvature
	d := len(theta)
	h := mat.NewSymDense(d, nil)
	lo, hi := make([]float64, d), make([]float64, d)
	at := slices.Clone(theta)
	for i := range d {
		at[i] = theta[i] - step
		p.lik.eval(at)
		p.lik.gradient(lo)
		at[i] = theta[i] + step
		p.lik.eval(at)
		p.lik.gradient(hi)
		at[i] = theta[i]
		for j := range d {
			c := -(hi[j] - lo[j]) / (2 * step) / 2
			if !num.Finite(c) {
				c = 0
			}
			if i == j {
				c = 2*c + 1/(p.priors[i].LogStdDev*p.priors[i].LogStdDev)
				h.SetSym(i, i, h.At(i, i)+c)
				continue
			}
			h.SetSym(i, j, h.At(i, j)+c)
		}
	}
	return p.spread(h)
}

// spread returns the lower Cholesky factor of laplaceWide² times the inverse of the d × d curvature h, in which the variance
// along each axis is bounded by the widest prior. Where rounding leaves nothing to factorise, it is that of the priors.
func (p *logPosterior) spread(h *mat.SymDense) *mat.TriDense {
	widest := 0.0
	for _, prior := range p.priors {
		widest = max(widest, prior.LogStdDev)
	}
	var eigen mat.EigenSym
	var chol mat.Cholesky
	cov := mat.NewSymDense(len(p.priors), nil)
	ok := eigen.Factorize(h, true)
	if ok {
		var v mat.Dense
		eigen.VectorsTo(&v)
		for k, l := range eigen.Values(nil) {
			cov.SymRankOne(cov, laplaceWide*laplaceWide/max(l, 1/(widest*widest)), v.ColView(k))
		}
		ok = chol.Factorize(cov)
	}
	if !ok {
		cov.Zero()
		for i, prior := range p.priors {
			cov.SetSym(i, i, prior.LogStdDev*prior.LogStdDev)
		}
		chol.Factorize(cov)
	}
	var root mat.TriDense
	chol.LTo(&root)
	return &root
}
