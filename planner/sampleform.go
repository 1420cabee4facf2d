// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// SampleForm is the form in which a sample enters the model.
type SampleForm int

const (
	formBelief       SampleForm = iota // P^L, the belief of the localisation about its place
	FormTargetBelief                   // P̂_x = N(x, Σ̂), the expected distribution about its target x
	FormTarget                         // its target, a point
	FormMean                           // the mean of P^L, a point
)

// Points reports whether samples enter the model as points. Then targets are judged as
// points too.
func (f SampleForm) Points() bool { return f == FormTarget || f == FormMean }

// Input returns what enters the model for a sample with the given target and the belief
// located about its place. execution is Σ̂; nil: zero. The result shares its arguments.
func (f SampleForm) Input(located gp.Belief, target []float64, execution *mat.SymDense) gp.Belief {
	switch f {
	case FormTargetBelief:
		return gp.Belief{Mean: target, Cov: execution}
	case FormTarget:
		return gp.Point(target...)
	case FormMean:
		return gp.Point(located.Mean...)
	}
	return located
}

// QueryCov returns the covariance with which the posterior is asked about a target: Σ̂, or nil for a
// model of points.
func (f SampleForm) QueryCov(execution *mat.SymDense) *mat.SymDense {
	if f.Points() {
		return nil
	}
	return execution
}

// TruePlaceCov returns the covariance of the true place of a sample about its Input.
// This spread makes the value differ from f̂ at the input in addition to the noise of the reading.
func (f SampleForm) TruePlaceCov(located gp.Belief, execution *mat.SymDense) *mat.SymDense {
	if f == formBelief || f == FormMean {
		return located.Cov
	}
	return execution
}
