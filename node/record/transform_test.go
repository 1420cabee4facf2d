package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

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
	}
}

// Forward is the inverse of Inverse, with the slope of the transform on the standard
// deviation.
func TestTransformForward(t *testing.T) {
	for _, tr := range []record.Transform{"", record.TransformNone, record.TransformLog10, record.TransformLn, "sqrt"} {
		const user, stdDev = 50.0, 0.02
		v, s2, err := tr.Forward(user, stdDev*stdDev)
		if err != nil || math.Abs(tr.Inverse(v)-user) > 1e-10 {
			t.Errorf("%q: %g is %g in model units: %v", tr, user, v, err)
		}
		if got := tr.Spread(v, math.Sqrt(s2)); math.Abs(got-stdDev) > 1e-6*stdDev {
			t.Errorf("%q: a standard deviation of %g is %g in model units, which is %g", tr, stdDev, math.Sqrt(s2), got)
		}
	}
	for _, tr := range []record.Transform{record.TransformLog10, record.TransformLn} {
		for _, v := range []float64{0, -1, math.NaN()} {
			if _, _, err := tr.Forward(v, 1); err == nil {
				t.Errorf("%q: %g has an image", tr, v)
			}
		}
	}
}
