// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import "math"

// Disc is the closed ball of all points within Radius of Centre.
type Disc struct {
	Centre []float64
	Radius float64 // m, > 0
}

// Reach says which places of the space may be chosen at a decision.
type Reach struct {
	// Range is the longest path to the target and from there home, m; +Inf: no limit.
	Range float64

	// Home is where the robot returns to, m; nil: only the path to the target counts.
	Home []float64

	// Avoid lists areas in which no target may lie, such as around failed targets.
	Avoid []Disc

	// Allowed, unless nil, decides last on every place. It must be a pure function and
	// must not keep its argument.
	Allowed func(x []float64) bool
}

// Anywhere returns the reach that allows every place to which there is a path.
func Anywhere() Reach { return Reach{Range: math.Inf(1)} }
