// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"ugp_explorer/gp"
)

// Secondary is a second quantity that a cheap sensor measured all the way, and what the samples say of its
// correlation with the one that is sought.
type Secondary struct {
	Quantity string  `json:"quantity"` // for example "conductivity"
	Units    string  `json:"units"`    // user's units, for example "mS/m"; empty: none
	Heard    []Heard `json:"heard"`    // in the order of time

	Correlation       float64 `json:"correlation"` // with the field, in [-1, 1]; 0 ± 0 before there are samples
	CorrelationStdDev float64 `json:"correlation_stddev"`
}

// Heard is a value of the second quantity: the mean of the readings of a stop, or of a piece of path.
type Heard struct {
	Stamp    float64 `json:"stamp_s"`  // middle of the stop or piece, s, on the clock of Mission.Started
	Path     float64 `json:"path_m"`   // length of the piece of path, m; 0: the robot stood still
	Belief   Belief  `json:"belief"`   // about the place
	Readings int     `json:"readings"` // number of readings that were averaged
	Value    float64 `json:"value"`    // units of the quantity
	Variance float64 `json:"variance"` // of Value's noise, units squared
}

// Observation returns the value in the form of the Gaussian process.
func (h *Heard) Observation() gp.Observation {
	return gp.Observation{Belief: located(&h.Belief), Value: h.Value, NoiseVariance: h.Variance}
}
