// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"

	"ugp_explorer/gp"
)

// Prior is a log-normal prior between hard bounds: the logarithm of the parameter is
// normal with mean log Median and standard deviation LogStdDev. The bounds serve the
// arithmetic and express no belief: they keep K̂+Λ well-conditioned and exp finite. A
// logistic map approaches them smoothly and never reaches them.
type Prior struct {
	Median, LogStdDev float64
	Min, Max          float64
}

// weightPrior is the prior of s_j/σ_f, the scale of a covariate's weight relative to the part
// of the signal that no covariate explains. It is below 0.1, where a covariate explains a
// hundredth of the variance, with probability 0.3, and above 1, where it explains half, with
// 0.15. A median of 0.1 lost gains at a correlation of 0.8; one of 0.3 made the map's error 2 %
// larger where there is none and six samples, twice as much as 0.2 did.
var weightPrior = Prior{Median: 0.2, LogStdDev: 1.5, Min: 1e-2, Max: 10}

// Config configures [Hyper].
type Config struct {
	// Kinds are the kernels to choose from. Each is fitted with the same priors, and
	// the one with the largest posterior is chosen, the earlier one if equal. If empty,
	// the kind of the start is kept.
	Kinds []gp.Kind
	// LengthScale is the prior of the length-scale, which is the same in all dimensions, in the unit
	// of the inputs.
	LengthScale Prior
	// SignalVariance and NoiseVariance are priors relative to the squared scale of the
	// values, which is the sample variance or its compromise with GuessedVariance. That of the
	// signal is for all of it, with the part that is linear in covariates.
	SignalVariance, NoiseVariance Prior
	// GuessedVariance is the variance that the values are expected to have before any
	// is known, in their squared unit; 0 means no guess. The sample variance of two to
	// four values may be close to zero by chance, and so would be everything relative to
	// it. The guess prevents that. It is a log-normal prior of the variance whose
	// logarithm has the standard deviation guessLogStdDev; the sample variance has a χ²
	// likelihood with n-1 degrees of freedom; the squared scale maximises their product.
	// Two values outvote a guess that is too low by orders of magnitude, about five
	// values one that is too high.
	GuessedVariance float64
	// Starts is the largest number of searches for each kernel, ≥ 1, and more than 3 are 3. The
	// first is from the given start, the second from the prior medians but for a length-scale on
	// the other side of its median. The third has one on the same side, and is left out if the
	// first two agree and there are 30 observations. Of 1400 fits, 164 of them with two maxima,
	// two ended in a lower one than the best of six starts.
	Starts int
	// MaxEvaluations limits the evaluations of the likelihood from each start, ≥ 1.
	MaxEvaluations int
	// MaxObservations limits the number of observations that are used, ≥ 2, because the
	// time of an evaluation grows with its cube. If there are more, pairs of consecutive
	// observations are chosen at random, equally many from every part of the sequence, so
	// that there are long and short distances between them.
	MaxObservations int
}

// DefaultConfig returns the default configuration for a prior median of the length-scale, in the
// unit of the inputs. A fifth of the field's side is a good median if nothing is known.
//
// With probability 0.95, the length-scale is within a factor of e² of its median, the signal
// variance within e² of the sample variance, and the noise variance within e³ of a tenth of the
// sample variance. Such priors are weak compared with 20 observations, but they keep 3
// observations from indicating a field of pure noise or of none. The noise variance is at least 1e-6 and the signal variance at most 100 times
// the sample variance, which bounds the condition number of K̂+Λ by 1e8·n. There is no
// guess of the variance of the values.
func DefaultConfig(lengthScale float64) Config {
	return Config{
		LengthScale:     Prior{Median: lengthScale, LogStdDev: 1, Min: lengthScale / 100, Max: 100 * lengthScale},
		SignalVariance:  Prior{Median: 1, LogStdDev: 1, Min: 1e-3, Max: 100},
		NoiseVariance:   Prior{Median: 0.1, LogStdDev: 1.5, Min: 1e-6, Max: 10},
		Starts:          3,
		MaxEvaluations:  100,
		MaxObservations: 300,
	}
}

// logDensity returns the log density of the prior at the log parameter v, ignoring the
// bounds, and its derivative.
func (p Prior) logDensity(v float64) (f, df float64) {
	r := (v - math.Log(p.Median)) / p.LogStdDev
	return -0.5*r*r - math.Log(p.LogStdDev*math.Sqrt(2*math.Pi)), -r / p.LogStdDev
}

// bounded maps t in ℝ to a log parameter between the bounds,
// v = lo + (hi - lo)/(1 + exp(-t)), and returns it and its derivative.
func (p Prior) bounded(t float64) (v, dv float64) {
	lo, hi := math.Log(p.Min), math.Log(p.Max)
	s := 1 / (1 + math.Exp(-t))
	return lo + (hi-lo)*s, (hi - lo) * s * (1 - s)
}

// bend returns the second derivative of bounded.
func (p Prior) bend(t float64) float64 {
	_, dv := p.bounded(t)
	return dv * (2/(1+math.Exp(t)) - 1)
}

// unbounded is the inverse of bounded. A v on or beyond a bound is first moved inside by
// a hundredth of the range, where the slope of the map is large enough for a search to
// leave the bound.
func (p Prior) unbounded(v float64) float64 {
	lo, hi := math.Log(p.Min), math.Log(p.Max)
	s := min(max((v-lo)/(hi-lo), 0.01), 0.99)
	return math.Log(s / (1 - s))
}
