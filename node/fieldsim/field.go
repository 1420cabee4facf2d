// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// FieldConfig says where the true field and its outline come from.
type FieldConfig struct {
	File     string    // point data; empty: a synthetic field
	Column   string    // of File, with the quantity; empty: see [sim.LoadPoints]
	Boundary string    // GeoJSON; empty: the outline of the data, or the synthetic farm
	Range    float64   // m, range of a synthetic field's variogram; 0: that of Broom's Barn, or 0.6 of the side of a square of the field's area if that is less
	Shape    string    // of a synthetic field's variogram, one of the shapes
	Datum    []float64 // longitude, latitude (degrees) of the map's origin; empty: Boundary and File are in metres
}

// World is an open field.
type World struct {
	Truth   *surface.GridField
	Outline field.Field // in which it may be explored
	Note    string      // what a person should know of the point data, in a clause; "": nothing
}

// Open opens the field: kriging it from data may take a second. A synthetic field is made from the seed. Errors name the file.
func (c FieldConfig) Open(seed uint64) (w World, err error) {
	if c.Boundary != "" {
		if w.Outline, err = convert.ReadBoundary(c.Boundary, c.Datum); err != nil {
			return World{}, err
		}
	}
	if c.File == "" {
		if w.Outline.Boundary == nil {
			w.Outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
		}
		w.Truth, err = c.Draw(w.Outline.Boundary, seed)
		return w, err
	}
	datum, err := convert.Datum("field.datum", c.Datum)
	if err != nil {
		return World{}, err
	}
	file, column := record.SplitName(c.File)
	points, err := sim.LoadPoints(file, cmp.Or(c.Column, column), datum)
	if err != nil {
		return World{}, err
	}
	if note := points.Missing.String(); note != "" {
		w.Note = fmt.Sprintf("in %s %s", filepath.Base(c.File), note)
	}
	if w.Outline.Boundary == nil {
		if w.Outline.Boundary, err = sim.Outline(points); err != nil {
			return World{}, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	if err := covers(points.XY, w.Outline.Boundary); err != nil {
		return World{}, fmt.Errorf("%s: %w", c.File, err)
	}
	w.Truth, err = sim.FieldFromPoints(points, w.Outline.Boundary)
	if err != nil {
		return World{}, fmt.Errorf("%s: %w", c.File, err)
	}
	return w, nil
}

// Draw returns a synthetic field of the seed, whatever File is. It is fitted to its outline: on a small
// field the quantity varies over shorter distances, and on a large one the grid is coarser.
func (c FieldConfig) Draw(outline orb.Polygon, seed uint64) (*surface.GridField, error) {
	cfg := sim.DefaultSyntheticConfig()
	cfg.Outline = outline
	if side := math.Sqrt(math.Abs(planar.Area(outline))); side > 0 { // otherwise the field is refused
		const rangeShare, finest, coarsest = 0.6, 1.0 / 15, 1.0 / 500 // of the side
		spacing := max(min(cfg.Spacing, finest*side), coarsest*side)
		cfg.Margin *= spacing / cfg.Spacing
		cfg.Spacing = spacing
		cfg.Variogram.Range = min(cfg.Variogram.Range, rangeShare*side)
	}
	if c.Range > 0 {
		cfg.Variogram.Range = c.Range
	}
	switch v := &cfg.Variogram; c.Shape { // its range is then the practical one, at which 95 % of the sill is reached
	case shapeExponential:
		v.Model, v.Range = sim.Exponential, v.Range/3
	case shapeMatern:
		const practical = 5.92 // (1 + h + h²/3)·exp(-h) = 0.05
		v.Model, v.Range = sim.Matern52, v.Range/practical
	}
	return sim.NewSynthetic(cfg, seed)
}

// covers returns an error if too few points lie on the field, or beside it by a tenth of its length: elsewhere kriging knows only
// their mean.
func covers(points []orb.Point, outline orb.Polygon) error {
	const fewest, beside = 10, 0.1
	b := outline.Bound()
	box, n := b.Pad(beside*max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])), 0
	for _, p := range points {
		if box.Contains(p) {
			n++
		}
	}
	if n >= min(fewest, len(points)) {
		return nil
	}
	own := orb.MultiPoint(points).Bound()
	return fmt.Errorf("%d of its %d points lie on the field or beside it, want %d or more: they reach from (%.0f, %.0f) to (%.0f, %.0f) m on the map, and the field from (%.0f, %.0f) to (%.0f, %.0f) m; give the survey of this field, or its coordinates in a system that the file names",
		n, len(points), min(fewest, len(points)), own.Min[0], own.Min[1], own.Max[0], own.Max[1], b.Min[0], b.Min[1], b.Max[0], b.Max[1])
}

// Shapes of a synthetic field's variogram, from rough to smooth.
const (
	shapeExponential = "exponential"
	shapeSpherical   = "spherical"
	shapeMatern      = "matern52"
)
