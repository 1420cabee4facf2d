// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The range is the border of what is affordable: a round trip is affordable if
// and only if it is no longer, but for the rounding of the sums on either side.
func TestRangeIsTheBorderOfAffordable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := func(name string, most float64) float64 {
			if rapid.Bool().Draw(t, "unlimited "+name) {
				return 0
			}
			return rapid.Float64Range(1, most).Draw(t, name)
		}
		l := Ledger{
			Config: BudgetConfig{
				Budget: Budget{
					Samples:  rapid.IntRange(0, 5).Draw(t, "samples"),
					Distance: limit("metres", 1e4),
					Duration: limit("seconds", 1e5),
				},
				ReserveFactor:   rapid.Float64Range(1, 3).Draw(t, "reserve factor"),
				ReserveDistance: rapid.Float64Range(0, 100).Draw(t, "reserve metres"),
				ReserveTime:     rapid.Float64Range(0, 100).Draw(t, "reserve seconds"),
				Speed:           rapid.Float64Range(0.1, 3).Draw(t, "speed"),
				SampleTime:      rapid.Float64Range(0, 60).Draw(t, "sample time"),
			},
			Samples:  rapid.IntRange(0, 5).Draw(t, "samples taken"),
			Distance: rapid.Float64Range(0, 1e4).Draw(t, "metres driven"),
			Duration: rapid.Float64Range(0, 1e5).Draw(t, "seconds gone"),
		}
		r := l.Range()
		if math.IsNaN(r) || r < 0 {
			t.Fatalf("range %g", r)
		}
		if l.remainingSamples() == 0 && r != 0 {
			t.Fatalf("range %g m with no samples left", r)
		}
		share := rapid.Float64Range(0, 1).Draw(t, "share of the path there")
		length := rapid.Float64Range(0, 2e4).Draw(t, "length")
		// Sums of numbers up to 1e5, divided by factors of 0.1 at least.
		const rounding = 1e-8
		// Besides a random length, those just inside and just outside the border.
		for _, length := range []float64{length, r - rounding, r + rounding} {
			if length < 0 || math.IsInf(length, 0) {
				continue
			}
			got := l.Affordable(share*length, length-share*length)
			switch {
			case length <= r-rounding && !got:
				t.Fatalf("a path of %g m is not affordable, the range is %g m", length, r)
			case length >= r+rounding && got:
				t.Fatalf("a path of %g m is affordable, the range is %g m", length, r)
			}
		}
	})
}
