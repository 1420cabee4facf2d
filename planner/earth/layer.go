// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/project"

	"ugp_explorer/planner/field/geojson"
)

// Project returns features in the map frame, m, with coordinates in the system. Outer rings become
// counter-clockwise and holes clockwise.
func (s *System) Project(features []geojson.Feature) []geojson.Feature {
	projected := make([]geojson.Feature, len(features))
	for i, f := range features {
		g := project.Geometry(orb.Clone(f.Geometry.Coordinates), func(p orb.Point) orb.Point { return s.Round(s.Of(p)) })
		polygons, _ := g.(orb.MultiPolygon)
		if p, ok := g.(orb.Polygon); ok {
			polygons = orb.MultiPolygon{p}
		}
		for _, p := range polygons {
			for k, ring := range p {
				if (ring.Orientation() == orb.CCW) != (k == 0) {
					slices.Reverse(ring)
				}
			}
		}
		projected[i] = geojson.NewFeature(g, f.Properties)
	}
	return projected
}

// Layer returns a layer of features in the map frame, m, as GeoJSON with coordinates in the system.
func (s *System) Layer(name string, features []geojson.Feature) ([]byte, error) {
	system := ""
	switch s.Kind {
	case Local:
		system = LocalWKT
	case WGS84:
		if s.EPSG != epsgWGS84 {
			system = fmt.Sprintf("urn:ogc:def:crs:EPSG::%d", s.EPSG)
		}
	default:
		system = fmt.Sprintf("urn:ogc:def:crs:EPSG::%d", s.EPSG)
	}
	return geojson.Layer(name, system, s.Project(features))
}
