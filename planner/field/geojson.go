// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
	"ugp_explorer/planner/table"
)

// errGeoJSON is wrapped by every error about a file that is not a field.
var errGeoJSON = errors.New("planner: invalid field file")

// maxFieldFile is the largest field file, bytes. A field of [maxCorners] takes a hundredth of it;
// the rest is for properties.
const maxFieldFile = 8 << 20

// Source says where a field is read from.
type Source struct {
	File  string       // for the commands in errors
	Field string       // the field among several of a file: its name, its number, or for a part of it both, as "2.1"; empty: the only one
	Datum *earth.Datum // of the map; nil: unknown
}

// ReadField reads a field from GeoJSON: a FeatureCollection, a Feature or a
// geometry. The boundary is its only Polygon, or MultiPolygon with one part, with
// holes; of several the source names one. Polygons and MultiPolygons whose feature has the property
// "keep_out": true, or 1, or "yes", or "role": "keep_out", are keep-outs. The property "stddev" is the
// standard deviation of a feature's edge in metres; the field's is the largest of them. The property "name" is the name
// of a field or a keep-out.
// Polygons with the "role": "localization" are zones, not edges: their "stddev" is the
// standard deviation of the robot's position there. A feature without a geometry is nothing. Anything else in the file is an error, so that nothing is overlooked, and so is
// a keep-out or a zone that lies more than [maxBeside] metres outside the boundary, unless the file has several fields.
//
// Coordinates are those of the system that the member crs names, see package earth. Without one they are metres of the map, x to the
// east and y to the north, or longitude and latitude if there is a datum. A third coordinate is ignored. [NewRegion] checks the rings.
// Small faults are mended, and the field's Changes say so.
//
// The text may begin with a byte order mark. What is no GeoJSON is refused with the command that converts it.
//
// The error wraps [earth.ErrDatum] if the datum, or a coordinate that is read by it, is not one. It is a [*earth.DegreesError] if
// a datum is missing. Errors have the file's own coordinates.
func ReadField(r io.Reader, s Source) (Field, error) {
	if s.Datum != nil {
		if err := s.Datum.Validate(); err != nil {
			return Field{}, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFieldFile+1))
	if err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, err)
	}
	if err := table.Foreign(data, s.File, table.Outline); err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, err)
	}
	if len(data) > maxFieldFile {
		return Field{}, fmt.Errorf("%w: larger than %d MiB: if it is an outline, leave out corners: ogr2ogr -f GeoJSON -simplify 0.000001 thin.geojson %q, for a file in degrees; -simplify 0.1 for one in metres",
			errGeoJSON, maxFieldFile>>20, cmp.Or(s.File, "FILE"))
	}
	var top geojson.Object
	if err := geojson.Read([]byte(table.Text(data)), &top); err != nil {
		return Field{}, fmt.Errorf("%w: not GeoJSON: %w", errGeoJSON, err)
	}
	if top.Type == "" {
		return Field{}, fmt.Errorf("%w: not GeoJSON: it has no member \"type\", so it is JSON of another kind, perhaps the answer of a failed download; save the outline again, as GeoJSON", errGeoJSON)
	}
	l := layer{named: top.System()}
	if err := l.collect(&top, "the file", 1); err != nil {
		return Field{}, err
	}
	if len(l.fields) == 0 {
		return Field{}, fmt.Errorf("%w: no boundary: want one Polygon that is not a keep-out", errGeoJSON)
	}
	if err := l.place(s.Datum); err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, earth.Remedy(err, s.File, false, nil))
	}
	f, err := l.choose(s.Field, cmp.Or(s.File, "FILE"))
	if err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, err)
	}
	if l.why != "" {
		missing := earth.NewDegreesError(l.degrees(f.Boundary.Bound()), l.why)
		var own []float64
		if json.Unmarshal(top.Datum, &own) == nil && len(own) == 2 {
			missing.Datum = earth.Datum{Lon: own[0], Lat: own[1]}
		}
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, missing)
	}
	if err := l.mend(&f, cmp.Or(s.File, "FILE")); err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, withMakeValid(err, s.File))
	}
	if err := l.toMap(&f); err != nil {
		return Field{}, err
	}
	if err := f.checkReach(); err != nil {
		return f, err
	}
	if s.Field != "" {
		f.forgetFar()
	}
	return f, f.checkBeside()
}

// toMap replaces the coordinates of a field by those in the map frame, m.
func (l *layer) toMap(f *Field) error {
	for i, polygon := range f.polygons() {
		of := Field{Boundary: polygon}
		if err := of.each(func(p *orb.Point) (err error) {
			*p, err = l.system.Place(*p)
			return err
		}); err != nil {
			if l.named == "" {
				err = fmt.Errorf("%w; if the coordinates are metres, give no datum", err)
			}
			if i > 0 && i <= len(f.KeepOuts) {
				err = fmt.Errorf("%s: %w", f.KeepOut(i-1), err)
			}
			return err
		}
	}
	return nil
}

// properties are those of a feature that are read. QGIS and shapefiles have no fields of true and false, and write numbers as text.
type properties struct {
	KeepOut, Role, StdDev, Name property
}

// read takes the properties by their names, whatever their case and the marks between their words.
func (p *properties) read(g *geojson.Object) error {
	var all map[string]property
	if err := g.ReadProperties(&all); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)) {
		case "keepout":
			p.KeepOut = value
		case "role":
			p.Role = value
		case "stddev":
			p.StdDev = value
		case "name":
			p.Name = value
		}
	}
	return nil
}

// Values of the property "role".
const (
	roleBoundary     = "boundary"
	roleField        = "field" // the same
	roleKeepOut      = "keep_out"
	roleLocalization = "localization"
)

// meaning returns what the polygons of a feature are, and the standard deviation that it states, m: of its edge, 0 if it
// states none, or of the robot's position in a zone of localisation, which must state one.
func (p *properties) meaning() (role string, stdDev float64, err error) {
	keepOut, ok := yes[p.KeepOut.text()]
	if !ok {
		return "", 0, fmt.Errorf("has the keep_out %.60s, want true, 1, \"true\" or \"yes\" for a place to avoid, and false, 0, \"false\", \"no\" or null for others", p.KeepOut)
	}
	if role = p.Role.text(); keepOut && role == "" {
		role = roleKeepOut
	}
	stated := p.StdDev.text() != ""
	if stated {
		stdDev, err = strconv.ParseFloat(p.StdDev.text(), 64)
	}
	switch {
	case !slices.Contains([]string{"", roleBoundary, roleField, roleKeepOut, roleLocalization}, role):
		err = fmt.Errorf("has the role %.60s, want \"boundary\", \"keep_out\" or \"localization\"", p.Role)
	case keepOut && role != roleKeepOut:
		err = fmt.Errorf("has the role %q and keep_out is true", role)
	case err != nil || !(stdDev >= 0) || math.IsInf(stdDev, 1):
		err = fmt.Errorf("has the stddev %.60s, want a number of metres from 0", p.StdDev)
	case !stated && role == roleLocalization:
		err = errors.New("has the role \"localization\" and no stddev, want the standard deviation of the robot's position there in metres")
	}
	return role, stdDev, err
}

// yes has the values of a property that says yes or no.
var yes = map[string]bool{
	"true": true, "yes": true, "t": true, "y": true, "1": true, "1.0": true, "on": true, "x": true, "wahr": true, "ja": true, "vrai": true, "oui": true, "si": true, "sí": true, "sim": true,
	"false": false, "no": false, "f": false, "n": false, "0": false, "0.0": false, "off": false, "falsch": false, "nein": false, "faux": false, "non": false, "não": false, "": false,
}

// property is the value of a property as the file has it.
type property []byte

// UnmarshalJSON implements json.Unmarshaler.
func (p *property) UnmarshalJSON(data []byte) error {
	*p = append(property(nil), data...)
	return nil
}

// text returns the value in small letters; see word.
func (p property) text() string { return strings.ToLower(p.word()) }

// word returns the value without the quotes of a text and the spaces around it; "" for null, and without a value.
func (p property) word() string {
	var s string
	if json.Unmarshal(p, &s) != nil {
		s = string(p)
	}
	return strings.TrimSpace(s)
}

// WriteField writes a field as GeoJSON, which [ReadField] reads with the same datum: a
// FeatureCollection with the boundary first. Coordinates are metres, or with a datum degrees
// to 0.1 mm; then the member "datum" has the longitude and latitude of the origin. The property
// "stddev" is the standard deviation of the edges in metres, if it is not 0. A coordinate that is
// not finite is an error.
func WriteField(w io.Writer, f Field, datum *earth.Datum) error {
	if err := f.each(func(p *orb.Point) error {
		if math.IsNaN(p[0]+p[1]) || math.IsInf(p[0]+p[1], 0) {
			return fmt.Errorf("%w: a point is (%g, %g)", errGeoJSON, p[0], p[1])
		}
		return nil
	}); err != nil {
		return err
	}
	var origin []float64
	if datum != nil {
		if err := datum.Validate(); err != nil {
			return err
		}
		origin = []float64{datum.Lon, datum.Lat}
		f = f.clone()
		_ = f.each(func(p *orb.Point) error {
			lon, lat := datum.LonLat(p[0], p[1])
			p[0], p[1] = math.Round(lon*1e9)/1e9, math.Round(lat*1e9)/1e9
			return nil
		})
	}
	type properties struct {
		KeepOut bool    `json:"keep_out,omitempty"`
		Role    string  `json:"role"`
		StdDev  float64 `json:"stddev,omitempty"`
		Name    string  `json:"name,omitempty"`
	}
	features := []geojson.Feature{geojson.NewFeature(f.Boundary, properties{Role: roleBoundary, StdDev: f.StdDev, Name: f.Name})}
	for i, p := range f.KeepOuts {
		features = append(features, geojson.NewFeature(p, properties{KeepOut: true, Role: roleKeepOut, StdDev: f.StdDev, Name: f.nameOf(i)}))
	}
	for _, z := range f.Localization {
		features = append(features, geojson.NewFeature(z.Polygon, properties{Role: roleLocalization, StdDev: z.StdDev}))
	}
	return json.NewEncoder(w).Encode(struct {
		Type     string            `json:"type"`
		Datum    []float64         `json:"datum,omitempty"`
		Features []geojson.Feature `json:"features"`
	}{"FeatureCollection", origin, features})
}

// clone returns a copy that shares no points with f.
func (f Field) clone() Field {
	f.Boundary, f.KeepOuts = f.Boundary.Clone(), orb.MultiPolygon(f.KeepOuts).Clone()
	f.Localization = slices.Clone(f.Localization)
	for i := range f.Localization {
		f.Localization[i].Polygon = f.Localization[i].Polygon.Clone()
	}
	return f
}

// polygons returns all polygons: the boundary, the keep-outs and the zones.
func (f *Field) polygons() []orb.Polygon {
	list := append([]orb.Polygon{f.Boundary}, f.KeepOuts...)
	for _, z := range f.Localization {
		list = append(list, z.Polygon)
	}
	return list
}

// each calls do with every point of f and stops at the first error.
func (f *Field) each(do func(p *orb.Point) error) error {
	for _, polygon := range f.polygons() {
		for _, ring := range polygon {
			for i := range ring {
				if err := do(&ring[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
