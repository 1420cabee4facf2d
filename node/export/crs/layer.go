package crs

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/project"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/geojson"
)

var (
	nameOfEPSG   = regexp.MustCompile(`(?i)EPSG:(?:[0-9.]*:)?([0-9]+)$`)
	nameOfCRS84  = regexp.MustCompile(`(?i)CRS:?84$`)
	nameOfMetres = regexp.MustCompile(`^(LOCAL_CS|ENGCRS)\[`)
)

// Named returns the system with the name that a layer has, for a map with this datum. Without a
// name it is longitude and latitude if the map has a datum, else metres of the map.
func Named(name string, datum *field.Datum) (*System, error) {
	switch {
	case name == "":
		return New("", datum)
	case nameOfMetres.MatchString(name):
		return New(Local, nil)
	case nameOfCRS84.MatchString(name):
		return New(WGS84, datum)
	case nameOfEPSG.MatchString(name):
		return New(Kind(name), datum)
	}
	return nil, fmt.Errorf("its crs is %q, want the name of WGS 84 (EPSG:4326, CRS84) or of a UTM zone on it", name)
}

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
		system = localWKT
	case UTM:
		system = fmt.Sprintf("urn:ogc:def:crs:EPSG::%d", s.EPSG)
	}
	return geojson.Layer(name, system, s.Project(features))
}
