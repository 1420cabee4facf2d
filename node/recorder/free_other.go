// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package recorder

// freeBytes reports that the free space is not known.
func freeBytes(string) (free int64, known bool) { return 0, false }
