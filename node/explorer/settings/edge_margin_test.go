// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// The region keeps two standard deviations of the outline's edges away from them, besides the
// margin, given or automatic; the parameter stays what it is.
func TestUncertainEdges(t *testing.T) {
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}}}
	for _, given := range []float64{math.NaN(), 3} {
		regions, sizes, margins := [2]*field.Region{}, [2]Size{}, [2]float64{}
		for i, stdDev := range []float64{0, 0.4} {
			c := DefaultConfig()
			c.Field.Margin = given
			outline.StdDev = stdDev
			var err error
			if regions[i], sizes[i], err = c.fitTo(outline); err != nil {
				t.Fatal(err)
			}
			margins[i] = c.Field.Margin
		}
		if by := regions[1].Margin() - regions[0].Margin(); math.Abs(by-0.8) > 1e-9 || margins[0] != margins[1] || regions[0].Margin() != margins[0] {
			t.Errorf("field.margin %g: the margin grows by %g m, want 0.8; the parameter is %v", given, by, margins)
		}
		if math.Abs(sizes[0].Inscribed-sizes[1].Inscribed) > 1e-9 || math.Abs(sizes[0].Room-sizes[1].Room-0.8) > 0.2 {
			t.Errorf("sizes %+v", sizes)
		}
	}
	outline.StdDev = 30
	c := DefaultConfig()
	_, _, err := c.fitTo(outline)
	if !errors.As(err, new(*field.EmptyRegionError)) || !strings.Contains(err.Error(), "60 m of the margin are twice the standard deviation of the outline's edges") {
		t.Errorf("no room: %v", err)
	}
}
