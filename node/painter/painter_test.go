package painter

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

// Colours do not tell values apart that differ by less than is known of them.
func TestWidened(t *testing.T) {
	m := &record.Maps{Mean: []float64{1.50, 1.54, math.NaN()}, StdDev: []float64{0.1, 0.2, math.NaN()}}
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{{1.50, 1.54, 1.22, 1.82}, {0, 3, 0, 3}} {
		low, high := Widened(c.low, c.high, m, record.TransformNone)
		if math.Abs(low-c.wantLow) > 1e-12 || math.Abs(high-c.wantHigh) > 1e-12 {
			t.Errorf("from %g to %g becomes %g to %g, want %g to %g", c.low, c.high, low, high, c.wantLow, c.wantHigh)
		}
	}
}
