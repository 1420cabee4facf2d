package sim

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/surface"
)

// FieldFromPoints fits a variogram to point data and kriges the data onto a grid over the
// outline. It returns the field and the variogram.
//
// All settings are on the scale of the data: a spherical variogram from classes as wide as
// the median spacing, up to 0.4 of the diagonal of the sampled area (Webster & Oliver
// advise against lags near the extent), and eight nodes to the median spacing, which is
// also the micro range (see [Kriger]) and the margin around the outline.
func FieldFromPoints(p *PointData, outline orb.Polygon) (*surface.GridField, Variogram, error) {
	s := p.Spacing()
	if !(s > 0) {
		return nil, Variogram{}, fmt.Errorf("sim: %d points are too few for a field", len(p.XY))
	}
	b := p.Bound()
	reach := 0.4 * math.Hypot(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
	lags, err := EmpiricalVariogram(p, s, math.Ceil(reach/s)*s)
	if err != nil {
		return nil, Variogram{}, err
	}
	v, err := FitVariogram(lags, Spherical)
	if err != nil {
		return nil, Variogram{}, err
	}
	if len(outline) == 0 || len(outline[0]) < 3 {
		return nil, v, fmt.Errorf("sim: the outline has fewer than 3 corners")
	}
	g, err := surface.GridOver(outline.Bound(), s/8, s)
	if err != nil {
		return nil, v, err
	}
	f, err := Krige(p, v, s, g)
	return f, v, err
}
