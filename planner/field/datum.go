package field

import (
	"errors"
	"fmt"
	"math"

	"github.com/wroge/wgs84"
)

// ErrDatum is wrapped by every error about a [Datum] or about coordinates that
// do not fit to it.
var ErrDatum = errors.New("planner: invalid datum")

// DatumReach is how far from a datum a plane may be used, in metres: there, the
// curved earth is already 70 m below it, and distances are 0.1 m off.
const DatumReach = 30e3

// Datum is the origin of a local plane in metres, x to the east and y to the
// north: the plane that touches the WGS 84 ellipsoid there. This is the local
// Cartesian frame of GeographicLib and of robot_localization. Points of the
// ellipsoid are dropped onto the plane at a right angle. A distance d from the
// origin thereby comes out too short by d³/6R², 4 µm for 1 km and 4 mm for
// 10 km.
type Datum struct {
	Lon, Lat float64 // degrees, WGS 84; -180 to 180 and -90 to 90, the poles excluded
}

// Validate returns an error, wrapping [ErrDatum], unless both angles are in
// their ranges.
func (d Datum) Validate() error {
	switch {
	case !(math.Abs(d.Lon) <= 180):
		return fmt.Errorf("%w: longitude is %g°, want -180 to 180", ErrDatum, d.Lon)
	case !(math.Abs(d.Lat) < 90):
		return fmt.Errorf("%w: latitude is %g°, want between -90 and 90", ErrDatum, d.Lat)
	}
	return nil
}

var (
	geocentric = wgs84.LonLat().To(wgs84.XYZ())
	geographic = wgs84.XYZ().To(wgs84.LonLat())
)

// Plane returns the east and north of a place on the ellipsoid in metres. The
// error wraps [ErrDatum]: the angles are out of their ranges, or the place is
// farther away than [DatumReach].
func (d Datum) Plane(lon, lat float64) (east, north float64, err error) {
	if !(math.Abs(lon) <= 180) || !(math.Abs(lat) <= 90) {
		return 0, 0, fmt.Errorf("%w: (%g, %g) is no longitude and latitude in degrees; for coordinates in metres leave the datum out", ErrDatum, lon, lat)
	}
	east, north, up := d.topocentric(0, lon, lat, 0)
	if away := math.Sqrt(east*east + north*north + up*up); away > DatumReach {
		return 0, 0, fmt.Errorf("%w: (%g°, %g°) is %.0f km away from the datum (%g°, %g°), farther than the %.0f km that a plane serves for; longitude comes first, and for coordinates in metres leave the datum out",
			ErrDatum, lon, lat, away/1000, d.Lon, d.Lat, DatumReach/1000)
	}
	return east, north, nil
}

// topocentric returns the place with the given angles in degrees and height in
// metres in the frame at d, height above the ellipsoid given (EPSG guidance note
// 7-2, method 9837).
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

// LonLat returns the longitude and latitude in degrees of the place on the
// ellipsoid that Plane maps to (east, north), to better than a millimetre.
func (d Datum) LonLat(east, north float64) (lon, lat float64) {
	ox, oy, oz := geocentric(d.Lon, d.Lat, 0)
	sl, cl := math.Sincos(d.Lon * math.Pi / 180)
	sp, cp := math.Sincos(d.Lat * math.Pi / 180)
	up := -(east*east + north*north) / (2 * wgs84.A) // how far the ellipsoid is below the plane
	for range 4 {
		var h float64
		lon, lat, h = geographic(
			ox-sl*east-sp*cl*north+cp*cl*up,
			oy+cl*east-sp*sl*north+cp*sl*up,
			oz+cp*north+sp*up)
		up -= h
	}
	return lon, lat
}
