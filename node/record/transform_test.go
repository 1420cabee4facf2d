// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

// Forward is the inverse of Inverse, with the slope of the transform on the standard deviation.
func TestTransform(t *testing.T) {
	for _, c := range []struct {
		t                   record.Transform
		model, user, spread float64 // spread of a standard deviation of 0.1
	}{
		{"", 2, 2, 0.1},
		{record.TransformNone, 2, 2, 0.1},
		{record.TransformLog10, 2, 100, (125.89254117941673 - 79.43282347242815) / 2},          // 10^2.1, 10^1.9
		{record.TransformLn, 2, 7.38905609893065, (8.166169912567652 - 6.685894442279269) / 2}, // e^2.1, e^1.9
		{"sqrt", 2, 2, 0.1},
	} {
		if got := c.t.Inverse(c.model); math.Abs(got-c.user) > 1e-12*c.user {
			t.Errorf("%q: inverse %g, want %g", c.t, got, c.user)
		}
		if got := c.t.Spread(c.model, 0.1); math.Abs(got-c.spread) > 1e-10 {
			t.Errorf("%q: spread %g, want %g", c.t, got, c.spread)
		}
		const stdDev = 1e-4
		v, s2, err := c.t.Forward(c.user, stdDev*stdDev)
		if got := c.t.Spread(v, math.Sqrt(s2)); err != nil || math.Abs(v-c.model) > 1e-12 || math.Abs(got-stdDev) > 1e-6*stdDev {
			t.Errorf("%q: %g is %g in model units, and its standard deviation there is %g in user's: %v", c.t, c.user, v, got, err)
		}
		if back, variance := c.t.Backward(v, s2); math.Abs(back-c.user) > 1e-12*c.user || math.Abs(math.Sqrt(variance)/stdDev-1) > 1e-12 {
			t.Errorf("%q: %g ± %g comes back as %g ± %g", c.t, c.user, stdDev, back, math.Sqrt(variance))
		}
		for _, v := range []float64{0, -1, math.NaN()} {
			if _, _, err := c.t.Forward(v, 1); (err != nil) != (c.spread != 0.1) {
				t.Errorf("%q: %g: %v", c.t, v, err)
			}
		}
	}
}
