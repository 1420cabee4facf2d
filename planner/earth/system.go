// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/wroge/wgs84"
)

// Kind names a kind of coordinate reference system.
type Kind string

// The kinds.
const (
	WGS84    Kind = "wgs84"    // longitude and latitude, degrees
	UTM      Kind = "utm"      // easting and northing in a UTM zone, that of the datum if none is named, m
	Mercator Kind = "mercator" // easting and northing in web Mercator, which is larger than the ground by 1/cos of the latitude
	Local    Kind = "local"    // x and y of the map frame, m
)

// ErrNoDatum is wrapped by the errors about a system that needs the map's datum, or another one.
var ErrNoDatum = errors.New("the results cannot be placed on the earth")

// System is a coordinate reference system. The axes are in the order of GeoJSON, east first.
type System struct {
	Kind Kind
	EPSG int       // number in the EPSG registry; 0: it has none
	Name string    // in a sentence
	Axes [2]string // their names
	Unit string    // of the axes

	perUnit  float64 // steps of rounding in a unit of the axes
	lonLat   func(a, b float64) (lon, lat float64)
	of       func(lon, lat float64) (a, b float64)
	meridian float64 // of a zone of UTM, degrees
	datum    *Datum  // of the map; nil: it is not known
}

// The numbers of the EPSG registry: WGS 84, and the number to which that of a UTM zone on
// either hemisphere is added.
const (
	epsgWGS84 = 4326
	epsgNorth = 32600
	epsgSouth = 32700
)

// LocalName is the name of the system Local, and LocalWKT its definition in well-known text.
const (
	LocalName = "metres of the map"
	LocalWKT  = `LOCAL_CS["` + LocalName + `",UNIT["metre",1]]`
)

func local() *System {
	return &System{Kind: Local, Name: LocalName, Axes: [2]string{"x", "y"}, Unit: "m", perUnit: 1e4}
}

func lonLat(code int, datum string) *System {
	name := fmt.Sprintf("longitude and latitude on %s (EPSG:%d)", datum, code)
	if code == epsgWGS84 {
		name = "longitude and latitude on WGS 84 (EPSG:4326)"
	}
	same := func(a, b float64) (float64, float64) { return a, b }
	return &System{Kind: WGS84, EPSG: code, Name: name, Axes: [2]string{"lon", "lat"}, Unit: "deg", perUnit: 1e9, lonLat: same, of: same}
}

// utm returns a zone, 1 to 60.
func utm(code int, datum string, zone int, south bool) *System {
	grid, letter := transverse{meridian: float64(6*zone - 183)}, "N"
	if south {
		grid.falseN, letter = 10e6, "S"
	}
	if datum == "WGS84" {
		datum = "WGS 84"
	}
	return &System{
		Kind: UTM, EPSG: code, Name: fmt.Sprintf("UTM zone %d%s on %s (EPSG:%d)", zone, letter, datum, code),
		Axes: [2]string{"easting", "northing"}, Unit: "m", perUnit: 1e4,
		lonLat: grid.geographic, of: grid.project, meridian: grid.meridian,
	}
}

func webMercator() *System {
	const degree = math.Pi / 180
	return &System{
		Kind: Mercator, EPSG: epsgMercator, Name: fmt.Sprintf("web Mercator (EPSG:%d)", epsgMercator), Axes: [2]string{"easting", "northing"}, Unit: "m", perUnit: 1e4,
		lonLat: func(a, b float64) (lon, lat float64) {
			return a / wgs84.A / degree, math.Atan(math.Sinh(b/wgs84.A)) / degree
		},
		of: func(lon, lat float64) (a, b float64) {
			return lon * degree * wgs84.A, math.Asinh(math.Tan(lat*degree)) * wgs84.A
		},
	}
}

// New returns the system that a person names for the results of a map with this datum, which is nil if its origin is
// unknown. An empty kind is WGS84, or Local without a datum; UTM is the zone of the datum; another one is a name for [Known].
func New(kind Kind, datum *Datum) (*System, error) {
	switch {
	case kind == Local || kind == "" && datum == nil:
		return local(), nil
	case datum == nil && (kind == UTM || kind == WGS84):
		return nil, fmt.Errorf("%w: %s needs the datum, which is the longitude and latitude of the map's origin, and the mission has none", ErrNoDatum, kind)
	case kind == UTM:
		hemisphere := epsgNorth
		if datum.Lat < 0 {
			hemisphere = epsgSouth
		}
		zone := min(int(math.Floor((datum.Lon+180)/6))+1, 60)
		return utm(hemisphere+zone, "WGS84", zone, hemisphere == epsgSouth).On(datum)
	case kind == WGS84 || kind == "":
		return lonLat(epsgWGS84, "").On(datum)
	}
	s, err := Known(string(kind))
	if err != nil {
		return nil, fmt.Errorf("the coordinate reference system is %q, want one of %s, %s, %s, or a number such as EPSG:32721: %w", string(kind), WGS84, UTM, Local, err)
	}
	return s.On(datum)
}

// utmReach is the latitude, degrees, up to which UTM is defined on the northern
// hemisphere; on the southern one it is 80.
const utmReach = 84

// On returns the system for a map with this datum. The error says what is wrong with it.
func (s *System) On(datum *Datum) (*System, error) {
	if s.Kind == Local {
		return s, nil
	}
	if datum == nil {
		return nil, fmt.Errorf("%w: %s needs the datum, which is the longitude and latitude of the map's origin, and the mission has none", ErrNoDatum, s.Name)
	}
	if err := datum.Validate(); err != nil {
		return nil, err
	}
	if s.Kind == UTM {
		if datum.Lat > utmReach || datum.Lat < -80 {
			return nil, fmt.Errorf("%w: UTM covers latitudes from -80 to %d, but that of the datum is %g", ErrNoDatum, utmReach, datum.Lat)
		}
		const farthest = 9 // degrees: the neighbouring zones are in use, too
		if away := math.Abs(math.Remainder(datum.Lon-s.meridian, 360)); away > farthest {
			return nil, fmt.Errorf("%w: %s is centred on longitude %g, but the datum is %.0f° from there: choose the zone of the datum", ErrNoDatum, s.Name, s.meridian, away)
		}
	}
	bound := *s
	bound.datum = datum
	return &bound, nil
}

// LonLat returns the longitude and latitude, degrees, of coordinates in a system that is not Local.
func (s *System) LonLat(c orb.Point) (lon, lat float64) {
	lon, lat = s.lonLat(c[0], c[1])
	return math.Remainder(lon, 360), lat
}

// Of returns the coordinates of a place in the map frame. On a field across the 180th meridian longitudes go on beyond
// 180° or -180°.
func (s *System) Of(p orb.Point) orb.Point {
	if s.Kind == Local {
		return p
	}
	lon, lat := s.datum.LonLat(p[0], p[1])
	a, b := s.of(s.datum.Lon+math.Remainder(lon-s.datum.Lon, 360), lat)
	return orb.Point{a, b}
}

// Place is the inverse of Of. The error says what is wrong with coordinates that are no
// place near the datum.
func (s *System) Place(c orb.Point) (orb.Point, error) {
	if s.Kind == Local {
		return c, nil
	}
	lon, lat := s.LonLat(c)
	if s.Kind == WGS84 && math.Abs(c[0]) > 360 {
		lon = c[0] // metres, for which the error has the number of the file
	}
	x, y, err := s.datum.Plane(lon, lat)
	return orb.Point{x, y}, err
}

// Step returns the size, in units of the axes, of about length metres at a place of the map
// along either axis.
func (s *System) Step(at orb.Point, length float64) (first, second float64) {
	if s.Kind == UTM || s.Kind == Local {
		return length, length
	}
	from := s.Of(at)
	return math.Abs(s.Of(orb.Point{at[0] + length, at[1]})[0] - from[0]), math.Abs(s.Of(orb.Point{at[0], at[1] + length})[1] - from[1])
}

// Round returns coordinates rounded to a tenth of a millimetre, so that files hold no digits
// without a meaning.
func (s *System) Round(c orb.Point) orb.Point {
	return orb.Point{math.Round(c[0]*s.perUnit) / s.perUnit, math.Round(c[1]*s.perUnit) / s.perUnit}
}

// Projected tells whether the axes are metres on a projection of the earth.
func (s *System) Projected() bool { return s.Kind == UTM || s.Kind == Mercator }
