// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Every place lies in the field around the hull, no nearer to its edge than asked
// for but for the chords of the rounded corners, and the field is no larger than
// it has to be.
func TestHull(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, next := range map[string]func(i int) (x, y float64){
		"a cloud":     func(int) (float64, float64) { return 100 * rng.NormFloat64(), 20 * rng.NormFloat64() },
		"a line":      func(i int) (float64, float64) { return float64(i), 2 * float64(i) },
		"one place":   func(int) (float64, float64) { return 3, 4 },
		"two places":  func(i int) (float64, float64) { return float64(i % 2), 0 },
		"a square":    func(i int) (float64, float64) { return float64(i % 101), float64(i / 101) },
		"and a tenth": func(i int) (float64, float64) { return float64(i%101) / 10, float64(i/101) / 10 },
	} {
		var h path
		var all []orb.Point
		for i := range 10_201 {
			x, y := next(i)
			h = append(h, x, y)
			all = append(all, orb.Point{x, y})
		}
		const around = 5.0
		field := h.field(around)
		ring := field.Boundary[0]
		if ring[0] != ring[len(ring)-1] || ring.Orientation() != orb.CCW {
			t.Errorf("%s: a ring of %d from %v to %v", name, len(ring), ring[0], ring[len(ring)-1])
		}
		nearest := math.Inf(1)
		for _, p := range all {
			if !planar.RingContains(ring, p) {
				t.Fatalf("%s: %v is outside", name, p)
			}
			nearest = min(nearest, planar.DistanceFrom(orb.LineString(ring), p))
		}
		if nearest < 0.98*around-1e-9 || nearest > around+1e-9 {
			t.Errorf("%s: the edge comes as near as %g m, want %g", name, nearest, around)
		}
	}
}
