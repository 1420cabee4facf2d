// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"strings"
	"testing"
)

// A sensor that is stuck or at its limit is doubted; one with noise, with coarse steps or without anything to measure is not.
func TestAlike(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		struck int // number of a sample that a person has struck
		want   string
	}{
		"noise":               {values: []float64{3, 5, 4, 6, 5.1, 3.2, 7, 4.4}},
		"coarse steps":        {values: []float64{3, 5, 5, 4, 6, 5, 3, 7, 5, 4, 4, 6, 3, 6, 5, 7, 3}},
		"stuck from on":       {values: []float64{3, 5, 4, 1.32, 1.32, 1.3200000000000001, 1.32}, want: "From sample 4 on, 4 samples or more in a row have exactly the same value, 1.32"},
		"was stuck":           {values: []float64{3, 2, 2, 2, 2, 5, 4, 3, 6, 5, 4.5}, want: "From sample 2 on"},
		"stuck for three":     {values: []float64{3, 5, 4, 2, 2, 2}},
		"stuck, but struck":   {values: []float64{3, 5, 4, 2, 2, 2, 2}, struck: 5},
		"always the same":     {values: []float64{2, 2, 2, 2}, want: "All samples have exactly the same value"},
		"always zero":         {values: []float64{0, 0, 0, 0, 0}, want: "All samples have exactly the same value"},
		"nothing to measure":  {values: []float64{0, 0, 0, 0, 0, 3, 0, 0, 1, 0}},
		"at its upper limit":  {values: []float64{9, 5, 9, 4, 9, 6, 9}, want: "Many samples have, as the highest, exactly the same value, 9"},
		"at its lower limit":  {values: []float64{-9, 5, -9, 4, -9, 6, -9}, want: "Many samples have, as the lowest, exactly the same value, -9"},
		"above a lower limit": {values: []float64{1, 5, 1, 4, 7, 1, 6, 8, 1, 3, 5, 2, 6, 4, 2, 3, 8}},
		"no samples":          {},
	} {
		m := &Mission{}
		for i, v := range c.values {
			o := Observation{Sequence: i + 1, Value: v, Variance: 1e-4}
			if o.Sequence == c.struck {
				o.Struck = StruckByPerson
			}
			m.Observations = append(m.Observations, o)
		}
		if got := m.AlikeText(); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
