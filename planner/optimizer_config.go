// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"math"
	"math/rand/v2"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/execution"
)

// ModelConfig says what the hyper-parameters are at first and whether they are learnt.
// Values are in model units.
type ModelConfig struct {
	Fit           bool
	Kinds         []gp.Kind // kernels that the fit chooses from; the first is that of the model before
	SignalStdDev  float64
	LengthScale   float64 // m, > 0
	NoiseStdDev   float64
	Mean          float64    // used only without a fit
	Start         *gp.Hyper  // the hyper-parameters at first, instead of those that the fields above describe; Prior is then used as it is
	Average       int        // number of hyper-parameters that decisions are averaged over; 1: those of the fit
	ExactLimit    int        // number of samples beyond which the posterior is sparse
	Prior         fit.Config // priors for a field with its length-scale; they are scaled to LengthScale
	FitEveryTenth bool       // fit only when a tenth of the samples is new, however few there are
	OnePlace      bool       // the value of a sample at a stop is that of one place in its belief, see [gp.Observation]; else the mean over it, as in the paper

	Covariates []gp.Covariate // rasters, whose weights are learnt with the other hyper-parameters
}

// hyper returns the hyper-parameters at first, in dim dimensions.
func (c *ModelConfig) hyper(dim int) gp.Hyper {
	if c.Start != nil {
		return *c.Start
	}
	h := gp.Hyper{
		Kind:           c.Kinds[0],
		SignalVariance: c.SignalStdDev * c.SignalStdDev,
		LengthScales:   make([]float64, dim),
		NoiseVariance:  c.NoiseStdDev * c.NoiseStdDev,
		Mean:           c.Mean,
	}
	for i := range h.LengthScales {
		h.LengthScales[i] = c.LengthScale
	}
	c.addCovariates(&h)
	return h
}

// weightAtFirst is the standard deviation of a covariate's weight before anything is learnt, in those
// of the signal: the median of the fit's prior.
const weightAtFirst = 0.2

// addCovariates gives the covariates to hyper-parameters, with the weights at first if they have none.
func (c *ModelConfig) addCovariates(h *gp.Hyper) {
	h.Covariates = c.Covariates
	for len(h.Weights) < len(h.Covariates) {
		h.Weights = append(h.Weights, weightAtFirst*math.Sqrt(h.SignalVariance))
	}
}

// fitting returns the configuration of the fits.
func (c *ModelConfig) fitting() fit.Config {
	f := c.Prior
	f.Kinds = c.Kinds
	if c.Start == nil {
		length := &f.LengthScale
		length.Min, length.Max = length.Min/length.Median*c.LengthScale, length.Max/length.Median*c.LengthScale
		length.Median = c.LengthScale
		f.GuessedVariance = c.SignalStdDev * c.SignalStdDev
	}
	return f
}

// Stream is one of the sequences of random numbers that an [Optimizer] uses. Each begins
// again at every step, so that the numbers of a step do not depend on how many were drawn
// before.
type Stream int

// The streams. Their numbers are part of what makes a mission reproducible.
const (
	StreamStrategy  Stream = 0
	streamFit       Stream = 1
	StreamSearch    Stream = 2
	StreamRecommend Stream = 4
	streamAverage   Stream = 5
	streamRough     Stream = 6
	streamSecondary Stream = 7
)

// Seeded returns an [OptimizerConfig.Random] for a seed.
func Seeded(seed int64) func(Stream, int) *rand.Rand {
	return func(s Stream, step int) *rand.Rand {
		return rand.New(rand.NewPCG(uint64(seed), uint64(s)<<32|uint64(step)))
	}
}

// OptimizerConfig is the configuration of an [Optimizer].
type OptimizerConfig struct {
	Catalogue      Catalogue
	Method         string // name of a method of the catalogue
	Strategy       StrategyConfig
	ExecutionNoise execution.NoiseConfig
	Model          ModelConfig
	Random         func(Stream, int) *rand.Rand // the random numbers of a step

	// RecommendLast leaves the recommendation and the rough model out where a next target is found. The targets stay the
	// same, in a quarter to half less time: for simulated missions of which only the end counts.
	RecommendLast bool
}

// averageMost is the number of samples up to which decisions are averaged over
// hyper-parameters, and fits choose the kernel. The time for that grows with the square and
// the cube of the number, and with many samples the hyper-parameters are well known.
const averageMost = 60

// moreToFit is the share of new samples after which there is another fit when there are
// many.
const moreToFit = 0.1

// Where [ModelConfig.averagesKernels], a model with the roughest kernel has this weight in
// recommendations and maps. A smooth kernel rounds the maximum of a rough field off and recommends a
// place beside it; the roughest alone follows the noise of single samples. Their mean
// recommends places as good as those of the true kernel (BENCHMARKS.md).
const (
	roughest    = gp.Matern12
	roughWeight = 0.5
)

// averagesKernels reports whether recommendations and maps after n samples average over kernels: the
// kernel is learnt, averages are wanted, and there are no more samples than are fitted after
// each of them.
func (c *ModelConfig) averagesKernels(n int) bool {
	return c.Fit && !c.FitEveryTenth && c.Average > 1 && len(c.Kinds) > 1 && n >= 2 && n <= c.Prior.MaxObservations
}

// scale returns the geometric mean of the length-scales, m.
func scale(h gp.Hyper) float64 {
	logs := 0.0
	for _, l := range h.LengthScales {
		logs += math.Log(l)
	}
	return math.Exp(logs / float64(len(h.LengthScales)))
}
