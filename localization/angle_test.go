package localization

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// (−π, π] by definition.
func TestWrapAngle(t *testing.T) {
	if got := wrapAngle(-math.Pi); got != math.Pi {
		t.Errorf("wrapAngle(−π) = %v, want π", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1e3, 1e3).Draw(t, "a")
		w := wrapAngle(a)
		if !(w > -math.Pi && w <= math.Pi) {
			t.Fatalf("wrapAngle(%v) = %v outside (−π, π]", a, w)
		}
		if math.Abs(math.Sin(a)-math.Sin(w)) > 1e-12 || math.Abs(math.Cos(a)-math.Cos(w)) > 1e-12 {
			t.Fatalf("wrapAngle(%v) = %v is another direction", a, w)
		}
	})
}
