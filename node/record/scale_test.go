// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

// People see what the logarithms of sensor and model are of. 100 is the value in question.
func TestScale(t *testing.T) {
	ln := math.Log(10)
	for _, c := range []struct {
		quantity, units            string
		t                          record.Transform
		shown, in, model, log      string
		reading, modelled, spread  float64 // of 100; spread of 0.1
		sampleVariance, wantSample float64
	}{
		{"K", "mg/l", "", "K", "mg/l", "mg/l", "", 100, 100, 0.1, 4, 4},
		{"K", "", record.TransformNone, "K", "", "", "", 100, 100, 0.1, 4, 4},
		{"", "mg/l", record.TransformLog10, "value", "mg/l", "log10(mg/l)", "log10", 100, 2, (math.Pow(10, 2.1) - math.Pow(10, 1.9)) / 2, 4, 4},
		{"K", "", record.TransformLn, "K", "", "ln", "ln", 100, 2 * ln, 100 * math.Sinh(0.1), 4, 4},
		{"log10 K", "log10(mg/l)", record.TransformNone, "K", "mg/l", "log10(mg/l)", "log10", 2, 2, (math.Pow(10, 2.1) - math.Pow(10, 1.9)) / 2, 0.01, 0.01 * 100 * ln * 100 * ln},
		{"K", "ln(%)", "", "K", "%", "ln(%)", "ln", 2 * ln, 2 * ln, 100 * math.Sinh(0.1), 0.01, 100},
		{"K", "log10(mg/l)", record.TransformLn, "K", "mg/l", "ln(log10(mg/l))", "ln_log10", 2, math.Log(2), (math.Pow(10, 2*math.Exp(0.1)) - math.Pow(10, 2*math.Exp(-0.1))) / 2, 0.01, 0.01 * 100 * ln * 100 * ln},
	} {
		m := record.Mission{Quantity: c.quantity, Units: c.units, Transform: c.t}
		s := m.Scale()
		if s.Quantity != c.shown || s.Units != c.in || s.Model != c.model || s.Log != c.log {
			t.Errorf("%+v: %+v", c, s)
		}
		same := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("%q by %q: %s %g, want %g", c.units, c.t, what, got, want)
			}
		}
		same("value", s.Value(c.modelled), 100)
		same("reading", s.Reading(c.reading), 100)
		reading, model, err := s.ModelOf(100)
		same("reading back", reading, c.reading)
		same("model value back", model, c.modelled)
		same("spread", s.Spread(c.modelled, 0.1), c.spread)
		value, variance := s.Sample(&record.Observation{Value: c.reading, Variance: c.sampleVariance})
		same("sample", value, 100)
		same("variance", variance, c.wantSample)
		if _, _, bad := s.ModelOf(-1); err != nil || (bad != nil) != (c.log != "") {
			t.Errorf("%q by %q: %v, and of -1 %v", c.units, c.t, err, bad)
		}
	}
	m := record.Mission{Units: "mg/l", Transform: "sqrt"} // of another program
	s := m.Scale()
	if v, _ := s.Sample(&record.Observation{Value: 4, ModelValue: 2}); s.Units != "sqrt(mg/l)" || s.Log != "" || s.Value(2) != 2 || v != 2 {
		t.Errorf("an unknown transform has the scale %+v", s)
	}
}
