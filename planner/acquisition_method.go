// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
)

// AcquisitionMethod is a method of choosing targets that is not an upper confidence bound.
type AcquisitionMethod struct {
	// Acquisition returns the acquisition to maximise for one model.
	Acquisition func(*ModelContext) (acquire.Acquisition, error)

	// TargetMeans, unless it is nil, writes the method's own estimate of the outcome of each past
	// target, a row of x, into dst, used to recommend one of them. Over the whole space, places are
	// judged under Σ̂.
	TargetMeans func(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error
}

// ModelContext is the input of a [AcquisitionMethod]: one model at a decision.
type ModelContext struct {
	Model     *gp.GP
	Predictor *gp.Predictor // of the model, for targets as the method judges them
	Execution *mat.SymDense // Σ̂, m²; nil: zero
}

// ownNoise returns the mean of the observations' own noise variances about f̂ at their beliefs, 0 if there are none.
func ownNoise(model *gp.GP) float64 {
	own, h, observations := 0.0, model.Hyper(), model.Observations()
	for i := range observations {
		own += h.Noise(&observations[i]) - h.NoiseVariance
	}
	return own / float64(max(model.Len(), 1))
}
