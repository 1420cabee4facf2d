// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

// earthCentred converts a place on the ellipsoid to earth-centred coordinates, m (EPSG
// guidance note 7-2, method 9602).
func earthCentred(g Geodetic) [3]float64 {
	e2 := wgsFlattening * (2 - wgsFlattening)
	sl, cl := math.Sincos(g.Lon * math.Pi / 180)
	sp, cp := math.Sincos(g.Lat * math.Pi / 180)
	n := wgsAxis / math.Sqrt(1-e2*sp*sp)
	return [3]float64{n * cp * cl, n * cp * sl, n * (1 - e2) * sp}
}

// The place lies east and north of the origin by the metres that were given, to 1 µm.
func TestGeodeticAt(t *testing.T) {
	for _, origin := range []Geodetic{{8.0471, 52.2726}, {-71.1, 42.3}, {151.2, -33.9}, {179.99, 0}, {25, 69.9}} {
		p0 := earthCentred(origin)
		sl, cl := math.Sincos(origin.Lon * math.Pi / 180)
		sp, cp := math.Sincos(origin.Lat * math.Pi / 180)
		for _, at := range [][2]float64{{0, 0}, {5000, 0}, {0, -5000}, {-3000, 4000}, {30e3, 30e3}} {
			p := earthCentred(origin.At(at[0], at[1]))
			x, y, z := p[0]-p0[0], p[1]-p0[1], p[2]-p0[2]
			east, north := -sl*x+cl*y, -sp*cl*x-sp*sl*y+cp*z
			if d := math.Hypot(east-at[0], north-at[1]); !(d < 1e-6) {
				t.Errorf("%v: the place at %v m is %g m away from there", origin, at, d)
			}
		}
	}
	// A degree of latitude at the equator measures 110.574 km, one of longitude 111.320 km
	// (their lengths on the ellipsoid, for small differences).
	if g := (Geodetic{}).At(111.320, 110.574); math.Abs(g.Lon-1e-3) > 1e-8 || math.Abs(g.Lat-1e-3) > 1e-8 {
		t.Errorf("a thousandth of a degree to the east and north of (0, 0) is %v", g)
	}
}
