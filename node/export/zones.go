package export

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/peterstace/simplefeatures/geom"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/geojson"
)

// gridded is the posterior on a grid which covers an area and reaches beyond it, user's units.
type gridded struct {
	area         *area
	grid         record.Grid
	mean, stdDev []float64 // of all cells
	low, high    []float64 // mean ∓ 2 standard deviations
	inside       []int     // cells whose centres lie in the area
	quantity     string
	units        string
}

// mostNodes bounds the cells of a gridded. The posterior is smooth, so that larger cells do
// where the maps of a large field have small ones.
const mostNodes = 250_000

// newGridded evaluates the posterior on cells of cell metres, or larger ones.
func newGridded(m *record.Mission, a *area, surface Surface, cell float64) *gridded {
	lo, hi := a.region.Bounds()
	cell = max(cell, math.Sqrt((hi[0]-lo[0])*(hi[1]-lo[1])/mostNodes))
	g := &gridded{area: a, quantity: m.Quantity, units: units(m)}
	// Two cells beyond the outline, so that it lies inside the outermost centres.
	first, last := math.Floor(lo[0]/cell)-2, math.Ceil(hi[0]/cell)+2
	bottom, top := math.Floor(lo[1]/cell)-2, math.Ceil(hi[1]/cell)+2
	g.grid = record.Grid{X: first * cell, Y: bottom * cell, Cell: cell, NX: int(last - first), NY: int(top - bottom)}
	places := make([]record.Place, g.grid.NX*g.grid.NY)
	for k := range places {
		places[k] = g.grid.Centre(k%g.grid.NX, k/g.grid.NX)
		if a.contains(places[k]) {
			g.inside = append(g.inside, k)
		}
	}
	mean, stdDev := surface(places)
	for i, v := range mean {
		g.mean, g.stdDev = append(g.mean, m.Transform.Inverse(v)), append(g.stdDev, m.Transform.Spread(v, stdDev[i]))
		g.low, g.high = append(g.low, m.Transform.Inverse(v-2*stdDev[i])), append(g.high, m.Transform.Inverse(v+2*stdDev[i]))
	}
	return g
}

// contours returns a feature for each level that occurs in the area.
func (g *gridded) contours(levels []float64, threshold *float64) (features []geojson.Feature, err error) {
	for _, level := range levels {
		var rings []geom.LineString
		for _, r := range march(g.grid, g.mean, level, 0.5) {
			rings = append(rings, lineString(orb.LineString(r)))
		}
		clipped, err := geom.Intersection(geom.NewMultiLineString(rings).AsGeometry(), g.area.shape)
		if err != nil {
			return nil, fmt.Errorf("export: the contour line of %g: %w", level, err)
		}
		parts := lines(clipped)
		if len(parts) == 0 {
			continue
		}
		features = append(features, geojson.NewFeature(parts, geojson.Properties{
			"value": level, "threshold": threshold != nil && level == *threshold, "quantity": g.quantity, "units": g.units,
		}))
	}
	return features, nil
}

// zones returns a feature for each part of the area between two successive levels, which are
// given in ascending order, from the lowest to the highest. kind says how the levels were
// chosen.
func (g *gridded) zones(levels []float64, kind string) (features []geojson.Feature, err error) {
	for i := range len(levels) + 1 {
		low, high := math.Inf(-1), math.Inf(1)
		if i > 0 {
			low = levels[i-1]
		}
		if i < len(levels) {
			high = levels[i]
		}
		zone, err := geom.Intersection(shape(between(g.grid, g.mean, low, high)), g.area.shape)
		if err != nil {
			return nil, fmt.Errorf("export: the zone from %g to %g: %w", low, high, err)
		}
		if parts := polygons(zone); len(parts) > 0 {
			features = append(features, geojson.NewFeature(parts, g.describe(parts, i+1, low, high, kind)))
		}
	}
	return features, nil
}

// describe returns the properties of a zone. certain_share is the share of its cells whose
// mean ∓ 2 standard deviations lie between its limits; null if it has no cell.
func (g *gridded) describe(parts orb.MultiPolygon, number int, low, high float64, kind string) geojson.Properties {
	var cells, certain, sum float64
	for _, k := range g.inside {
		if v := g.mean[k]; !(v >= low && v < high) {
			continue
		}
		cells++
		sum += g.mean[k]
		if g.low[k] >= low && g.high[k] < high {
			certain++
		}
	}
	return geojson.Properties{
		"zone": number, "kind": kind, "low": significant(low), "high": significant(high), "quantity": g.quantity, "units": g.units,
		"mean": significant(sum / cells), "area_m2": math.Round(10*shape(parts).Area()) / 10, "certain_share": significant(certain / cells),
	}
}
