// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/peterstace/simplefeatures/geom"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/geojson"
)

// gridded is the posterior on a grid which covers an area and reaches beyond it, in the units that people see.
type gridded struct {
	area      *area
	grid      record.Grid
	scale     record.Scale
	mean      []float64    // of all cells; the median where the model has logarithms
	low, high []float64    // mean ∓ 2 standard deviations
	maps      *record.Maps // mean and standard deviation inside the area, model units
	inside    []int        // cells whose centres lie in the area
}

// mostNodes bounds the cells of a gridded. The posterior is smooth, so that larger cells do
// where the maps of a large field have small ones.
const mostNodes = 250_000

// newGridded evaluates the posterior on cells of cell metres, or larger ones.
func newGridded(m *record.Mission, a *area, surface Surface, cell float64) *gridded {
	lo, hi := a.region.Bounds()
	cell = max(cell, math.Sqrt((hi[0]-lo[0])*(hi[1]-lo[1])/mostNodes))
	g := &gridded{area: a, scale: m.Scale()}
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
	g.maps = &record.Maps{Grid: g.grid, Mean: make([]float64, len(mean)), StdDev: stdDev}
	for i := range mean {
		g.maps.Mean[i] = math.NaN()
	}
	for _, k := range g.inside {
		g.maps.Mean[k] = mean[k]
	}
	for i, v := range mean {
		g.mean = append(g.mean, g.scale.Value(v))
		g.low, g.high = append(g.low, g.scale.Value(v-2*stdDev[i])), append(g.high, g.scale.Value(v+2*stdDev[i]))
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
			"value": level, "threshold": threshold != nil && level == *threshold, "quantity": g.scale.Quantity, "units": g.scale.Units,
		}))
	}
	return features, nil
}

// Zone is the part of the field where the mean is between two limits, in the units that people see. Those of
// the first and the last zone are infinite.
type Zone struct {
	Number    int // from 1, of the lowest values
	Low, High float64
	Mean      float64 // NaN: it has no cell
	Area      float64 // m²
	Certain   float64 // share of its cells whose mean ∓ 2 standard deviations lie between its limits; NaN: it has none
	Polygons  orb.MultiPolygon
	kind      string // how the limits were chosen
}

// zones returns the parts of the area between successive levels, which are given in ascending order.
func (g *gridded) zones(levels []float64, kind string) (list []Zone, err error) {
	for i := range len(levels) + 1 {
		z := Zone{Number: i + 1, Low: math.Inf(-1), High: math.Inf(1), kind: kind}
		if i > 0 {
			z.Low = levels[i-1]
		}
		if i < len(levels) {
			z.High = levels[i]
		}
		part, err := geom.Intersection(shape(between(g.grid, g.mean, z.Low, z.High)), g.area.shape)
		if err != nil {
			return nil, fmt.Errorf("export: the zone from %g to %g: %w", z.Low, z.High, err)
		}
		if z.Polygons = polygons(part); len(z.Polygons) > 0 {
			g.measure(&z)
			list = append(list, z)
		}
	}
	return list, nil
}

// besides says that a threshold lies outside the values of the map, and does not divide the field; "": it does,
// or is nil.
func (g *gridded) besides(threshold *float64) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, k := range g.inside {
		low, high = min(low, g.mean[k]), max(high, g.mean[k])
	}
	side := ""
	switch {
	case threshold == nil || low > high:
		return ""
	case *threshold > high:
		side = "below"
	case *threshold <= low:
		side = "above"
	default:
		return ""
	}
	return fmt.Sprintf("The threshold %s does not divide the field: the %s is expected to be %s it everywhere, from %s to %s.",
		withUnits(*threshold, g.scale.Units), g.scale.Quantity, side, num.Short(low, 4), withUnits(high, g.scale.Units))
}

// measure sets what the cells tell of a zone.
func (g *gridded) measure(z *Zone) {
	var cells, certain, sum float64
	for _, k := range g.inside {
		if v := g.mean[k]; !(v >= z.Low && v < z.High) {
			continue
		}
		cells++
		sum += g.mean[k]
		if g.low[k] >= z.Low && g.high[k] < z.High {
			certain++
		}
	}
	z.Mean, z.Certain, z.Area = sum/cells, certain/cells, shape(z.Polygons).Area()
}

// features returns the zones as a layer.
func (g *gridded) features(zones []Zone) (features []geojson.Feature) {
	for _, z := range zones {
		features = append(features, geojson.NewFeature(z.Polygons, geojson.Properties{
			"zone": z.Number, "kind": z.kind, "low": significant(z.Low), "high": significant(z.High), "quantity": g.scale.Quantity, "units": g.scale.Units,
			"mean": significant(z.Mean), "area_m2": math.Round(10*z.Area) / 10, "certain_share": significant(z.Certain),
		}))
	}
	return features
}
