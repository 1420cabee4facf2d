// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package param holds the parameters of nodes: a [Set] binds each to a field of a
// configuration, with rules for its values; [Overrides] are the values from parameter files
// and the command line.
package param
