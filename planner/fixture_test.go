package planner_test

import (
	"testing"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/plantest"
)

// starField is [plantest.Star] as a field.
func starField() field.Field {
	boundary, keepOuts := plantest.Star()
	return field.Field{Boundary: boundary, KeepOuts: keepOuts}
}

func mustRegion(tb testing.TB, f field.Field, margin float64) *field.Region {
	tb.Helper()
	r, err := field.NewRegion(f, margin)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
