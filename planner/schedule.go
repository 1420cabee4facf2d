// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import "ugp_explorer/gp"

// Schedule gives the weight β of the standard deviation in the upper confidence bound
// μ̂ + β·σ̂. β is outside the root, as in the paper, and dimensionless.
type Schedule interface {
	// Beta returns β ≥ 0 for the decision with number step, counted from 0, and the
	// model of the observations so far.
	Beta(step int, model *gp.GP) float64
}

// Fixed is the same β ≥ 0 at every step.
type Fixed float64

// Beta returns f.
func (f Fixed) Beta(int, *gp.GP) float64 { return float64(f) }
