// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package painter has the only painter of maps: a script that paints the map of a mission on a canvas of the page or the report, and the
// data for it.
//
// A layer is little-endian: the bytes "UGPM", version 1 (uint32), nx, ny (uint32), then x and y of the lower left corner, the edge of a
// cell (m), the values of levels 0 and 254 (float64), and nx·ny levels (uint8) from the lower left, row by row. 255 means no value. Values
// are linear in the level. nx·ny further bytes may follow; each says how faded a cell is, up to 255.
package painter

import (
	"embed"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// Assets has the files that painting needs: scripts, and palette.css with the colours.
//
//go:embed assets
var Assets embed.FS

// Scene is what hardly ever changes.
type Scene struct {
	Name      string             `json:"name,omitempty"`
	Quantity  string             `json:"quantity"`
	Units     string             `json:"units,omitempty"`     // without the logarithm
	Log       record.Transform   `json:"log,omitempty"`       // in the user's units, such as log10 in log10(mg/l); empty: none
	Threshold *float64           `json:"threshold,omitempty"` // user's units; a line on the maps
	Boundary  [][]record.Place   `json:"boundary"`
	KeepOuts  [][][]record.Place `json:"keep_outs,omitempty"`
	Home      *record.Place      `json:"home,omitempty"`
	Photo     *Photo             `json:"photo,omitempty"`
}

// SceneOf returns the scene of a mission.
func SceneOf(m *record.Mission) Scene {
	log, units := record.LogarithmIn(m.Units)
	if log == record.TransformNone {
		log = ""
	}
	return Scene{
		Name: m.Field.Name, Quantity: strings.TrimPrefix(m.Quantity, string(log)+" "), Units: units, Log: log, Threshold: m.Threshold,
		Boundary: m.Field.Boundary, KeepOuts: m.Field.KeepOuts, Home: m.Home,
	}
}

// Sample is a sample with the digits that people see.
type Sample struct {
	N      int           `json:"n"`
	T      float64       `json:"t"` // s
	Value  float64       `json:"v"`
	StdDev float64       `json:"sd"`
	At     record.Place  `json:"at"`
	Cov    [3]float64    `json:"cov"` // xx, xy, yy, m²
	Target record.Place  `json:"to"`
	Read   int           `json:"k"`
	GaveUp bool          `json:"short,omitempty"` // the target was not reached
	True   *record.Place `json:"true,omitempty"`
	Path   *float64      `json:"path,omitempty"`
	Robot  string        `json:"robot,omitempty"` // another robot took it
	Also   []*float64    `json:"also,omitempty"`  // values of the other quantities, in the order of their layers; null: not measured
}

// SampleOf returns the sample of an observation.
func SampleOf(o *record.Observation) Sample {
	s := Sample{
		N: o.Sequence, T: Round(1, o.Stamp), Value: Significant(o.Value), StdDev: Significant(math.Sqrt(o.Variance)),
		At: Place(record.Place{o.Belief.X, o.Belief.Y}), Cov: [3]float64{Significant(o.Belief.XX), Significant(o.Belief.XY), Significant(o.Belief.YY)},
		Target: Place(o.Target), Read: o.Readings, GaveUp: o.Approach != nil && o.Approach.GaveUp, Path: o.Path,
	}
	if o.TruePlace != nil {
		at := Place(*o.TruePlace)
		s.True = &at
	}
	for _, v := range o.Also {
		var value *float64
		if v != nil {
			value = new(Significant(v.Value))
		}
		s.Also = append(s.Also, value)
	}
	return s
}

// Layers returns the keys of the maps of a field in the order in which they are offered.
func Layers(m *record.Maps) []string {
	list := []string{"mean", "stddev", "acquisition", "truth"}
	for i := range m.Layers {
		list = append(list, m.Layers[i].Key())
	}
	return list
}

// Values returns a map in the user's units, the acquisition function in those of the
// model, a layer in its own; nil: there is none.
func Values(m *record.Maps, t record.Transform, layer string) []float64 {
	var values []float64
	switch layer {
	case "mean":
		for _, v := range m.Mean {
			values = append(values, t.Inverse(v))
		}
	case "stddev":
		for i, v := range m.StdDev {
			values = append(values, t.Spread(m.Mean[i], v))
		}
	case "acquisition":
		values = m.Acquisition
	case "truth":
		values = m.Truth
	default:
		if l := m.Layer(layer); l != nil {
			values = l.Values
		}
	}
	return values
}

// Shown reports whether a layer is shown after a number of samples. What is learnt is shown from the second
// on: a single one says nothing about places.
func Shown(layer string, samples int) bool {
	return samples >= 2 || !slices.Contains([]string{"mean", "stddev", "acquisition"}, layer)
}

// Extent returns the lowest and the highest finite value, infinite if there is none.
func Extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if num.Finite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// Limits returns the values with the first and the last colour of a layer after a number of samples. Those of the
// mean are at least four of its standard deviations apart, on average, so that no colours differ where the values
// may be the same. The true field has the colours of the mean; those at the ends also stand for what lies beyond.
func Limits(m *record.Maps, t record.Transform, layer string, samples int) (low, high float64) {
	if layer == "truth" && m.Mean != nil && t.Known() && Shown("mean", samples) {
		layer = "mean"
	}
	low, high = Extent(Values(m, t, layer))
	if layer != "mean" {
		return low, high
	}
	sum, n := 0.0, 0.0
	for _, v := range Values(m, t, "stddev") {
		if num.Finite(v) {
			sum, n = sum+v, n+1
		}
	}
	if more := (4*sum/n - (high - low)) / 2; more > 0 {
		return low - more, high + more
	}
	return low, high
}

// Fade returns how little is known of each cell: the variance as a share of that before any sample,
// at most 1.
func Fade(m *record.Maps, variance float64) []float64 {
	r := make([]float64, len(m.StdDev))
	for i, s := range m.StdDev {
		if r[i] = min(1, s*s/variance); math.IsNaN(r[i]) {
			r[i] = 0
		}
	}
	return r
}

// Encode returns a layer in the form that the package comment describes, with the values from low
// to high in its levels, and those beyond in the first and the last. fade is that of each cell, from 0 to 1; nil: nothing is faded.
func Encode(g record.Grid, values []float64, low, high float64, fade []float64) []byte {
	const top, none = 254, 255
	if low > high {
		low, high = 0, 0
	}
	b := append(make([]byte, 0, 56+len(values)+len(fade)), "UGPM"...)
	for _, v := range []int{1, g.NX, g.NY} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	for _, v := range []float64{g.X, g.Y, g.Cell, low, high} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	scale := 0.0
	if high > low {
		scale = top / (high - low)
	}
	for _, v := range values {
		if !num.Finite(v) {
			b = append(b, none)
			continue
		}
		b = append(b, uint8(math.Round((min(max(v, low), high)-low)*scale)))
	}
	for _, v := range fade {
		b = append(b, uint8(255*v))
	}
	return b
}

// Place rounds a place to centimetres.
func Place(p record.Place) record.Place { return record.Place{Round(2, p[0]), Round(2, p[1])} }

// Places rounds places to centimetres.
func Places(list []record.Place) []record.Place {
	r := make([]record.Place, len(list))
	for i, p := range list {
		r[i] = Place(p)
	}
	return r
}

// Round rounds to a number of decimals. What is not finite becomes 0: JSON has no word for it.
func Round(decimals int, v float64) float64 {
	if !num.Finite(v) {
		return 0
	}
	scale := math.Pow10(decimals)
	if r := math.Round(v*scale) / scale; num.Finite(r) {
		return r
	}
	return v
}

// Significant rounds to five significant digits. What is not finite becomes 0, as in Round.
func Significant(v float64) float64 {
	if !num.Finite(v) {
		return 0
	}
	return num.Rounded(v, 5) + 0 // never -0
}
