// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package watch reports what a node waits for, and what the graph has instead.
package watch
