// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package exec runs the callbacks of nodes, one at a time: [Simulated] in virtual time,
// ordered by time and sequence, so that a run depends only on its inputs; [RealTime] by the
// wall clock or by /clock.
//
// Times are int64 nanoseconds since the epoch of the executor's clock.
package exec
