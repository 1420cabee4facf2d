// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package painter

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/node/record"
)

// Colours do not tell values apart that differ by less than is known of them, and equal values of map and truth
// have the same.
func TestLimits(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		mean, stdDev, truth []float64
		transform           record.Transform
		layer               string
		samples             int
		low, high           float64
	}{
		{[]float64{1.50, 1.54, nan}, []float64{0.1, 0.2, nan}, nil, "", "mean", 2, 1.22, 1.82},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, nil, "", "mean", 2, 0, 3},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, []float64{-9, 1, nan}, "", "mean", 2, 0, 3},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, []float64{-9, 1, nan}, "", "truth", 2, 0, 3},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, []float64{-9, 1, nan}, "", "truth", 1, -9, 1}, // there is no map yet
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, []float64{-9, 1, nan}, "sqrt", "truth", 2, -9, 1},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, []float64{5, 7, nan}, "log10", "truth", 2, 1, 1000},
		{[]float64{0, 3, nan}, []float64{0.1, 0.2, nan}, nil, "", "stddev", 2, 0.1, 0.2},
	} {
		m := &record.Maps{Grid: record.Grid{Cell: 1, NX: 3, NY: 1}, Mean: c.mean, StdDev: c.stdDev, Truth: c.truth}
		low, high := Limits(m, c.transform, c.layer, c.samples)
		if math.Abs(low-c.low) > 1e-12 || math.Abs(high-c.high) > 1e-9 {
			t.Errorf("%+v: from %g to %g", c, low, high)
		}
	}
	b := Encode(record.Grid{Cell: 1, NX: 4, NY: 1}, []float64{-9, 0, 3, 9}, 0, 3, nil)
	if got := b[len(b)-4:]; !slices.Equal(got, []byte{0, 0, 254, 254}) {
		t.Errorf("beyond the limits are the levels %v", got)
	}
}

// A scene has the values and units that people see instead of logarithms, and says which logarithm it is.
func TestSceneOfLogarithms(t *testing.T) {
	s := SceneOf(&record.Mission{Quantity: "log10 K", Units: "log10(mg/l)"})
	if s.Quantity != "K" || s.Units != "mg/l" || s.Log != record.TransformLog10 {
		t.Errorf("%s in %s, logarithm %q; want K in mg/l, log10", s.Quantity, s.Units, s.Log)
	}
	if s := SceneOf(&record.Mission{Quantity: "log", Units: "%"}); s.Quantity != "log" || s.Units != "%" || s.Log != "" {
		t.Errorf("%s in %s, logarithm %q; want log in %%, none", s.Quantity, s.Units, s.Log)
	}
}

// Another quantity has a layer in its own unit from its first value on, whatever is known of the field.
func TestLayers(t *testing.T) {
	of := []float64{40, 60, math.NaN()}
	m := &record.Maps{Grid: record.Grid{Cell: 1, NX: 3, NY: 1}, Layers: []record.Layer{{Kind: record.LayerSecondary, Values: of}, {Kind: record.LayerAlso, Index: 2}}}
	if list := Layers(m); !slices.Equal(list, []string{"mean", "stddev", "acquisition", "truth", "secondary", "also3"}) || !Shown("secondary", 0) {
		t.Errorf("the layers are %q", list)
	}
	if got := Values(m, record.TransformLog10, "secondary"); !slices.Equal(got[:2], of[:2]) || !math.IsNaN(got[2]) {
		t.Errorf("the values are %v, want %v", got, of)
	}
	if low, high := Limits(m, record.TransformLog10, "secondary", 0); low != 40 || high != 60 {
		t.Errorf("the colours are from %g to %g", low, high)
	}
}

// A sample has the values of other quantities in the order of their layers, also of those that were not measured there.
func TestSampleOfOtherQuantities(t *testing.T) {
	s := SampleOf(&record.Observation{Also: []*record.Value{nil, {Value: 6.1234567}}})
	if len(s.Also) != 2 || s.Also[0] != nil || *s.Also[1] != 6.1235 {
		t.Errorf("the values are %v", s.Also)
	}
}

// The page's JSON has no word for what is not finite.
func TestSignificant(t *testing.T) {
	for v, want := range map[float64]float64{123456: 123460, -0.00123456: -0.0012346, 0: 0, math.Inf(1): 0, math.NaN(): 0} {
		if got := Significant(v); got != want {
			t.Errorf("%g is rounded to %g, want %g", v, got, want)
		}
	}
}
