// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package soak

import "errors"

// UsageOf returns what a process uses now.
func UsageOf(int) (Usage, error) {
	return Usage{}, errors.New("what a process uses of the machine can be measured on Linux only")
}
