package main

import (
	"math"
	"testing"
)

func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{139.4, 2, "140"}, {0.01234, 2, "0.012"}, {1.695, 4, "1.695"}, {1459.3, 4, "1459"}, {-0.5, 1, "-0.5"},
		{99.96, 3, "100"}, {0, 2, "0"}, {math.NaN(), 2, "NaN"}, {3e-7, 2, "0.0000003"},
	} {
		if got := significant(c.v, c.digits); got != c.want {
			t.Errorf("significant(%g, %d) = %q, want %q", c.v, c.digits, got, c.want)
		}
	}
}
