package fieldsim

import (
	"fmt"

	"ugp_explorer/node/convert"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

// FieldConfig says where the true field and its outline come from.
type FieldConfig struct {
	File     string           // point data; empty: a synthetic field
	Columns  sim.PointOptions // of File
	Boundary string           // GeoJSON; empty: the outline of the data, or the synthetic farm
	Range    float64          // m, range of a synthetic field's variogram; 0: that of Broom's Barn
	Datum    []float64        // longitude, latitude (degrees) of the map's origin; empty: Boundary is in metres
}

// Open returns the true field and the outline in which it may be explored. A
// synthetic field is made from the seed. Errors name the file.
func (c FieldConfig) Open(seed uint64) (*sim.GridField, field.Field, error) {
	outline, err := c.outline()
	if err != nil {
		return nil, field.Field{}, err
	}
	if c.File == "" {
		cfg := sim.DefaultSyntheticConfig()
		if outline.Boundary == nil {
			outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
		} else {
			cfg.Outline = outline.Boundary
		}
		if c.Range > 0 {
			cfg.Variogram.Range = c.Range
		}
		field, err := sim.NewSynthetic(cfg, seed)
		return field, outline, err
	}
	points, err := sim.LoadPoints(c.File, c.Columns)
	if err != nil {
		return nil, field.Field{}, err
	}
	if outline.Boundary == nil {
		if outline.Boundary, err = sim.Outline(points, false); err != nil {
			return nil, field.Field{}, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	cfg, err := sim.DefaultPointFieldConfig(points)
	if err != nil {
		return nil, field.Field{}, fmt.Errorf("%s: %w", c.File, err)
	}
	truth, _, err := sim.FieldFromPoints(points, outline.Boundary, cfg)
	if err != nil {
		return nil, field.Field{}, fmt.Errorf("%s: %w", c.File, err)
	}
	return truth, outline, nil
}

// outline reads the boundary file; without one the boundary is nil.
func (c FieldConfig) outline() (field.Field, error) {
	if c.Boundary == "" {
		return field.Field{}, nil
	}
	return convert.ReadBoundary(c.Boundary, c.Datum)
}
