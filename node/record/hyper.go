// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"slices"

	"ugp_explorer/gp"
)

// Hyper holds the hyper-parameters of a model.
type Hyper struct {
	Kernel         string    `json:"kernel"`                // "se", "matern52", "matern32", "matern12" or "rq"
	SignalVariance float64   `json:"signal_variance"`       // σ_f², model units squared
	LengthScales   []float64 `json:"length_scales_m"`       // one per axis
	NoiseVariance  float64   `json:"noise_variance"`        // added to the noise variance of each sample, model units squared
	Mean           float64   `json:"mean"`                  // constant prior mean, model units
	MeanStdDev     float64   `json:"mean_stddev,omitempty"` // prior standard deviation of the mean about it, model units

	Weights []float64 `json:"weights,omitempty"` // of the covariates, in their order: standard deviation of each weight, model units

	Correlation float64 `json:"correlation,omitempty"` // with the second quantity
}

// HyperOf returns hyper-parameters in the record's form.
func HyperOf(h gp.Hyper) Hyper {
	return Hyper{
		Kernel: h.Kind.String(), SignalVariance: h.SignalVariance, LengthScales: slices.Clone(h.LengthScales),
		NoiseVariance: h.NoiseVariance, Mean: h.Mean, MeanStdDev: h.MeanStdDev, Weights: slices.Clone(h.Weights), Correlation: h.Correlation,
	}
}

// GP returns the hyper-parameters in the form of the Gaussian process, with the covariates that the weights
// belong to, and the second quantity of the correlation. The error names a kernel that is unknown.
func (h Hyper) GP(covariates []gp.Covariate, secondary *gp.Secondary) (gp.Hyper, error) {
	back := gp.Hyper{
		SignalVariance: h.SignalVariance, LengthScales: slices.Clone(h.LengthScales),
		NoiseVariance: h.NoiseVariance, Mean: h.Mean, MeanStdDev: h.MeanStdDev, Weights: slices.Clone(h.Weights), Covariates: covariates,
		Correlation: h.Correlation, Secondary: secondary,
	}
	var err error
	back.Kind, err = gp.ParseKind(h.Kernel)
	return back, err
}

// Equal reports whether two sets of hyper-parameters are the same.
func (h Hyper) Equal(other Hyper) bool {
	return h.Kernel == other.Kernel && h.SignalVariance == other.SignalVariance && slices.Equal(h.LengthScales, other.LengthScales) &&
		h.NoiseVariance == other.NoiseVariance && h.Mean == other.Mean && h.MeanStdDev == other.MeanStdDev &&
		slices.Equal(h.Weights, other.Weights) && h.Correlation == other.Correlation
}
