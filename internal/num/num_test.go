// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package num_test

import (
	"math"
	"testing"

	"ugp_explorer/internal/num"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{num.Significant(0, 3), "0"}, {num.Significant(1234, 3), "1230"}, {num.Significant(3.1, 3), "3.10"}, {num.Significant(-31415.9, 3), "-31400"},
		{num.Significant(0.000123456, 2), "0.00012"}, {num.Significant(999.96, 4), "1000"}, {num.Significant(1000, 4), "1000"}, {num.Significant(1e-3, 2), "0.0010"}, {num.Significant(math.NaN(), 2), "NaN"},
		{num.Short(139.4, 2), "140"}, {num.Short(0.01234, 2), "0.012"}, {num.Short(1.695, 4), "1.695"}, {num.Short(1.704, 3), "1.7"},
		{num.Short(1459.3, 4), "1459"}, {num.Short(-0.5, 1), "-0.5"}, {num.Short(99.96, 3), "100"}, {num.Short(0, 2), "0"},
		{num.Short(math.Inf(1), 2), "+Inf"}, {num.Short(3e-7, 2), "0.0000003"},
		{num.Metres(3.26), "3.3 m"}, {num.Metres(321.4), "321 m"}, {num.Metres(14321.5), "14.32 km"}, {num.Metres(math.NaN()), "–"},
		{num.Count(1, "sample"), "1 sample"}, {num.Count(0, "sample"), "0 samples"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	if s := num.Seconds(1500000000); s != 1.5 {
		t.Errorf("%g s, want 1.5", s)
	}
	if ns := num.Nanoseconds(-0.3); ns != -300000000 {
		t.Errorf("%d ns, want -300000000", ns)
	}
}

func TestMedian(t *testing.T) {
	if odd, even := num.Median([]float64{9, 1, 2}), num.Median([]float64{9, 1, 4, 2}); odd != 2 || even != 3 {
		t.Errorf("%g and %g, want 2 and 3", odd, even)
	}
}

func TestRounded(t *testing.T) {
	for _, v := range []float64{0, 1230, -0.0123, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(-1)} {
		if got := num.Rounded(v, 3); got != v {
			t.Errorf("%g is rounded to %g", v, got)
		}
	}
	if got := num.Rounded(1234.5, 2); got != 1200 {
		t.Errorf("1234.5 is rounded to %g, want 1200", got)
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want string
	}{{0, "0 s"}, {42.4, "42 s"}, {99.4, "99 s"}, {100, "2 min"}, {29 * 60, "29 min"}, {3569, "59 min"}, {3570, "1 h 00 min"}, {5100, "1 h 25 min"}} {
		if got := num.Duration(c.s); got != c.want {
			t.Errorf("%g s is %q, want %q", c.s, got, c.want)
		}
	}
}
