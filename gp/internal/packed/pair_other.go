// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package packed

// Other processors do without these.
const hasPair = false

func solvePair(_, _ *float64, _ int, _, _ *float64, _ int, _ *[3]float64) {
	panic("packed: no solvePair")
}

func forwardFour(_, _ *float64, _ int) { panic("packed: no forwardFour") }

func backwardFour(_, _ *float64, _ int) { panic("packed: no backwardFour") }
