package report

import (
	"math"
	"slices"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      ticks
		want   []string
	}{
		{0, 100, 6, []string{"0", "20", "40", "60", "80", "100"}},
		{-24.8, 1264.8, 8, []string{"0", "200", "400", "600", "800", "1000", "1200"}},
		{-0.3, 0.31, 5, []string{"−0.2", "0", "0.2"}},
		{1.079, 1.982, 6, []string{"1.2", "1.4", "1.6", "1.8"}},
		{651000, 651720, 4, []string{"651000", "651500"}},
		{0, 3e-7, 4, []string{"0", "1e−07", "2e−07", "3e−07"}},
		{5, 5, 5, nil},
		{0, math.Inf(1), 5, nil},
	} {
		var got []string
		for _, k := range c.n.Ticks(c.lo, c.hi) {
			got = append(got, k.Label)
			if k.Value < c.lo-1e-9 || k.Value > c.hi+1e-9 {
				t.Errorf("%g to %g: tick at %g", c.lo, c.hi, k.Value)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	var whole []string
	for _, k := range wholeTicks(6).Ticks(0, 2) {
		whole = append(whole, k.Label)
	}
	if want := []string{"0", "1", "2"}; !slices.Equal(whole, want) {
		t.Errorf("whole numbers: %q, want %q", whole, want)
	}
	// Where the step is below the spacing of floats, the list must still end.
	if got := ticks(6).Ticks(1e17, 1e17+64); len(got) > 6 {
		t.Errorf("%d ticks", len(got))
	}
}
