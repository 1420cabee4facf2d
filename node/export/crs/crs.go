// Package crs converts places between the map frame of a mission and the coordinate
// reference systems in which its results are given to other software: longitude and
// latitude on WGS 84, UTM, or metres of the map itself.
//
// The map frame of a field with a datum is the plane that touches the ellipsoid there, x
// to the true east and y to the true north; see [field.Datum]. UTM's north differs from
// that by the convergence of the meridians, up to 3° in the middle latitudes, and its scale
// by up to 0.1 %.
package crs

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// Kind names a kind of coordinate reference system.
type Kind string

// The kinds.
const (
	WGS84 Kind = "wgs84" // longitude and latitude, degrees
	UTM   Kind = "utm"   // easting and northing in the UTM zone of the datum, m
	Local Kind = "local" // x and y of the map frame, m
)

// Kinds returns the names of all kinds.
func Kinds() []string { return []string{string(WGS84), string(UTM), string(Local)} }

// ErrDatum is wrapped by the errors about a kind that needs a datum, or another one.
var ErrDatum = errors.New("export: the results cannot be placed on the earth")

// System is a coordinate reference system. The zero value is that of the map frame of a
// mission without a datum.
type System struct {
	kind  Kind
	datum *field.Datum
	zone  int  // of UTM, 1 to 60
	north bool // the zone is on the northern hemisphere
	grid  mercator
}

// New returns the system of a kind for a map with this datum, which is nil if its origin is
// unknown. An empty kind is WGS84, or Local without a datum.
func New(kind Kind, datum *field.Datum) (System, error) {
	if kind == "" {
		kind = WGS84
		if datum == nil {
			kind = Local
		}
	}
	switch kind {
	case Local:
		return System{kind: Local}, nil
	case WGS84, UTM:
		if datum == nil {
			return System{}, fmt.Errorf("%w: %s needs the datum, which is the longitude and latitude of the map's origin, and the mission has none", ErrDatum, kind)
		}
		if err := datum.Validate(); err != nil {
			return System{}, err
		}
	default:
		return System{}, fmt.Errorf("the coordinate reference system is %q, want one of %s", string(kind), strings.Join(Kinds(), ", "))
	}
	if kind == WGS84 {
		return System{kind: WGS84, datum: datum}, nil
	}
	return utm(datum, min(int(math.Floor((datum.Lon+180)/6))+1, 60), datum.Lat >= 0)
}

// FromEPSG returns the system with a number of the EPSG registry for a map with this datum:
// 4326 and those of UTM on WGS 84 are known. The axes are in the order of GeoJSON, east first.
func FromEPSG(code int, datum *field.Datum) (System, error) {
	kind, zone := WGS84, 0
	switch {
	case code == epsgWGS84:
	case code > epsgNorth && code <= epsgNorth+60:
		kind, zone = UTM, code-epsgNorth
	case code > epsgSouth && code <= epsgSouth+60:
		kind, zone = UTM, code-epsgSouth
	default:
		return System{}, fmt.Errorf("EPSG:%d is not known; want 4326 (longitude and latitude), 32601 to 32660 or 32701 to 32760 (UTM on WGS 84)", code)
	}
	s, err := New(kind, datum)
	if err != nil || kind == WGS84 {
		return s, err
	}
	return utm(datum, zone, code <= epsgNorth+60)
}

// utmReach is the latitude, degrees, up to which UTM is defined on the northern
// hemisphere; on the southern one it is 80.
const utmReach = 84

func utm(datum *field.Datum, zone int, north bool) (System, error) {
	if datum.Lat > utmReach || datum.Lat < -80 {
		return System{}, fmt.Errorf("%w: UTM reaches from latitude -80 to %d, and the datum has %g", ErrDatum, utmReach, datum.Lat)
	}
	s := System{kind: UTM, datum: datum, zone: zone, north: north, grid: mercator{meridian: float64(6*zone - 183)}}
	if !north {
		s.grid.falseN = 10e6
	}
	return s, nil
}

// Kind returns the kind of the system.
func (s *System) Kind() Kind {
	if s.kind == "" {
		return Local
	}
	return s.kind
}

// The numbers of the EPSG registry: WGS 84, and the number to which that of a UTM zone on
// either hemisphere is added.
const (
	epsgWGS84 = 4326
	epsgNorth = 32600
	epsgSouth = 32700
)

// EPSG returns the number of the system in the EPSG registry; 0: it has none.
func (s *System) EPSG() int {
	switch {
	case s.kind == WGS84:
		return epsgWGS84
	case s.kind == UTM && s.north:
		return epsgNorth + s.zone
	case s.kind == UTM:
		return epsgSouth + s.zone
	}
	return 0
}

// LocalName is the name of the system Local, and localWKT its definition in well-known text.
const (
	LocalName = "metres of the map"
	localWKT  = `LOCAL_CS["` + LocalName + `",UNIT["metre",1]]`
)

// Name returns the name of the system in a sentence.
func (s *System) Name() string {
	switch s.kind {
	case WGS84:
		return "longitude and latitude on WGS 84 (EPSG:4326)"
	case UTM:
		return fmt.Sprintf("UTM zone %d%s on WGS 84 (EPSG:%d)", s.zone, map[bool]string{true: "N", false: "S"}[s.north], s.EPSG())
	}
	return LocalName
}

// Axes returns the names of the two axes and their unit.
func (s *System) Axes() (first, second, unit string) {
	switch s.kind {
	case WGS84:
		return "lon", "lat", "deg"
	case UTM:
		return "easting", "northing", "m"
	}
	return "x", "y", "m"
}

// Of returns the coordinates of a place in the map frame. On a field across the 180th
// meridian longitudes go on beyond 180° or -180°.
func (s *System) Of(p record.Place) record.Place {
	if s.kind != WGS84 && s.kind != UTM {
		return p
	}
	lon, lat := s.datum.LonLat(p[0], p[1])
	if s.kind == UTM {
		east, north := s.grid.project(lon, lat)
		return record.Place{east, north}
	}
	return record.Place{s.datum.Lon + math.Remainder(lon-s.datum.Lon, 360), lat}
}

// Place is the inverse of Of. The error says what is wrong with coordinates that are no
// place near the datum.
func (s *System) Place(c record.Place) (record.Place, error) {
	if s.kind != WGS84 && s.kind != UTM {
		return c, nil
	}
	lon, lat := c[0], c[1]
	if s.kind == UTM {
		lon, lat = s.grid.geographic(lon, lat)
	}
	x, y, err := s.datum.Plane(math.Remainder(lon, 360), lat)
	return record.Place{x, y}, err
}

// Step returns the size, in units of the axes, of about length metres at a place of the map
// along either axis.
func (s *System) Step(at record.Place, length float64) (first, second float64) {
	if s.kind != WGS84 {
		return length, length
	}
	from := s.Of(at)
	return math.Abs(s.Of(record.Place{at[0] + length, at[1]})[0] - from[0]), math.Abs(s.Of(record.Place{at[0], at[1] + length})[1] - from[1])
}

// Round returns coordinates rounded to a tenth of a millimetre, so that files hold no digits
// without a meaning.
func (s *System) Round(c record.Place) record.Place {
	unit := 1e4
	if s.kind == WGS84 {
		unit = 1e9
	}
	return record.Place{math.Round(c[0]*unit) / unit, math.Round(c[1]*unit) / unit}
}
