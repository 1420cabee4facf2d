package localization

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestWrapAngle(t *testing.T) {
	// (−π, π] by definition; values by hand.
	for _, c := range []struct{ in, want float64 }{
		{0, 0}, {math.Pi, math.Pi}, {-math.Pi, math.Pi}, {3 * math.Pi / 2, -math.Pi / 2},
		{-3 * math.Pi / 2, math.Pi / 2}, {7, 7 - 2*math.Pi}, {-7, 2*math.Pi - 7},
	} {
		if got := wrapAngle(c.in); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("wrapAngle(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

func TestWrapAngleKeepsDirection(t *testing.T) {
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
