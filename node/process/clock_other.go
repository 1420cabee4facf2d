// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package process

// Synchronised reports that it is not known whether the clock follows another one.
func Synchronised() (yes, known bool) { return false, false }
