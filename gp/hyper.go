// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"slices"

	"ugp_explorer/internal/num"
)

// ErrHyper is wrapped by every error about hyper-parameters that are out of range.
var ErrHyper = errors.New("gp: invalid hyper-parameter")

// Hyper holds the hyper-parameters of a GP, in the user's units.
type Hyper struct {
	Kind           Kind      // kernel; the zero value is the squared exponential
	SignalVariance float64   // σ_f², squared unit of the values, > 0
	LengthScales   []float64 // ℓ, unit of the inputs, one per dimension, > 0
	NoiseVariance  float64   // λ, squared unit of the values, ≥ 0; added to that of each observation
	Mean           float64   // constant prior mean, unit of the values
	MeanStdDev     float64   // s ≥ 0, unit of the values: prior standard deviation of the mean about Mean; 0: it is known

	Covariates []Covariate // the mean is linear in them; none is usual
	Weights    []float64   // s_j ≥ 0, unit of the values: prior standard deviation of each covariate's weight

	Secondary   *Secondary // a second quantity that f goes with; nil: none
	Correlation float64    // ρ with the second quantity, in [-1, 1]
}

// Validate returns an error that wraps [ErrHyper] and names the first field that is out
// of range, and its value.
func (h Hyper) Validate() error {
	if !h.Kind.known() {
		return fmt.Errorf("%w: Kind is %v, want one of %v", ErrHyper, h.Kind, Kinds())
	}
	if !num.Finite(h.SignalVariance) || h.SignalVariance <= 0 {
		return fmt.Errorf("%w: SignalVariance is %g, want a finite number > 0", ErrHyper, h.SignalVariance)
	}
	if len(h.LengthScales) == 0 {
		return fmt.Errorf("%w: LengthScales is empty, want one length-scale per dimension", ErrHyper)
	}
	for i, l := range h.LengthScales {
		if !num.Finite(l) || l <= 0 {
			return fmt.Errorf("%w: LengthScales[%d] is %g, want a finite number > 0", ErrHyper, i, l)
		}
	}
	if !num.Finite(h.NoiseVariance) || h.NoiseVariance < 0 {
		return fmt.Errorf("%w: NoiseVariance is %g, want a finite number ≥ 0", ErrHyper, h.NoiseVariance)
	}
	if !num.Finite(h.Mean) {
		return fmt.Errorf("%w: Mean is %g, want a finite number", ErrHyper, h.Mean)
	}
	if !num.Finite(h.MeanStdDev) || h.MeanStdDev < 0 {
		return fmt.Errorf("%w: MeanStdDev is %g, want a finite number ≥ 0", ErrHyper, h.MeanStdDev)
	}
	if err := h.validateSecondary(); err != nil {
		return err
	}
	return h.validateCovariates()
}

// Kernel returns the kernel of h, without its covariates. It shares h's length-scales.
func (h Hyper) Kernel() Kernel {
	return Kernel{Kind: h.Kind, Variance: h.SignalVariance, LengthScales: h.LengthScales}
}

// Noise returns the variance λ of o's value about f̂(o.Belief), squared unit of the values: that of its noise and, of one place, that
// of f within the belief. It is NaN if [Belief.Validate] refuses the belief.
func (h *Hyper) Noise(o *Observation) float64 {
	noise := h.NoiseVariance + o.NoiseVariance
	if o.OnePlace {
		noise += h.Spread(o.Belief)
	}
	return noise
}

// clone returns a deep copy of h.
func (h Hyper) clone() Hyper {
	h.LengthScales = append([]float64(nil), h.LengthScales...)
	h.Covariates, h.Weights = slices.Clone(h.Covariates), slices.Clone(h.Weights)
	return h
}
