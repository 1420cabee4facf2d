// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field"
)

// A mission has no room where its uncertain position does not fit at the widest place, nor where the way from home into the
// region is a lane that is too narrow. A gate outside the field is not, nor is a lane where the robot knows its place.
func TestTight(t *testing.T) {
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 40}, {140, 40}, {140, 43}, {100, 43}, {100, 20 + 80}, {0, 100}, {0, 0}}}}
	region := fieldtest.Region(t, outline, 2)
	g, err := New(Config{Outline: outline, Region: region, Inscribed: 50, Radius: 0.8, Sigmas: 2, HomeTolerance: 2})
	must.OK(t, err)
	for _, c := range []struct {
		name          string
		home          orb.Point
		stdDev        float64
		tight, onWay  bool
		room, atLeast float64 // m
	}{
		{"in the field", orb.Point{10, 10}, 2, false, false, 0, 0},
		{"at the gate", orb.Point{-5, 50}, 2, false, false, 0, 0},
		{"near the mouth of the lane", orb.Point{101, 41.5}, 1, false, false, 0, 0},
		{"in the lane", orb.Point{138, 41.5}, 1, true, true, 1.5, 3.2},
		{"in the lane, by a good receiver", orb.Point{138, 41.5}, 0.02, false, false, 0, 0},
		{"nowhere", orb.Point{50, 50}, 30, true, false, 50, 60.8},
	} {
		got, tight := g.Tight(c.home, c.stdDev)
		if tight != c.tight || tight && (got.OnWay != c.onWay || got.Distance < c.room-0.1 || got.Distance > c.room+0.1 || got.Body+got.Spread < c.atLeast-0.1 || got.Body+got.Spread > c.atLeast+0.1) {
			t.Errorf("%s: %v, %+v", c.name, tight, got)
		}
	}
}
