// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import "golang.org/x/sys/cpu"

// hasFours reports whether the processor has the instructions of expNegFours.
var hasFours = cpu.X86.HasAVX2

// expNegFours overwrites the n numbers at h, a positive multiple of four, with ExpNeg of them, to the bit. c has the constants.
//
//go:noescape
func expNegFours(h *float64, n int, table *[expSteps]float64, c *[11]float64)
