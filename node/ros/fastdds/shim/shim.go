// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// Package shim holds the C++ side of package fastdds, which calls the functions of shim.h. The compiler takes seconds for it; in a package
// of its own it is compiled once, and not again for tests of fastdds.
package shim

/*
#cgo CXXFLAGS: -std=c++17 -O2
#cgo !fastdds3 LDFLAGS: -lfastrtps -lfastcdr
#cgo fastdds3 LDFLAGS: -lfastdds -lfastcdr
*/
import "C"
