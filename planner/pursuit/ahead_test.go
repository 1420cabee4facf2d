// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/pursuit"
)

func TestAhead(t *testing.T) {
	bent := []orb.Point{{0, 0}, {10, 0}, {10, 10}} // 10 m east, then 10 m north
	for _, c := range []struct {
		name   string
		path   []orb.Point
		at     orb.Point
		metres float64
		want   []orb.Point
	}{
		{"no path", nil, orb.Point{1, 1}, 0, nil},
		{"beside the first leg", bent, orb.Point{4, 1}, 0, []orb.Point{{4, 0}, {10, 0}, {10, 10}}},
		{"metres on, around the corner", bent, orb.Point{4, 1}, 8, []orb.Point{{10, 2}, {10, 10}}},
		{"before the path", bent, orb.Point{-3, 0}, 0, bent},
		{"past its end", bent, orb.Point{10, 12}, 1, []orb.Point{{10, 10}}},
		{"farther than it is long", bent, orb.Point{0, 0}, 50, []orb.Point{{10, 10}}},
		{"a goal", []orb.Point{{10, 0}}, orb.Point{0, 0}, 4, []orb.Point{{4, 0}, {10, 0}}},
		{"a goal that is reached", []orb.Point{{10, 0}}, orb.Point{10, 0}, 0, []orb.Point{{10, 0}}},
		{"a point twice", []orb.Point{{0, 0}, {0, 0}, {5, 0}}, orb.Point{1, 1}, 0, []orb.Point{{1, 0}, {5, 0}}},
	} {
		before := slices.Clone(c.path)
		if got := pursuit.Ahead(c.path, c.at, c.metres); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !slices.Equal(c.path, before) {
			t.Errorf("%s: the path was changed to %v", c.name, c.path)
		}
		if len(c.path) == 0 {
			continue
		}
		if n := testing.AllocsPerRun(10, func() { pursuit.PlaceAhead(c.path, c.at, c.metres) }); n != 0 {
			t.Errorf("%s: the place ahead takes %g allocations, want none", c.name, n)
		}
	}
}
