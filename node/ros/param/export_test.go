// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

// What the tests of package param_test see of this one.

const (
	MostString   = mostString
	MostElements = mostElements
	MostAsked    = mostAsked
)

type Error = paramError
