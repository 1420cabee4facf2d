package fieldsim

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/convert"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// FieldConfig says where the true field and its outline come from.
type FieldConfig struct {
	File     string    // point data; empty: a synthetic field
	Column   string    // of File, with the quantity; empty: see [sim.ReadPoints]
	Boundary string    // GeoJSON; empty: the outline of the data, or the synthetic farm
	Range    float64   // m, range of a synthetic field's variogram; 0: that of Broom's Barn, or 0.6 of the side of a square of the field's area if that is less
	Shape    string    // of a synthetic field's variogram, one of the shapes
	Datum    []float64 // longitude, latitude (degrees) of the map's origin; empty: Boundary and File are in metres
}

// Open returns the true field and the outline in which it may be explored. A
// synthetic field is made from the seed. Errors name the file.
func (c FieldConfig) Open(seed uint64) (*surface.GridField, field.Field, error) {
	var outline field.Field
	if c.Boundary != "" {
		var err error
		if outline, err = convert.ReadBoundary(c.Boundary, c.Datum); err != nil {
			return nil, outline, err
		}
	}
	if c.File == "" {
		if outline.Boundary == nil {
			outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
		}
		field, err := c.Draw(outline.Boundary, seed)
		return field, outline, err
	}
	points, err := sim.LoadPoints(c.File, c.Column)
	if err == nil && points.Degrees {
		err = c.place(points.XY)
	}
	if err != nil {
		return nil, field.Field{}, err
	}
	if outline.Boundary == nil {
		if outline.Boundary, err = sim.Outline(points); err != nil {
			return nil, field.Field{}, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	truth, err := sim.FieldFromPoints(points, outline.Boundary)
	if err != nil {
		return nil, field.Field{}, fmt.Errorf("%s: %w", c.File, err)
	}
	return truth, outline, nil
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

// place converts points in degrees to metres.
func (c FieldConfig) place(points []orb.Point) error {
	datum, err := convert.Datum("field.datum", c.Datum)
	if err == nil && datum == nil {
		err = field.NewDegreesError(orb.MultiPoint(points).Bound(), "the places are in lon and lat")
	}
	for i, p := range points {
		if err == nil {
			points[i][0], points[i][1], err = datum.Plane(p[0], p[1])
		}
	}
	if err != nil {
		return fmt.Errorf("point data %s: %w", c.File, err)
	}
	return nil
}

// Shapes of a synthetic field's variogram, from rough to smooth.
const (
	shapeExponential = "exponential"
	shapeSpherical   = "spherical"
	shapeMatern      = "matern52"
)
