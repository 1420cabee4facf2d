// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/wroge/wgs84"
)

// ErrDatum is wrapped by every error about a [Datum], or about coordinates that
// do not match it.
var ErrDatum = errors.New("invalid datum")

// datumReach is the largest distance from a datum, in metres, at which its plane may
// be used. At that distance the earth curves 70 m below the plane, and distances are
// wrong by 0.1 m.
const datumReach = 30e3

// Datum is the origin of a local plane in metres, x to the east and y to the
// north: the plane that touches the WGS 84 ellipsoid there. This is the local
// Cartesian frame of GeographicLib and of robot_localization. Points of the
// ellipsoid are projected onto the plane at a right angle, which makes a distance d
// from the origin too short by d³/6R²: 4 µm at 1 km, 4 mm at 10 km.
type Datum struct {
	Lon, Lat float64 // degrees, WGS 84; -180 to 180 and -90 to 90, the poles excluded
}

// Validate returns an error that wraps [ErrDatum] unless both angles are in range.
func (d Datum) Validate() error {
	switch {
	case !(math.Abs(d.Lon) <= 180):
		return fmt.Errorf("%w: longitude is %g°, want -180 to 180", ErrDatum, d.Lon)
	case !(math.Abs(d.Lat) < 90):
		return fmt.Errorf("%w: latitude is %g°, want more than -90 and less than 90", ErrDatum, d.Lat)
	}
	return nil
}

var (
	geocentric = wgs84.LonLat().To(wgs84.XYZ())
	geographic = wgs84.XYZ().To(wgs84.LonLat())
)

// Plane returns the plane coordinates, in metres, of a place on the ellipsoid. The
// error wraps [ErrDatum]: an angle is out of range, or the place is farther away than
// [datumReach].
func (d Datum) Plane(lon, lat float64) (east, north float64, err error) {
	if !(math.Abs(lon) <= 180) || !(math.Abs(lat) <= 90) {
		why := ""
		if text := d.meant(lon, lat); text != "" {
			why = "; " + text
		}
		return 0, 0, fmt.Errorf("%w: (%.7g, %.7g) is not a longitude and latitude in degrees%s", ErrDatum, lon, lat, why)
	}
	if away := d.away(lon, lat); away > datumReach {
		return 0, 0, fmt.Errorf("%w: (%.7g°, %.7g°) is %.0f km from the datum (%g°, %g°), farther than the %.0f km over which a plane map is accurate: %s",
			ErrDatum, lon, lat, away/1000, d.Lon, d.Lat, datumReach/1000, cmp.Or(d.meant(lon, lat), "check both"))
	}
	east, north, _ = d.topocentric(0, lon, lat, 0)
	return east, north, nil
}

// LonLat is the inverse of [Datum.Plane]: it returns the longitude and latitude, in degrees,
// of the place on the ellipsoid with the plane coordinates east and north, in metres. Within
// [datumReach] it is exact to better than a millimetre.
func (d Datum) LonLat(east, north float64) (lon, lat float64) {
	ox, oy, oz := geocentric(d.Lon, d.Lat, 0)
	sl, cl := math.Sincos(d.Lon * math.Pi / 180)
	sp, cp := math.Sincos(d.Lat * math.Pi / 180)
	up := -(east*east + north*north) / (2 * wgs84.A) // of the ellipsoid over the plane, negative; improved below
	for range 4 {
		var height float64
		lon, lat, height = geographic(
			ox-sl*east-sp*cl*north+cp*cl*up,
			oy+cl*east-sp*sl*north+cp*sl*up,
			oz+cp*north+sp*up)
		up -= height
	}
	return lon, lat
}

// topocentric converts a place, given by angles in degrees and the height h in metres,
// to the frame at d, which lies at the given height above the ellipsoid (EPSG guidance
// note 7-2, method 9837).
func (d Datum) topocentric(height, lon, lat, h float64) (east, north, up float64) {
	ox, oy, oz := geocentric(d.Lon, d.Lat, height)
	x, y, z := geocentric(lon, lat, h)
	x, y, z = x-ox, y-oy, z-oz
	sl, cl := math.Sincos(d.Lon * math.Pi / 180)
	sp, cp := math.Sincos(d.Lat * math.Pi / 180)
	return -sl*x + cl*y,
		-sp*cl*x - sp*sl*y + cp*z,
		cp*cl*x + cp*sl*y + sp*z
}

// DegreesError reports coordinates on the earth without a datum.
type DegreesError struct {
	Datum Datum // that of the file or, to a millionth of a degree, the middle of its places
	why   string
}

// NewDegreesError returns the error about places, in degrees, that need a datum, and why.
func NewDegreesError(places orb.Bound, why string) *DegreesError {
	middle := places.Center()
	return &DegreesError{Datum{Lon: math.Round(math.Remainder(middle[0], 360)*1e6) / 1e6, Lat: math.Round(middle[1]*1e6) / 1e6}, why}
}

func (e *DegreesError) Error() string {
	return "planner: the datum is missing: " + e.why + "; give the datum, which is the longitude and latitude of the map's origin, or convert the file to metres"
}
