// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"ugp_explorer/gp"
)

// Correlation is what is known of the correlation of the field with the second quantity, in [-1, 1]: its
// mean over the models that are likely, and its standard deviation.
type Correlation struct{ Mean, StdDev float64 }

// Hear adds what a second sensor heard at a stop or along a piece of path, in its own unit, from which the
// next job learns. The error wraps [gp.ErrBelief] or [gp.ErrObservation]; nothing is added then.
func (o *Optimizer) Hear(heard gp.Observation) error {
	if err := heard.Validate(o.space.Dim()); err != nil {
		return err
	}
	o.heard = append(o.heard, heard)
	return nil
}
