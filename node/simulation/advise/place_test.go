// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"strings"
	"testing"

	"ugp_explorer/planner/mission"
)

// The share of the variance within a belief is 1 - 1/(1+2σ²/ℓ²): of 1.25 m it is 0.8 % where the field is correlated over
// 20 m and 4.3 % over 8.333 m; of 3.8 m it is 29 % there. What that asks for depends on the share alone.
func TestPlaceText(t *testing.T) {
	for _, c := range []struct {
		stdDev, length float64
		share, means   string
	}{
		{0.02, 8.333, "0.0012 %", "Neither"},
		{1.25, 20, "0.78 %", "Neither"},
		{1.25, 8.333, "4.3 %", "Neither"},
		{125, 833.3, "4.3 %", "Neither"},
		{3.8, 8.333, "29 %", "A better receiver improves the result more"},
		{380, 833.3, "29 %", "A better receiver improves the result more"},
	} {
		got := placeText(c.stdDev, c.length)
		if !strings.Contains(got, c.share+" of the field's variance") || !strings.Contains(got, c.means) {
			t.Errorf("%g m in a field of %g m: %s", c.stdDev, c.length, got)
		}
	}
}

// The answer uses the length-scale of the median field, and only exists for a robot of which it is known how well it
// knows its place.
func TestPlaces(t *testing.T) {
	c := config(t, mission.Budget{Distance: 6000, Samples: 60})
	for _, stdDev := range []float64{0, 3} {
		c.PlaceStdDev = stdDev
		p := madeUp(t, c)
		answer := p.Answer(made(p, func(b mission.Budget) float64 { return b.Distance / 6000 }))
		said := strings.Contains(answer.Sentence(), "\n"+placeText(3, 205))
		if said != (stdDev == 3) {
			t.Errorf("%g m: %s", stdDev, answer.Sentence())
		}
	}
}
