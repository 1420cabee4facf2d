// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package process

// used is not known here.
func used() (bytes, files int64, ok bool) { return 0, 0, false }
