// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

// An interval is in the unit that people read, and as long above as below only where no logarithm is taken: 10^(1.32 ± 0.72) is
// 21 with 4.0 and 110.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		m           record.Mission
		v, stdDev   float64
		want, reads string
	}{
		{m: record.Mission{Units: "mg/l", Transform: record.TransformLog10}, v: 1.3222, stdDev: 0.36, want: "about 21 mg/l (4 to 110)", reads: "1.3 mg/l (0.6 to 2.0)"},
		{m: record.Mission{Units: "log10(mg/l)"}, v: 1.3222, stdDev: 0.36, want: "about 21 mg/l (4 to 110)", reads: "21 mg/l (4 to 110)"},
		{m: record.Mission{Units: "ln(S/m)"}, v: math.Log(0.2), stdDev: 0.05, want: "about 0.200 S/m (0.181 to 0.22)", reads: "0.200 S/m (0.181 to 0.22)"},
		{m: record.Mission{Units: "log10(mg/l)"}, v: 1.3222, stdDev: 1.5, want: "about 20 mg/l (0.02 to 20000)", reads: "20 mg/l (0.02 to 20000)"},
		{m: record.Mission{Units: "mg/l"}, v: 21.34, stdDev: 0.2, want: "about 21.3 mg/l (20.9 to 21.7)", reads: "21.3 mg/l (20.9 to 21.7)"},
		{m: record.Mission{}, v: -0.6, stdDev: 2.1, want: "about -1 (-5 to 4)", reads: "-1 (-5 to 4)"},
	} {
		if got := c.m.Expected(c.v, c.stdDev); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.m.Transform, c.m.Units, got, c.want)
		}
		if got := c.m.Measured(c.v, c.stdDev); got != c.reads {
			t.Errorf("%q, %s: measured %q, want %q", c.m.Transform, c.m.Units, got, c.reads)
		}
	}
}

func TestStdDevUndoesSpread(t *testing.T) {
	for _, f := range []record.Transform{"", record.TransformLn, record.TransformLog10} {
		if got := f.StdDev(f.Inverse(1.3), f.Spread(1.3, 0.4)); math.Abs(got-0.4) > 1e-12 {
			t.Errorf("%q: %g, want 0.4", f, got)
		}
	}
}
