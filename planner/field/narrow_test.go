// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// The narrow place is found in the neck between two halls, wherever else the way bends round corners, and a hall that
// a keep-out closes off has none.
func TestNarrows(t *testing.T) {
	f := Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 49}, {150, 49}, {150, 0}, {250, 0}, {250, 100}, {150, 100}, {150, 51}, {130, 51}, {125, 50.5}, {120, 51}, {100, 51}, {100, 100}, {0, 100}}},
		KeepOuts: []orb.Polygon{{{{20, 0}, {30, 0}, {30, 80}, {20, 80}}}}}
	for margin, want := range map[float64]int{0.5: 0, 2: 1} {
		r, err := NewRegion(f, margin)
		must.OK(t, err)
		got := r.Narrows()
		if len(got) != want || r.Parts() != want+1 {
			t.Fatalf("with a margin of %g m: %v, and %d parts", margin, got, r.Parts())
		}
		for _, n := range got {
			if math.Abs(n.Width-1.5) > 0.2 || dist(n.At, orb.Point{125, 49.75}) > 2 {
				t.Errorf("%v, want 1.5 m at (125, 49.75)", n)
			}
		}
	}
	f.KeepOuts[0][0] = orb.Ring{{20, -1}, {30, -1}, {30, 101}, {20, 101}}
	r, err := NewRegion(f, 0.5)
	must.OK(t, err)
	if got := r.Narrows(); len(got) != 1 || got[0].Width != 0 || got[0].At[0] > 20 {
		t.Errorf("behind a keep-out: %v", got)
	}
}
