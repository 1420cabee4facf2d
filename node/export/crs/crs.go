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
	"strconv"

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

// ErrDatum is wrapped by the errors about a kind that needs a datum, or another one.
var ErrDatum = errors.New("export: the results cannot be placed on the earth")

// System is a coordinate reference system.
type System struct {
	Kind Kind
	EPSG int       // number in the EPSG registry; 0: it has none
	Name string    // in a sentence
	Axes [2]string // their names
	Unit string    // of the axes

	perUnit float64 // steps of rounding in a unit of the axes
	of      func(record.Place) record.Place
	place   func(record.Place) (record.Place, error)
}

// The numbers of the EPSG registry: WGS 84, and the number to which that of a UTM zone on
// either hemisphere is added.
const (
	epsgWGS84 = 4326
	epsgNorth = 32600
	epsgSouth = 32700
)

// LocalName is the name of the system Local, and localWKT its definition in well-known text.
const (
	LocalName = "metres of the map"
	localWKT  = `LOCAL_CS["` + LocalName + `",UNIT["metre",1]]`
)

// New returns the system of a kind for a map with this datum, which is nil if its origin is
// unknown. An empty kind is WGS84, or Local without a datum, and "EPSG:32721" that of FromEPSG.
func New(kind Kind, datum *field.Datum) (*System, error) {
	switch code := nameOfEPSG.FindStringSubmatch(string(kind)); {
	case code != nil:
		number, _ := strconv.Atoi(code[1]) // one that is too large is unknown
		return FromEPSG(number, datum)
	case kind == Local || kind == "" && datum == nil:
		return &System{
			Kind: Local, Name: LocalName, Axes: [2]string{"x", "y"}, Unit: "m", perUnit: 1e4,
			of:    func(p record.Place) record.Place { return p },
			place: func(c record.Place) (record.Place, error) { return c, nil },
		}, nil
	case kind != WGS84 && kind != UTM && kind != "":
		return nil, fmt.Errorf("the coordinate reference system is %q, want one of %s, %s, %s, or a number such as EPSG:32721", string(kind), WGS84, UTM, Local)
	case datum == nil:
		return nil, fmt.Errorf("%w: %s needs the datum, which is the longitude and latitude of the map's origin, and the mission has none", ErrDatum, kind)
	}
	if err := datum.Validate(); err != nil {
		return nil, err
	}
	if kind == UTM {
		hemisphere := epsgNorth
		if datum.Lat < 0 {
			hemisphere = epsgSouth
		}
		return utm(datum, hemisphere, min(int(math.Floor((datum.Lon+180)/6))+1, 60))
	}
	return &System{
		Kind: WGS84, EPSG: epsgWGS84, Name: "longitude and latitude on WGS 84 (EPSG:4326)", Axes: [2]string{"lon", "lat"}, Unit: "deg", perUnit: 1e9,
		// On a field across the 180th meridian longitudes continue beyond 180° or -180°.
		of: func(p record.Place) record.Place {
			lon, lat := datum.LonLat(p[0], p[1])
			return record.Place{datum.Lon + math.Remainder(lon-datum.Lon, 360), lat}
		},
		place: func(c record.Place) (record.Place, error) {
			x, y, err := datum.Plane(math.Remainder(c[0], 360), c[1])
			return record.Place{x, y}, err
		},
	}, nil
}

// FromEPSG returns the system with a number of the EPSG registry for a map with this datum:
// 4326 and those of UTM on WGS 84 are known. The axes are in the order of GeoJSON, east first.
func FromEPSG(code int, datum *field.Datum) (*System, error) {
	switch {
	case code == epsgWGS84:
		return New(WGS84, datum)
	case code > epsgNorth && code <= epsgNorth+60, code > epsgSouth && code <= epsgSouth+60:
		hemisphere := epsgNorth
		if code > epsgSouth {
			hemisphere = epsgSouth
		}
		if _, err := New(UTM, datum); err != nil {
			return nil, err
		}
		return utm(datum, hemisphere, code-hemisphere)
	}
	return nil, fmt.Errorf("EPSG:%d is not known; want 4326 (longitude and latitude), 32601 to 32660 or 32701 to 32760 (UTM on WGS 84)", code)
}

// utmReach is the latitude, degrees, up to which UTM is defined on the northern
// hemisphere; on the southern one it is 80.
const utmReach = 84

// utm returns the system of a zone, 1 to 60, on the hemisphere epsgNorth or epsgSouth.
func utm(datum *field.Datum, hemisphere, zone int) (*System, error) {
	if datum.Lat > utmReach || datum.Lat < -80 {
		return nil, fmt.Errorf("%w: UTM reaches from latitude -80 to %d, and the datum has %g", ErrDatum, utmReach, datum.Lat)
	}
	grid, letter := mercator{meridian: float64(6*zone - 183)}, "N"
	const farthest = 9 // degrees: the neighbouring zones are in use, too
	if away := math.Abs(math.Remainder(datum.Lon-grid.meridian, 360)); away > farthest {
		return nil, fmt.Errorf("%w: UTM zone %d lies about longitude %g, and the datum %.0f° from there", ErrDatum, zone, grid.meridian, away)
	}
	if hemisphere == epsgSouth {
		grid.falseN, letter = 10e6, "S"
	}
	return &System{
		Kind: UTM, EPSG: hemisphere + zone, Name: fmt.Sprintf("UTM zone %d%s on WGS 84 (EPSG:%d)", zone, letter, hemisphere+zone),
		Axes: [2]string{"easting", "northing"}, Unit: "m", perUnit: 1e4,
		of: func(p record.Place) record.Place {
			east, north := grid.project(datum.LonLat(p[0], p[1]))
			return record.Place{east, north}
		},
		place: func(c record.Place) (record.Place, error) {
			lon, lat := grid.geographic(c[0], c[1])
			x, y, err := datum.Plane(math.Remainder(lon, 360), lat)
			return record.Place{x, y}, err
		},
	}, nil
}

// Of returns the coordinates of a place in the map frame.
func (s *System) Of(p record.Place) record.Place { return s.of(p) }

// Place is the inverse of Of. The error says what is wrong with coordinates that are no
// place near the datum.
func (s *System) Place(c record.Place) (record.Place, error) { return s.place(c) }

// Step returns the size, in units of the axes, of about length metres at a place of the map
// along either axis.
func (s *System) Step(at record.Place, length float64) (first, second float64) {
	if s.Unit == "m" {
		return length, length
	}
	from := s.of(at)
	return math.Abs(s.of(record.Place{at[0] + length, at[1]})[0] - from[0]), math.Abs(s.of(record.Place{at[0], at[1] + length})[1] - from[1])
}

// Round returns coordinates rounded to a tenth of a millimetre, so that files hold no digits
// without a meaning.
func (s *System) Round(c record.Place) record.Place {
	return record.Place{math.Round(c[0]*s.perUnit) / s.perUnit, math.Round(c[1]*s.perUnit) / s.perUnit}
}
