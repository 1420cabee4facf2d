// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import "math"

// WGS 84: semi-major axis, m, and flattening (NGA.STND.0036, table 3.1).
const (
	wgsAxis       = 6378137.0
	wgsFlattening = 1 / 298.257223563
)

// Geodetic is a place on the WGS 84 ellipsoid, in degrees.
type Geodetic struct{ Lon, Lat float64 }

// At returns the place of the ellipsoid below the point (east, north), m, of the plane
// that touches the ellipsoid at g, for points up to 1000 km away.
//
// With the plane's axes e, n, u in earth-centred coordinates the place is
// p = p0 + east·e + north·n + t·u. When z is stretched by a/b, the ellipsoid is the sphere
// |p′| = a, which gives a quadratic equation for t.
func (g Geodetic) At(east, north float64) Geodetic {
	const squared = (1 - wgsFlattening) * (1 - wgsFlattening) // (b/a)²
	sl, cl := math.Sincos(g.Lon * math.Pi / 180)
	sp, cp := math.Sincos(g.Lat * math.Pi / 180)
	normal := wgsAxis / math.Sqrt(cp*cp+squared*sp*sp) // radius of curvature in the prime vertical
	v := [3]float64{
		normal*cp*cl - east*sl - north*sp*cl,
		normal*cp*sl + east*cl - north*sp*sl,
		(normal*squared*sp + north*cp) / (1 - wgsFlattening),
	}
	u := [3]float64{cp * cl, cp * sl, sp / (1 - wgsFlattening)}
	vu := v[0]*u[0] + v[1]*u[1] + v[2]*u[2]
	uu := u[0]*u[0] + u[1]*u[1] + u[2]*u[2]
	over := v[0]*v[0] + v[1]*v[1] + v[2]*v[2] - wgsAxis*wgsAxis
	t := -over / (vu + math.Sqrt(vu*vu-uu*over)) // the root near 0, without cancellation
	x, y, z := v[0]+t*u[0], v[1]+t*u[1], (v[2]+t*u[2])*(1-wgsFlattening)
	return Geodetic{
		Lon: math.Atan2(y, x) * 180 / math.Pi,
		Lat: math.Atan2(z, squared*math.Hypot(x, y)) * 180 / math.Pi,
	}
}
