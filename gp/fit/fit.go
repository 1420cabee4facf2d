// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/num"
)

// Hyper returns the hyper-parameters, including the constant mean, that maximise their
// posterior given obs and the priors of cfg: the log restricted likelihood, in which the
// mean is integrated out under a flat prior, plus the log priors (R&W sections 2.7 and
// 5.4.1). The mean is then its expected value. It searches in log space from
// start, where the last fit ended, and from others, see Config.Starts. If there are more than
// cfg.MaxObservations observations, a random choice of that size is used. cfg must be valid. The kernel is
// that of start unless cfg names Kinds. The covariates and
// the second quantity are those of start; its correlation with the field is the likeliest of a few numbers. The unit of the values, which is also that of
// GuessedVariance, does not affect the result. The same arguments and state of rng give
// the same result. The searches run on at most GOMAXPROCS goroutines, which have ended
// when Hyper returns.
//
// The values are standardised by their sample mean and their scale. The scale is the
// sample standard deviation, or a compromise between that and cfg.GuessedVariance. With a guess, observations at the same place
// count once: they say nothing about the field elsewhere, and if all are at the same place, the scale is the guess.
//
// The variance of f within the belief of an observation with OnePlace is that under start, so it is noise of a known size. A likelihood that
// had it as a function of the hyper-parameters would explain values that are more alike than their beliefs say, as errors that samples share
// or that are overstated make them, by a field that is too smooth.
//
// Fewer than two observations give no scale, nor do equal values (a standard deviation
// of at most 1e-12 of the largest value). Then start is returned, with the equal values as
// its mean; also where no starting point has a finite posterior and gradient. An
// error means bad observations or a bad start, and start is returned unchanged.
func Hyper(obs []gp.Observation, start gp.Hyper, cfg Config, rng *rand.Rand) (gp.Hyper, error) {
	if err := start.Validate(); err != nil {
		return start, fmt.Errorf("fit: start: %w", err)
	}
	d, err := prepare(obs, start, cfg, rng)
	if err != nil {
		return start, err
	}
	best := copied(start)
	switch {
	case d.n < 2:
		return best, nil
	case d.scale == 0:
		best.Mean = d.mean
		return best, nil
	}
	kinds, starts := cfg.kinds(start), d.posterior(variant{kind: start.Kind}, cfg).starts(start, min(cfg.Starts, 3))
	var from []climbStart
	for _, kind := range kinds {
		for _, t := range starts[:min(len(starts), 2)] {
			from = append(from, climbStart{variant{kind: kind}, t})
		}
	}
	found := d.climbAll(from, cfg)
	if len(starts) == 3 {
		from = from[:0]
		for i, kind := range kinds {
			if d.n < fewSamples || !(math.Abs(found[2*i].value-found[2*i+1].value) < sameSummit) {
				from = append(from, climbStart{variant{kind: kind}, starts[2]})
			}
		}
		found = append(found, d.climbAll(from, cfg)...)
	}
	best = highest(found, best).hyper
	if d.samples.secondary != nil {
		best = highest(d.climbCorrelations(best, cfg), best).hyper
	}
	return best, nil
}

// climbCorrelations returns the summit for each correlation with the second quantity, from best.
func (d *data) climbCorrelations(best gp.Hyper, cfg Config) []summit {
	t := d.posterior(variant{kind: best.Kind}, cfg).variables(best)
	var from []climbStart
	for _, rho := range d.correlations() {
		from = append(from, climbStart{variant{best.Kind, rho}, t})
	}
	return d.climbAll(from, cfg)
}

// highest returns the highest of the summits, the first of equal ones; otherwise, at -Inf, where none was reached.
func highest(found []summit, otherwise gp.Hyper) summit {
	best := summit{otherwise, math.Inf(-1)}
	for _, s := range found {
		if s.value > best.value {
			best = s
		}
	}
	return best
}

// Searches from both sides of the median length-scale find both explanations of the values that a
// posterior may have: a rough field, and a smooth one with noise. A third search follows if there
// are fewer than fewSamples observations, or the results of the first two differ by sameSummit, in nats.
const fewSamples, sameSummit = 30, 0.01

// copied returns a deep copy of h.
func copied(h gp.Hyper) gp.Hyper {
	h.LengthScales, h.Weights = slices.Clone(h.LengthScales), slices.Clone(h.Weights)
	return h
}

// data are observations that are prepared for a fit: not too many, and standardised.
type data struct {
	n           int
	samples     *samples // nil if n < 2 or scale is 0
	mean, scale float64  // of the values; see standardise
}

// prepare checks the observations, chooses cfg.MaxObservations of them if there are more,
// and standardises them.
func prepare(obs []gp.Observation, start gp.Hyper, cfg Config, rng *rand.Rand) (d data, err error) {
	dim := len(start.LengthScales)
	for i, o := range obs {
		if err := o.Validate(dim); err != nil {
			return d, fmt.Errorf("fit: observation %d of %d: %w", i, len(obs), err)
		}
	}
	if len(obs) > cfg.MaxObservations {
		obs = choose(obs, cfg.MaxObservations, rng)
	}
	scaled, mean, scale, err := standardise(obs, cfg)
	for i, o := range scaled {
		if o.OnePlace {
			scaled[i].NoiseVariance += start.Spread(o.Belief) / scale / scale
		}
	}
	d = data{n: len(obs), mean: mean, scale: scale}
	if len(scaled) > 0 {
		d.samples = newSamples(scaled, dim, start.Covariates)
		if start.Secondary != nil {
			d.samples.hear(start.Secondary, scaled)
		}
	}
	return d, err
}

// variant has the parameters that are not searched: each kernel, and each of some correlations ρ with the second quantity, is tried.
type variant struct {
	kind        gp.Kind
	correlation float64
}

// posterior returns the posterior of the hyper-parameters of a variant.
func (d *data) posterior(v variant, cfg Config) *logPosterior {
	l := newLikelihood(v.kind, d.samples)
	l.correlation = v.correlation
	return newPosterior(l, cfg, d.mean, d.scale)
}

// correlations returns those with the second quantity that are tried, which are equally likely a priori. Their
// largest leaves a quarter of the variance to what the second quantity does not know.
func (d *data) correlations() []float64 {
	if d.samples.secondary == nil {
		return []float64{0}
	}
	return []float64{0, 0.3, -0.3, 0.5, -0.5, 0.7, -0.7, 0.85, -0.85}
}

// kinds returns the kernels to choose from: that of h unless the configuration names others.
func (c *Config) kinds(h gp.Hyper) []gp.Kind {
	if len(c.Kinds) == 0 {
		return []gp.Kind{h.Kind}
	}
	return c.Kinds
}

// choose returns n of the observations in their order: a random pair of neighbours from
// each of n/2 parts of equal length.
func choose(obs []gp.Observation, n int, rng *rand.Rand) []gp.Observation {
	chosen := make([]gp.Observation, 0, n)
	for part := range n / 2 {
		from, to := part*len(obs)/(n/2), (part+1)*len(obs)/(n/2)
		at := from + rng.IntN(to-from-1)
		chosen = append(chosen, obs[at:at+2]...)
	}
	return chosen
}

// climbStart is a starting point of a search.
type climbStart struct {
	of variant
	t  []float64
}

// summit is where a search ended: hyper-parameters in the user's units, and their log posterior,
// -Inf if there was no search.
type summit struct {
	hyper gp.Hyper
	value float64
}

// climbAll searches from all starting points on all processors and returns the results
// in the order of the starting points. Each search depends only on its start, so the
// result is the same for any number of processors.
func (d *data) climbAll(from []climbStart, cfg Config) []summit {
	all := make([]summit, len(from))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(from)) {
		workers.Go(func() {
			var p *logPosterior
			for i := int(next.Add(1)) - 1; i < len(from); i = int(next.Add(1)) - 1 {
				if p == nil {
					p = d.posterior(from[i].of, cfg)
				}
				p.lik.kind, p.lik.correlation = from[i].of.kind, from[i].of.correlation
				all[i] = p.climb(from[i].t, cfg.MaxEvaluations)
			}
		})
	}
	workers.Wait()
	return all
}

// standardise returns obs with the mean subtracted from the values, values divided by
// their scale and noise variances by its square; and the mean and the scale. The scale
// is 0 if the values are equal up to rounding.
func standardise(obs []gp.Observation, cfg Config) (scaled []gp.Observation, mean, scale float64, err error) {
	y := make([]float64, len(obs))
	largest := 0.0
	for i, o := range obs {
		y[i] = o.Value
		largest = max(largest, math.Abs(o.Value))
	}
	if len(obs) < 2 {
		return nil, 0, 0, nil
	}
	mean, sd := stat.MeanStdDev(y, nil)
	if !num.Finite(mean) || !num.Finite(sd) {
		return nil, 0, 0, fmt.Errorf("%w: values up to %g are too large to have a finite variance", gp.ErrObservation, largest)
	}
	if sd <= 1e-12*largest {
		return nil, mean, 0, nil
	}
	scale = sd
	if cfg.GuessedVariance > 0 {
		switch places := placeMeans(obs, cfg.LengthScale.Min); len(places) {
		case len(obs):
			scale = cfg.scale(sd, len(obs))
		case 1:
			scale = math.Sqrt(cfg.GuessedVariance)
		default: // the means of places that chance made equal leave the least scale of this number
			scale = cfg.scale(max(stat.StdDev(places, nil), 1e-12*largest), len(places))
		}
	}
	scaled = make([]gp.Observation, len(obs))
	for i, o := range obs {
		o.Value, o.NoiseVariance = (o.Value-mean)/scale, o.NoiseVariance/scale/scale
		scaled[i] = o
	}
	return scaled, mean, scale, nil
}

// placeMeans returns the mean of the values at each place. Two observations are of one place if their distance is within the
// uncertainty of their beliefs, or within apart, a distance over which even the roughest possible field hardly varies.
func placeMeans(obs []gp.Observation, apart float64) (means []float64) {
	var first, n []int // index of the first observation of each place, and their number
next:
	for i, o := range obs {
		for k, f := range first {
			d := floats.Distance(obs[f].Belief.Mean, o.Belief.Mean, 2)
			if d*d < apart*apart+axisVariance(obs[f].Belief)+axisVariance(o.Belief) {
				n[k]++
				means[k] += (o.Value - means[k]) / float64(n[k])
				continue next
			}
		}
		first, n, means = append(first, i), append(n, 1), append(means, o.Value)
	}
	return means
}

// axisVariance returns the variance of a belief along an axis, the mean of all.
func axisVariance(b gp.Belief) float64 {
	if b.Cov == nil {
		return 0
	}
	return mat.Trace(b.Cov) / float64(len(b.Mean))
}

// enoughGain ends a search where a step is expected to gain less, in nats; no decision depends on
// it. A step changes no variable by more than longestStep, which is a factor of about ten.
const enoughGain, longestStep = 1e-6, 1

// climb maximises the posterior from t, with Newton's method in which the average information
// stands for the Hessian. It usually takes about eight evaluations. There is no search where the
// posterior or its gradient is not finite.
func (p *logPosterior) climb(t []float64, maxEvaluations int) summit {
	at, next, step, bend := slices.Clone(t), make([]float64, len(t)), make([]float64, len(t)), make([]float64, len(t))
	value, mean := p.eval(at), p.m
	for evaluations := 1; ; {
		p.derive()
		if !num.Finite(value) || !num.Finite(floats.Norm(p.grad, 1)) {
			return summit{p.hyper(at, mean), math.Inf(-1)}
		}
		if evaluations > 1 {
			floats.Sub(bend, p.grad) // what the last step changed
			p.secant(step, bend)
		}
		copy(bend, p.grad)
		rise, better := p.newton(step), false
		for 0.5*rise >= enoughGain && evaluations < maxEvaluations {
			floats.AddTo(next, at, step)
			v := p.eval(next)
			evaluations++
			if better = v > value+1e-4*rise; better {
				value, mean = v, p.m
				copy(at, next)
				break
			}
			// The top of the parabola through both values, with the slope here.
			shorter := 0.25
			if num.Finite(v) {
				shorter = min(max(0.5*rise/(rise-(v-value)), 0.1), 0.5)
			}
			floats.Scale(shorter, step)
			rise *= shorter
		}
		if !better || evaluations == maxEvaluations {
			return summit{p.hyper(at, mean), value}
		}
	}
}

// secant corrects the curvature along the last step to the measured one. bend is the gradient at the start of the step
// less that at its end (the update of BFGS; Nocedal and Wright, Numerical Optimization, Eq. 6.19).
func (p *logPosterior) secant(step, bend []float64) {
	found, expected := floats.Dot(step, bend), 0.0
	if !(found > 0) {
		return
	}
	curved := make([]float64, len(step))
	for i := range step {
		for j, s := range step {
			curved[i] += p.curvature[packed.At(max(i, j), min(i, j))] * s
		}
		expected += step[i] * curved[i]
	}
	for i := range step {
		for j := range i + 1 {
			p.curvature[packed.At(i, j)] += bend[i]*bend[j]/found - curved[i]*curved[j]/expected
		}
	}
}

// newton sets step to that of Newton's method and returns by how much the posterior would rise along
// it if it were linear. A step that is too long is shortened by a curvature that is larger by the
// same number in all variables, and so mostly where the posterior is flat (Levenberg 1944).
func (p *logPosterior) newton(step []float64) (rise float64) {
	root := packed.Triangle{N: len(step), A: make([]float64, len(p.curvature))}
	for more := 0.0; ; more = max(2*more, 0.1) {
		copy(root.A, p.curvature)
		for i := range step {
			root.Row(i)[i] += more
		}
		packed.Cholesky(root.A, root.N)
		copy(step, p.grad)
		root.Forward(step)
		root.Backward(step)
		if floats.Norm(step, math.Inf(1)) <= longestStep || math.IsInf(more, 1) {
			return floats.Dot(p.grad, step)
		}
	}
}
