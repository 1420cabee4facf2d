// Package geojson writes layers of features as GeoJSON.
//
// Longitude and latitude are as in RFC 7946. Other coordinates have the member crs of the
// GeoJSON specification of 2008, which GDAL reads: the name of the system, or its well-known
// text for metres of the map.
package geojson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/node/export/crs"
)

// Feature is a geometry in the map frame, m, with properties: strings, booleans, integers
// and floats; a float that is not finite is written as null.
type Feature struct {
	Geometry   orb.Geometry // Point, MultiLineString or MultiPolygon
	Properties map[string]any
}

type feature struct {
	Type       string         `json:"type"`
	Properties map[string]any `json:"properties"`
	Geometry   geometry       `json:"geometry"`
}

type geometry struct {
	Type        string       `json:"type"`
	Coordinates orb.Geometry `json:"coordinates"`
}

// CRS is the member crs.
type CRS struct {
	Type       string `json:"type"`
	Properties struct {
		Name string `json:"name"`
	} `json:"properties"`
}

// Encode returns the file of a layer, one feature a line, with coordinates in the system.
// Outer rings are counter-clockwise and holes clockwise.
func Encode(name string, features []Feature, system *crs.System) ([]byte, error) {
	var file bytes.Buffer
	title, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&file, "{\"type\": \"FeatureCollection\", \"name\": %s,\n", title)
	if system.Kind() != crs.WGS84 {
		member := CRS{Type: "name"}
		member.Properties.Name = crs.LocalWKT
		if code := system.EPSG(); code > 0 {
			member.Properties.Name = fmt.Sprintf("urn:ogc:def:crs:EPSG::%d", code)
		}
		b, err := json.Marshal(member)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&file, "\"crs\": %s,\n", b)
	}
	file.WriteString("\"features\": [")
	for i, f := range features {
		properties := map[string]any{}
		for k, v := range f.Properties {
			properties[k] = finite(v)
		}
		b, err := json.Marshal(feature{"Feature", properties, geometry{f.Geometry.GeoJSONType(), project(f.Geometry, system)}})
		if err != nil {
			return nil, fmt.Errorf("feature %d of %s: %w", i+1, name, err)
		}
		file.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0])
		file.Write(b)
	}
	file.WriteString("\n]}\n")
	return file.Bytes(), nil
}

func finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil
	}
	return v
}

// project returns a copy of a geometry in the coordinates of a system.
func project(g orb.Geometry, system *crs.System) orb.Geometry {
	at := func(p orb.Point) orb.Point { return system.Round(system.Of(p)) }
	line := func(points []orb.Point) []orb.Point {
		list := make([]orb.Point, len(points))
		for i, p := range points {
			list[i] = at(p)
		}
		return list
	}
	switch g := g.(type) {
	case orb.Point:
		return at(g)
	case orb.MultiLineString:
		lines := make(orb.MultiLineString, len(g))
		for i, l := range g {
			lines[i] = line(l)
		}
		return lines
	case orb.MultiPolygon:
		polygons := make(orb.MultiPolygon, len(g))
		for i, p := range g {
			for k, r := range p {
				ring := orb.Ring(line(r))
				if (ring.Orientation() == orb.CCW) != (k == 0) {
					slices.Reverse(ring)
				}
				polygons[i] = append(polygons[i], ring)
			}
		}
		return polygons
	}
	panic(fmt.Sprintf("geojson: a %T cannot be written", g))
}
