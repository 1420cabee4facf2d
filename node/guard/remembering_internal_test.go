// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"testing"

	"github.com/paulmach/orb"
)

// TestRemembering: the distances of the last three places are those of the function, which is asked once for each.
func TestRemembering(t *testing.T) {
	asked := 0
	distance := func(at orb.Point) float64 { asked++; return 3 + at[0] - 2*at[1] }
	remembered := remembering(distance)
	for _, step := range []struct {
		at    orb.Point
		asked int
	}{
		{orb.Point{}, 1}, {orb.Point{}, 1}, // also where numbers are that nobody has set
		{orb.Point{1, 0}, 2}, {orb.Point{0, 1}, 3}, {orb.Point{}, 3}, {orb.Point{1, 0}, 3},
		{orb.Point{5, 5}, 4}, {orb.Point{0, 1}, 4}, // instead of the oldest
		{orb.Point{}, 5},
	} {
		got := remembered(step.at)
		if n := asked; got != distance(step.at) || n != step.asked {
			t.Errorf("at %v: %g after asking %d times, want %g after %d", step.at, got, n, distance(step.at), step.asked)
		}
		asked = step.asked
	}
}
