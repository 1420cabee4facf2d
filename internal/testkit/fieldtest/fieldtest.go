// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package fieldtest holds fields and regions for tests outside of package field.
package fieldtest

import (
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/field"
)

// Star is [plantest.Star] as a field.
func Star() field.Field {
	boundary, keepOuts := plantest.Star()
	return field.Field{Boundary: boundary, KeepOuts: keepOuts}
}

// Region returns the region of a field. The test ends where there is none.
func Region(tb testing.TB, f field.Field, margin float64) *field.Region {
	tb.Helper()
	r, err := field.NewRegion(f, margin)
	must.OK(tb, err)
	return r
}
