// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"math"
	"slices"

	"ugp_explorer/internal/num"
)

// Grid is a grid of square cells in the map frame. Cell (i, j), i along x and j along
// y, has its centre at (X, Y) + (i+½, j+½)·Cell and the index j·NX + i.
type Grid struct {
	X, Y   float64 // lower left corner, m
	Cell   float64 // edge length of a cell, m
	NX, NY int
}

// Centre returns the centre of a cell, m.
func (g Grid) Centre(i, j int) Place {
	return Place{g.X + (float64(i)+0.5)*g.Cell, g.Y + (float64(j)+0.5)*g.Cell}
}

// Maps are maps of the field at the end of a mission. Each is nil or has NX·NY values.
// Cells outside the field are NaN.
type Maps struct {
	Grid        Grid
	Truth       []float64 // true field, or Truth.Smooth if it is known, user's units
	Mean        []float64 // posterior mean, model units
	StdDev      []float64 // posterior standard deviation, model units
	Acquisition []float64 // merit of Mean for the objective plus β·StdDev, model units
	Layers      []Layer   // of other quantities and of rasters, in the order in which they are offered
}

// Layer is a map with its own name: a covariate raster, or the posterior mean of a quantity other than the sought one. It is NaN outside
// the field and where there is no value.
type Layer struct {
	Kind   LayerKind
	Index  int       // of the quantity in Mission.Also, or of the raster in Mission.Covariates
	Name   string    // of the quantity, or of the raster's file
	Units  string    // user's units of the quantity; empty: none
	Values []float64 // in these units, or those of the raster
}

// LayerKind is the kind of quantity in a layer.
type LayerKind string

// Kinds of layers, in the order in which they are offered.
const (
	LayerSecondary LayerKind = "secondary" // the second quantity
	LayerAlso      LayerKind = "also"      // another quantity of the samples
	LayerRaster    LayerKind = "raster"
)

// Key returns the name of the layer on the page and in the report: "secondary", "also1", "raster1".
func (l *Layer) Key() string {
	if l.Kind == LayerSecondary {
		return string(l.Kind)
	}
	return fmt.Sprint(string(l.Kind), l.Index+1)
}

// Title returns the name, complete without its context.
func (l *Layer) Title() string {
	if l.Kind == LayerRaster {
		return l.Name
	}
	return Capitalised(l.Name)
}

// Layer returns the layer with a key; nil: there is none.
func (m *Maps) Layer(key string) *Layer {
	if i := slices.IndexFunc(m.Layers, func(l Layer) bool { return l.Key() == key }); i >= 0 {
		return &m.Layers[i]
	}
	return nil
}

// Validate returns an error if the grid has no cells or a map does not fit it.
func (m *Maps) Validate() error {
	g := m.Grid
	if g.NX < 1 || g.NY < 1 {
		return fmt.Errorf("record: maps: the grid has %d×%d cells; both numbers must be at least 1", g.NX, g.NY)
	}
	if !(g.Cell > 0) || math.IsInf(g.Cell, 1) {
		return fmt.Errorf("record: maps: cell edge is %g m; it must be positive and finite", g.Cell)
	}
	if !num.Finite(g.X) || !num.Finite(g.Y) {
		return fmt.Errorf("record: maps: origin is (%g, %g) m; it must be finite", g.X, g.Y)
	}
	layers := []Layer{{Name: "truth", Values: m.Truth}, {Name: "mean", Values: m.Mean}, {Name: "stddev", Values: m.StdDev}, {Name: "acquisition", Values: m.Acquisition}}
	for _, l := range append(layers, m.Layers...) {
		if l.Values != nil && len(l.Values) != g.NX*g.NY {
			return fmt.Errorf("record: maps: %s has %d values; a grid of %d×%d needs %d or none", l.Name, len(l.Values), g.NX, g.NY, g.NX*g.NY)
		}
	}
	return nil
}

// Tracks are the paths of a mission in the order of time. Either may be nil. A place
// that is not finite interrupts the line.
type Tracks struct {
	Estimated []Place // from the localisation filter, m
	True      []Place // true places of the robot, m
}

// Survey says how well the whole field is known at the end of a mission. It is computed
// over the cells of the maps, in the user's units. NaN: not computed.
type Survey struct {
	StdDev float64 `json:"stddev"` // posterior standard deviation, mean over the cells
	Error  float64 `json:"error"`  // root mean square of posterior mean − Maps.Truth
	Inside float64 `json:"inside"` // fraction of the cells whose truth is within two standard deviations of the mean

	// Fractions of the cells, with a threshold only.
	Above     float64 `json:"above"`      // mean − 2 standard deviations is above the threshold
	Below     float64 `json:"below"`      // mean + 2 standard deviations is below the threshold
	WrongSide float64 `json:"wrong_side"` // mean and truth are on different sides of the threshold
}

// Survey returns how well the whole field is known. It is nil if the posterior is missing
// or the transform cannot be undone. threshold is in the user's units and may be nil.
func (m *Maps) Survey(t Transform, threshold *float64) *Survey {
	if m.Mean == nil || m.StdDev == nil || !t.Known() {
		return nil
	}
	var s Survey
	var cells, known float64
	for i, mean := range m.Mean {
		if math.IsNaN(mean) {
			continue
		}
		cells++
		value := t.Inverse(mean)
		s.StdDev += t.Spread(mean, m.StdDev[i])
		if threshold != nil && t.Inverse(mean-2*m.StdDev[i]) > *threshold {
			s.Above++
		}
		if threshold != nil && t.Inverse(mean+2*m.StdDev[i]) < *threshold {
			s.Below++
		}
		if m.Truth == nil || math.IsNaN(m.Truth[i]) {
			continue
		}
		known++
		s.Error += (value - m.Truth[i]) * (value - m.Truth[i])
		if t.Inverse(mean-2*m.StdDev[i]) <= m.Truth[i] && m.Truth[i] <= t.Inverse(mean+2*m.StdDev[i]) {
			s.Inside++
		}
		if threshold != nil && (value > *threshold) != (m.Truth[i] > *threshold) {
			s.WrongSide++
		}
	}
	if cells == 0 {
		return nil
	}
	s.StdDev /= cells
	s.Error, s.Inside = math.Sqrt(s.Error/known), s.Inside/known // NaN without a truth
	s.Above, s.Below, s.WrongSide = s.Above/cells, s.Below/cells, s.WrongSide/known
	if threshold == nil {
		s.Above, s.Below, s.WrongSide = math.NaN(), math.NaN(), math.NaN()
	}
	return &s
}
