package sim

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/surface"
)

// PointFieldConfig says how a field is made from point data.
type PointFieldConfig struct {
	Model             Model   // model of the fitted variogram
	Smoothness        float64 // smoothness, for Matern only
	LagWidth, LagMost float64 // classes of the empirical variogram, m
	MicroRange        float64 // see Kriger, m
	Spacing           float64 // of the field's grid, m
	Margin            float64 // distance by which the grid extends beyond the outline, m
}

// DefaultPointFieldConfig returns settings on the scale of the data: a
// spherical variogram from classes as wide as the median spacing, up to 0.4 of
// the diagonal of the sampled area (Webster & Oliver advise against lags near
// the extent), and eight nodes to the median spacing.
func DefaultPointFieldConfig(p *PointData) (PointFieldConfig, error) {
	s := p.Spacing()
	if !(s > 0) {
		return PointFieldConfig{}, fmt.Errorf("sim: %d points are too few for a field", len(p.XY))
	}
	b := p.Bound()
	reach := 0.4 * math.Hypot(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
	return PointFieldConfig{
		Model: Spherical, LagWidth: s, LagMost: math.Ceil(reach/s) * s,
		MicroRange: s, Spacing: s / 8, Margin: s,
	}, nil
}

// FieldFromPoints fits a variogram to point data and kriges the data onto a
// grid over the outline. It returns the field and the variogram.
func FieldFromPoints(p *PointData, outline orb.Polygon, cfg PointFieldConfig) (*surface.GridField, Variogram, error) {
	lags, err := EmpiricalVariogram(p, cfg.LagWidth, cfg.LagMost)
	if err != nil {
		return nil, Variogram{}, err
	}
	v, err := FitVariogram(lags, cfg.Model, cfg.Smoothness)
	if err != nil {
		return nil, Variogram{}, err
	}
	if len(outline) == 0 || len(outline[0]) < 3 {
		return nil, v, fmt.Errorf("sim: the outline has fewer than 3 corners")
	}
	g, err := surface.GridOver(outline.Bound(), cfg.Spacing, cfg.Margin)
	if err != nil {
		return nil, v, err
	}
	f, err := Krige(p, v, cfg.MicroRange, g)
	return f, v, err
}
