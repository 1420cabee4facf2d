// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{significant(0, 3), "0"}, {significant(3.14159, 3), "3.14"}, {significant(-31415.9, 3), "−31400"},
		{significant(0.000123456, 2), "0.00012"}, {significant(1.5e-9, 2), "1.5e−09"}, {significant(nan, 3), "–"},
		{fixed(-1.25, 1), "−1.2"}, {fixed(nan, 1), "–"},
		{duration(21.75), "21.8 s"}, {duration(75.4), "1 min 15 s"}, {duration(15234.25), "4 h 13 min"},
		{duration(3599.6), "1 h 00 min"}, {duration(nan), "–"}, {placeIn(record.Field{}, record.Place{1, -2.05}), "(1.0, −2.0) m"},
		{placeIn(record.Field{Boundary: [][]record.Place{{{9, 9}, {59, 9}, {59, 59}}}}, record.Place{1, -2.05}), "(1.0, −2.0) m"},
		{placeIn(record.Field{Boundary: [][]record.Place{{{9, 9}, {58, 9}, {58, 58}}}}, record.Place{1, -2.056}), "(1.00, −2.06) m"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestValueWithStdDev(t *testing.T) {
	for _, c := range []struct {
		v, stdDev        float64
		value, uncertain string
	}{
		{37.4567, 1.234, "37.5", "1.2"},
		{1.98231, 0.0417, "1.982", "0.042"},
		{1234.5, 87, "1234", "87"},
		{1234.5, 870, "1234", "870"},
		{37.4567, 0, "37.46", "0"},
		{37.4567, math.NaN(), "37.46", "–"},
	} {
		if v, d := valueWithSigma(c.v, c.stdDev); v != c.value || d != c.uncertain {
			t.Errorf("%g ± %g: %s ± %s, want %s ± %s", c.v, c.stdDev, v, d, c.value, c.uncertain)
		}
	}
}
