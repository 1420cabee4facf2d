// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package watch reports what a node is waiting for, and what is in the graph instead.
package watch
