// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/gdaltest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

var datums = []earth.Datum{
	{Lon: -0.36, Lat: 51.81},  // 30N, Broom's Barn is near
	{Lon: 11.9, Lat: 48.1},    // 32N, at the edge of the zone
	{Lon: -70.6, Lat: -33.4},  // 19S
	{Lon: 179.9, Lat: -17.7},  // 60S
	{Lon: -179.9, Lat: 64.2},  // 1N
	{Lon: 36.8, Lat: 0.00001}, // 37N, at the equator
}

func TestZones(t *testing.T) {
	for i, want := range []int{32630, 32632, 32719, 32760, 32601, 32637} {
		s, err := earth.New(earth.UTM, &datums[i])
		if err != nil || s.EPSG != want {
			t.Fatalf("%v: %+v, %v, want EPSG:%d", datums[i], s, err, want)
		}
		again, err := earth.New(earth.Kind(fmt.Sprintf("EPSG:%d", want)), &datums[i])
		if err != nil || again.EPSG != want {
			t.Errorf("EPSG:%d is read as %+v, %v", want, again, err)
		}
	}
}

// Place inverts Of, over fields of 20 km.
func TestInverse(t *testing.T) {
	for i := range datums {
		for _, kind := range []earth.Kind{"", earth.WGS84, earth.UTM, earth.Local} {
			s, err := earth.New(kind, &datums[i])
			must.OK(t, err)
			for _, p := range []orb.Point{{0, 0}, {12.5, -7000}, {-9000, 9000}, {9000, 3}} {
				c := s.Of(p)
				back, err := s.Place(s.Round(c))
				if err != nil || math.Hypot(back[0]-p[0], back[1]-p[1]) > 1e-3 {
					t.Errorf("%v at %v in %s is %v, which is %v, %v", p, datums[i], s.Name, c, back, err)
				}
			}
		}
	}
}

// GDAL's UTM coordinates of a place are ours to a tenth of a millimetre.
func TestUTMAgreesWithGDAL(t *testing.T) {
	gdaltest.Need(t)
	for i := range datums {
		s, err := earth.New(earth.UTM, &datums[i])
		must.OK(t, err)
		ll, _ := earth.New(earth.WGS84, &datums[i])
		places := []orb.Point{{0, 0}, {3000, 2000}, {-5000, 100}}
		var input strings.Builder
		for _, p := range places {
			at := ll.Of(p)
			fmt.Fprintf(&input, "%.12f %.12f\n", at[0], at[1])
		}
		out := strings.NewReader(gdaltest.Run(t, input.String(), "gdaltransform", "-s_srs", "OGC:CRS84", "-t_srs", fmt.Sprintf("EPSG:%d", s.EPSG)))
		for _, p := range places {
			var x, y, z float64
			if _, err := fmt.Fscan(out, &x, &y, &z); err != nil {
				t.Fatal(err)
			}
			if got := s.Of(p); math.Hypot(got[0]-x, got[1]-y) > 1e-4 {
				t.Errorf("%v at %v is (%.5f, %.5f) in %s, GDAL has (%.5f, %.5f)", p, datums[i], got[0], got[1], s.Name, x, y)
			}
		}
	}
}

// A metre is a metre to 0.1 %, also where it is given in degrees.
func TestStep(t *testing.T) {
	for i := range datums {
		s, err := earth.New(earth.WGS84, &datums[i])
		must.OK(t, err)
		dx, dy := s.Step(orb.Point{100, 200}, 10)
		const radius = 6371e3 // m, of a sphere
		wantY := 10 / radius * 180 / math.Pi
		wantX := wantY / math.Cos(datums[i].Lat*math.Pi/180)
		if math.Abs(dx/wantX-1) > 0.01 || math.Abs(dy/wantY-1) > 0.01 {
			t.Errorf("%v: 10 m are %g° and %g°, want about %g° and %g°", datums[i], dx, dy, wantX, wantY)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, kind := range []earth.Kind{earth.UTM, earth.WGS84} {
		if _, err := earth.New(kind, nil); !errors.Is(err, earth.ErrNoDatum) {
			t.Errorf("%s without a datum: %v", kind, err)
		}
	}
	if _, err := earth.New(earth.UTM, &earth.Datum{Lat: 85}); !errors.Is(err, earth.ErrNoDatum) {
		t.Errorf("UTM near the pole: %v", err)
	}
	if _, err := earth.New("EPSG:32633", &datums[2]); !errors.Is(err, earth.ErrNoDatum) {
		t.Errorf("a zone on another continent: %v", err)
	}
	if _, err := earth.New("mercator", &datums[0]); err == nil {
		t.Error("an unknown kind is taken")
	}
	if _, err := earth.New("EPSG:27700", &datums[0]); err == nil {
		t.Error("an unknown number is taken")
	}
	s, _ := earth.New(earth.WGS84, &datums[0])
	if _, err := s.Place(orb.Point{51.81, -0.36}); !errors.Is(err, earth.ErrDatum) {
		t.Errorf("exchanged axes: %v", err)
	}
}
