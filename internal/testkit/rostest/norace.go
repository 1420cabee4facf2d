// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package rostest

// Race reports whether the race detector is on, which allocates memory.
const Race = false
