// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

// What the tests of package fastdds_test see of this one.

const (
	Localhost     = localhostRange
	Off           = offRange
	SystemDefault = systemDefault
)
