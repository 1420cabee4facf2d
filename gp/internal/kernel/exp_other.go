// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package kernel

// Other processors do without expNegFours.
const hasFours = false

func expNegFours(_ *float64, _ int, _ *[expSteps]float64, _ *[11]float64) {
	panic("kernel: no expNegFours")
}
