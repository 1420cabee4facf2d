// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"testing"

	"ugp_explorer/node/record"
)

// The sentence says what the samples say, and no more.
func TestHeard(t *testing.T) {
	places := func(n int) []record.Heard { return make([]record.Heard, n) }
	for _, c := range []struct {
		m    record.Mission
		want string
	}{
		{m: record.Mission{Quantity: "potassium"}},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "conductivity", Heard: places(412), Correlation: 0.716, CorrelationStdDev: 0.1}},
			want: "Conductivity was measured at 412 places; its correlation with potassium is 0.72 ± 0.10."},
		{m: record.Mission{Quantity: "log10 K", Units: "log10(mg/l)", Secondary: &record.Secondary{Quantity: "gamma", Heard: places(1), Correlation: -0.4, CorrelationStdDev: 0.25}},
			want: "Gamma was measured at 1 place; its correlation with K is -0.40 ± 0.25."},
		{m: record.Mission{Secondary: &record.Secondary{Heard: places(3), Correlation: -0.001, CorrelationStdDev: 0.3}},
			want: "Second quantity was measured at 3 places; its correlation with value is 0.00 ± 0.30."},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "conductivity", Heard: places(12)}},
			want: "Conductivity was measured at 12 places; its correlation with potassium is not known yet."},
		{m: record.Mission{Quantity: "potassium", Hyper: make([]record.HyperAt, 1), Secondary: &record.Secondary{Quantity: "conductivity", Heard: places(12)}},
			want: "Conductivity was measured at 12 places; its correlation with potassium is not known."},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "pH"}},
			want: "pH was not measured anywhere."},
	} {
		if got := c.m.Heard(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if note := c.m.Answer(nil).Note; note != c.want {
			t.Errorf("the answer's note is %q, want %q", note, c.want)
		}
	}
}
