// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

// What the tests of package planner_test see of this one.

const (
	StreamRough = streamRough
	FormBelief  = formBelief
)
