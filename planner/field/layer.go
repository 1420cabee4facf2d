// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
	"ugp_explorer/planner/table"
)

// layer is what a file has: fields, places to avoid, zones.
type layer struct {
	named  string // the system as the file names it; "": it does not
	system *earth.System
	why    string    // places need a datum that is not there; "": they do not
	unit   orb.Point // m, of the axes

	fields   []part // boundaries
	keepOuts []part
	zones    []LocalizationZone
}

// part is a polygon of a feature.
type part struct {
	polygon        orb.Polygon
	feature, index int // from 1; index is 0 in a feature of one part
	name           string
	stdDev         float64 // of its edge, m
}

// number returns the number by which a person names the part.
func (p *part) number() string {
	if p.index == 0 {
		return strconv.Itoa(p.feature)
	}
	return fmt.Sprintf("%d.%d", p.feature, p.index)
}

// collect adds the polygons of the n-th feature g, which is called name in errors.
func (l *layer) collect(g *geojson.Object, name string, n int) error {
	switch g.Type {
	case "FeatureCollection":
		if len(g.Features) == 0 {
			return fmt.Errorf("%w: the FeatureCollection is empty", errGeoJSON)
		}
		for i, text := range g.Features {
			var feature geojson.Object
			name := fmt.Sprintf("feature %d", i+1)
			if err := geojson.Read(text, &feature); err != nil {
				return fmt.Errorf("%w: not GeoJSON: %s: %w", errGeoJSON, name, err)
			}
			if feature.Type != "Feature" {
				return fmt.Errorf("%w: %s has type %q, want Feature", errGeoJSON, name, feature.Type)
			}
			if feature.Geometry == nil && len(g.Features) > 1 {
				continue
			}
			if err := l.collect(&feature, name, i+1); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		if g.Geometry == nil {
			return fmt.Errorf("%w: %s has no geometry", errGeoJSON, name)
		}
		if err := g.Declare(&l.named); err != nil {
			return fmt.Errorf("%w: %s: %w", errGeoJSON, name, err)
		}
		var p properties
		if err := p.read(g); err != nil {
			return fmt.Errorf("%w: not GeoJSON: properties of %s: %w", errGeoJSON, name, err)
		}
		role, stdDev, err := p.meaning()
		if err != nil {
			return fmt.Errorf("%w: %s %w", errGeoJSON, name, err)
		}
		return l.add(g.Geometry, name, role, part{feature: n, name: p.Name.word(), stdDev: stdDev})
	}
	return l.add(g, name, "", part{feature: n})
}

// add adds the polygons of a geometry.
func (l *layer) add(g *geojson.Object, name, role string, of part) error {
	var polygons [][][][]float64
	var err error
	switch g.Type {
	case "Polygon":
		polygons = make([][][][]float64, 1)
		err = g.ReadCoordinates(&polygons[0])
	case "MultiPolygon":
		err = g.ReadCoordinates(&polygons)
	case "GeometryCollection":
		for k, part := range g.Geometries {
			if len(g.Geometries) > 1 {
				of.index = k + 1
			}
			if part == nil {
				part = &geojson.Object{}
			}
			if err := l.add(part, fmt.Sprintf("geometry %d of %s", k+1, name), role, of); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("%w: %s is of type %q, want Polygon or MultiPolygon%s", errGeoJSON, name, g.Type, intoPolygon(g.Type))
	}
	if err != nil {
		return fmt.Errorf("%w: coordinates of %s: %w", errGeoJSON, name, err)
	}
	if len(polygons) == 0 {
		return fmt.Errorf("%w: %s has no polygon", errGeoJSON, name)
	}
	whole := name
	for k, rings := range polygons {
		if len(polygons) > 1 {
			name, of.index = fmt.Sprintf("part %d of %s", k+1, whole), k+1
		}
		polygon := make(orb.Polygon, len(rings))
		for i, positions := range rings {
			polygon[i] = make(orb.Ring, len(positions))
			for j, p := range positions {
				if len(p) < 2 {
					return fmt.Errorf("%w: position %d in ring %d of %s has %d numbers, want at least 2", errGeoJSON, j+1, i+1, name, len(p))
				}
				polygon[i][j] = orb.Point{p[0], p[1]}
			}
		}
		if len(polygon) == 0 || len(polygon[0]) == 0 {
			return fmt.Errorf("%w: a polygon of %s is empty", errGeoJSON, name)
		}
		if len(polygon[0]) < 3 {
			return fmt.Errorf("%w: %s has a ring of %s, want at least 3", errGeoJSON, name, num.Count(len(polygon[0]), "position"))
		}
		of.polygon = polygon
		switch role {
		case roleKeepOut:
			l.keepOuts = append(l.keepOuts, of)
		case roleLocalization:
			l.zones = append(l.zones, LocalizationZone{polygon, of.stdDev})
		default:
			l.fields = append(l.fields, of)
		}
	}
	return nil
}

// place finds the system of the coordinates, for a map with this datum, and makes longitudes go on beyond the 180th meridian.
func (l *layer) place(datum *earth.Datum) (err error) {
	system := l.named
	if system == "" {
		if system = earth.LocalWKT; datum != nil {
			system = "WGS84"
		} else if l.why = l.looksLikeDegrees(); l.why != "" {
			system = "WGS84"
		}
	}
	if l.system, err = earth.Known(system); err != nil {
		return err
	}
	l.unit = orb.Point{1, 1}
	if l.system.Kind == earth.Local {
		return l.checkStray()
	}
	first := l.fields[0].polygon[0][0]
	if l.system.Kind == earth.WGS84 {
		if math.Abs(first[1]) > 90 && math.Abs(first[0]) <= 90 && math.Abs(first[1]) <= 180 {
			return fmt.Errorf("%w: the latitude of the first corner would be %.9g°, beyond the pole: longitude comes first; exchange the two numbers of each corner", earth.ErrDatum, first[1])
		}
		if l.named != "" && (math.Abs(first[0]) > 360 || math.Abs(first[1]) > 90) {
			return fmt.Errorf("%w: the first corner is (%.9g, %.9g), and the file declares %s, which is longitude and latitude: correct the member crs to the system of these numbers, in QGIS by Layer, Set Layer CRS before you save it",
				earth.ErrDatum, first[0], first[1], l.named)
		}
		all := Field{Localization: l.zones} // whatever its polygons are
		for _, p := range slices.Concat(l.fields, l.keepOuts) {
			all.KeepOuts = append(all.KeepOuts, p.polygon)
		}
		_ = all.each(func(p *orb.Point) error {
			if away := p[0] - first[0]; math.Abs(away) > 180 && math.Abs(p[0]) <= 360 {
				p[0] -= 360 * math.Round(away/360)
			}
			return nil
		})
		if err := l.checkStray(); err != nil {
			return err
		}
	}
	if l.named != "" && datum == nil {
		l.why = "the file declares " + l.named
		if l.system.Kind != earth.WGS84 {
			l.why += ", and if that is the robot's map frame, delete the member crs"
		}
	}
	lon, lat := l.system.LonLat(first)
	if at, err := l.system.On(&earth.Datum{Lon: lon, Lat: lat}); err == nil { // else the first corner is refused below
		dx, dy := at.Step(orb.Point{}, 1)
		l.unit = orb.Point{1 / dx, 1 / dy}
	}
	if datum != nil {
		l.system, err = l.system.On(datum)
	}
	return err
}

// looksLikeDegrees returns why the coordinates must be degrees, "" if they are metres.
func (l *layer) looksLikeDegrees() string {
	for _, p := range l.fields {
		b := p.polygon[0].Bound()
		split := true // by the 180th meridian
		for _, at := range p.polygon[0] {
			split = split && math.Abs(at[0]) > 179 && math.Abs(at[0]) <= 181
		}
		w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]
		if max(-b.Min[0], b.Max[0]) > 361 || max(-b.Min[1], b.Max[1]) > 180 || h >= 1 || w >= 1 && !split {
			return ""
		}
	}
	b := l.fields[0].polygon[0].Bound()
	return fmt.Sprintf("the boundary measures %.3g by %.3g at (%.6g, %.6g), which must be degrees, not metres", b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Min[0], b.Min[1])
}

// checkStray returns an error if all corners of a field but one are as close together as only degrees are, and that one is a degree
// or more away: a digit or sign of it is wrong. Such a field does not look like degrees, and in metres it makes no sense.
func (l *layer) checkStray() error {
	const close, far = 0.05, 1
	apart := func(a, b orb.Point) float64 { return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1])) }
	for _, p := range l.fields {
		ring := slices.Compact(slices.Clone(p.polygon[0]))
		if n := len(ring); n > 1 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		if len(ring) < 3 {
			continue
		}
		home := ring[0]
		if apart(home, ring[1]) > close && apart(home, ring[2]) > close {
			home = ring[1]
		}
		strays, last := 0, 0
		for i, at := range ring {
			if apart(at, home) > close {
				strays, last = strays+1, i
			}
		}
		if at := ring[last]; strays == 1 && apart(at, home) >= far {
			return fmt.Errorf("%w: corner %d of the boundary, (%.9g, %.9g), is far from all others, which are at (%.6g, %.6g) and must be degrees: correct its longitude or latitude, or delete it",
				errGeoJSON, last+1, at[0], at[1], home[0], home[1])
		}
	}
	return nil
}

// degrees returns a box in longitude and latitude.
func (l *layer) degrees(b orb.Bound) orb.Bound {
	if l.system.Kind == earth.WGS84 {
		return b
	}
	lon, lat := l.system.LonLat(b.Center())
	return orb.Point{lon, lat}.Bound()
}

// area returns the area of a polygon in m².
func (l *layer) area(p orb.Polygon) float64 { return math.Abs(planar.Area(p)) * l.unit[0] * l.unit[1] }

// sliver is the share of a feature's area below which its smaller parts, together, are no parts of the field: they come from
// digitising, and are smaller than the robot.
const sliver = 0.01

// choose returns the field that is named, or the only one, with all keep-outs and zones.
func (l *layer) choose(name, file string) (Field, error) {
	var fitting []part
	for _, p := range l.fields {
		if name == "" || strings.EqualFold(p.name, name) {
			fitting = append(fitting, p)
		}
	}
	if len(fitting) == 0 { // a name may be a number, too
		for _, p := range l.fields {
			if name == p.number() || name == strconv.Itoa(p.feature) {
				fitting = append(fitting, p)
			}
		}
	}
	if len(fitting) == 0 {
		return Field{}, fmt.Errorf("there is no field %q: %s", name, l.list(l.fields))
	}
	f := Field{Localization: l.zones}
	if feature := fitting[0].feature; len(fitting) > 1 && !slices.ContainsFunc(fitting, func(p part) bool { return p.feature != feature }) {
		slices.SortStableFunc(fitting, func(a, b part) int { return int(math.Copysign(1, l.area(b.polygon)-l.area(a.polygon))) })
		rest := 0.0
		for _, p := range fitting[1:] {
			rest += l.area(p.polygon)
		}
		if rest < sliver*l.area(fitting[0].polygon) {
			f.Changes = append(f.Changes, Change{Kind: LeftOut, Count: len(fitting) - 1, Area: rest})
			fitting = fitting[:1]
		}
	}
	if len(fitting) > 1 {
		return Field{}, fmt.Errorf("%s, but a mission explores only one; choose one by its number or name: %s#%s; an area to avoid needs the property \"keep_out\": true; QGIS saves one field by Export, Save Selected Features As",
			l.list(fitting), file, fitting[0].number())
	}
	f.Boundary, f.Name, f.StdDev = fitting[0].polygon, fitting[0].name, fitting[0].stdDev
	for _, k := range l.keepOuts {
		f.KeepOuts, f.KeepOutNames, f.StdDev = append(f.KeepOuts, k.polygon), append(f.KeepOutNames, k.name), max(f.StdDev, k.stdDev)
	}
	if !slices.ContainsFunc(f.KeepOutNames, func(name string) bool { return name != "" }) {
		f.KeepOutNames = nil
	}
	return f, nil
}

// list says which fields there are.
func (l *layer) list(fields []part) string {
	const most = 20
	var texts []string
	for _, p := range fields[:min(len(fields), most)] {
		text := p.number()
		if p.name != "" {
			text += fmt.Sprintf(" %.40q", p.name)
		}
		area := l.area(p.polygon)
		if area < 1000 {
			text += fmt.Sprintf(" of %.3g m²", area)
		} else {
			text += fmt.Sprintf(" of %.3g ha", area/1e4)
		}
		texts = append(texts, text)
	}
	if n := len(fields) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("the file has %d fields, or parts of fields: %s", len(fields), strings.Join(texts, ", "))
}

// intoPolygon says how lines and points of a type become an outline; "" for other types.
func intoPolygon(kind string) string {
	switch kind {
	case "LineString", "MultiLineString":
		return ": " + table.PolygonOf("line") + unneeded
	case "Point", "MultiPoint":
		return ": points are no outline: draw one around them in QGIS or on geojson.io, and save it as GeoJSON" + unneeded
	}
	return ""
}

// unneeded is the other remedy for a line or a point, such as a gate or a track beside the outline.
const unneeded = "; if it is neither an edge nor a place to avoid, delete it from the file"
