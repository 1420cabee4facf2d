// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Ahead returns what is left of a path from the place that is a distance, m, further along it than
// a robot at a place: that place and the corners after it; nil if there is no path.
func Ahead(path []orb.Point, at orb.Point, metres float64) []orb.Point {
	if len(path) == 0 {
		return nil
	}
	first, corners := PlaceAhead(path, at, metres)
	return append([]orb.Point{first}, corners...)
}

// PlaceAhead returns the place that is a distance, m, further along a path than a robot at a place,
// and the corners after it, in the memory of the path. A path of one point leads there from the
// robot. It allocates nothing, and panics if there is no path.
func PlaceAhead(path []orb.Point, at orb.Point, metres float64) (orb.Point, []orb.Point) {
	if len(path) == 1 {
		if length := planar.Distance(at, path[0]); metres < length {
			return Between(at, path[0], metres/length), path
		}
		return path[0], nil
	}
	nearest, along, passed := math.Inf(1), 0.0, 0.0
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		length := planar.Distance(a, b)
		share := 0.0
		if length > 0 {
			share = min(1, max(0, ((at[0]-a[0])*(b[0]-a[0])+(at[1]-a[1])*(b[1]-a[1]))/(length*length)))
		}
		if d := planar.Distance(at, Between(a, b, share)); d < nearest {
			nearest, along = d, passed+share*length
		}
		passed += length
	}
	for left := along + metres; len(path) > 1; path = path[1:] {
		length := planar.Distance(path[0], path[1])
		if left < length {
			return Between(path[0], path[1], left/length), path[1:]
		}
		left -= length
	}
	return path[0], nil
}

// Between returns the place at a share of the way from a to b.
func Between(a, b orb.Point, share float64) orb.Point {
	return orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
}
