// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

// Four cells of log10 values, worked by hand: 10, 100 and 1000 with standard
// deviations of 0.1, 0.6 and 0.1; the threshold is 50, log 1.7; the fourth is outside the field.
func TestSurvey(t *testing.T) {
	nan, threshold := math.NaN(), 50.0
	m := &record.Maps{
		Grid: record.Grid{Cell: 1, NX: 2, NY: 2},
		Mean: []float64{1, 2, 3, nan}, StdDev: []float64{0.1, 0.6, 0.1, nan},
		Truth: []float64{13, 40, 1000, nan},
	}
	s := m.Survey(record.TransformLog10, &threshold)
	spread := 0.0
	for i := range 3 {
		spread += (math.Pow(10, m.Mean[i]+m.StdDev[i]) - math.Pow(10, m.Mean[i]-m.StdDev[i])) / 2 / 3
	}
	for name, c := range map[string][2]float64{
		"standard deviation": {s.StdDev, spread},
		"error":              {s.Error, math.Sqrt((3*3 + 60*60) / 3.0)},
		"inside":             {s.Inside, 1}, // 13 is 1.1 standard deviations above 10, 40 is 0.7 below 100
		"above":              {s.Above, 1.0 / 3}, "below": {s.Below, 1.0 / 3}, "wrong side": {s.WrongSide, 1.0 / 3},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12*c[1] {
			t.Errorf("%s is %g, want %g", name, c[0], c[1])
		}
	}
	m.Truth[0] = 16 // 2.04 above
	if s := m.Survey(record.TransformLog10, nil); math.Abs(s.Inside-2.0/3) > 1e-12 {
		t.Errorf("the truth is within two standard deviations in %g of the cells, want two of three", s.Inside)
	}
	m.Truth = nil
	if s := m.Survey(record.TransformLog10, nil); !math.IsNaN(s.Error) || !math.IsNaN(s.Inside) || !math.IsNaN(s.Above) || !math.IsNaN(s.WrongSide) {
		t.Errorf("without a truth and a threshold: %+v", s)
	}
	if s := (&record.Maps{}).Survey(record.TransformNone, nil); s != nil {
		t.Errorf("without a posterior: %+v", s)
	}
}
