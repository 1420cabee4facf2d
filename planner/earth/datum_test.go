// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// The worked example of "Geographic/topocentric conversions", method 9837 of EPSG
// guidance note 7-2 (IOGP publication 373-7-2), on WGS 84.
func TestDatumAgainstEPSGExample(t *testing.T) {
	d := Datum{Lon: 5, Lat: 55}
	lat := 53 + 48/60.0 + 33.82/3600
	lon := 2 + 7/60.0 + 46.38/3600
	east, north, up := d.topocentric(200, lon, lat, 73)
	for _, v := range []struct {
		name      string
		got, want float64
	}{{"east", east, -189013.869}, {"north", north, -128642.040}, {"up", up, -4220.171}} {
		// The angles are given to a hundredth of a second of arc: 0.15 m to either side.
		if math.Abs(v.got-v.want) > 0.2 {
			t.Errorf("%s is %.3f m, want %.3f m", v.name, v.got, v.want)
		}
	}
}

func TestDatumErrors(t *testing.T) {
	for _, d := range []Datum{{181, 0}, {0, 90}, {0, -91}, {math.NaN(), 0}, {0, math.NaN()}, {math.Inf(1), 0}} {
		if err := d.Validate(); !errors.Is(err, ErrDatum) {
			t.Errorf("%v: %v", d, err)
		}
	}
	for _, p := range []orb.Point{{200, 0}, {0, 100}, {math.NaN(), 0}, {1, 1}} {
		if _, _, err := (Datum{}).Plane(p[0], p[1]); !errors.Is(err, ErrDatum) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// Coordinates that are far from the datum because of a usual mistake are refused with what it is; others without a guess.
func TestMeant(t *testing.T) {
	ten := func(a float64) float64 { return math.Round(1e7 * a) }
	minutes := func(a float64) float64 { return 100*math.Trunc(a) + 60*(a-math.Trunc(a)) }
	radians := func(a float64) float64 { return a * math.Pi / 180 }
	for _, d := range []Datum{{8.0471, 52.2726}, {-60.5, -33.1}, {151.2, -27.4}} {
		lon, lat := d.LonLat(300, -200)
		zone, err := New(UTM, &d)
		if err != nil {
			t.Fatal(err)
		}
		mercatorX, mercatorY := webMercator().of(lon, lat)
		easting, northing := zone.of(lon, lat)
		for want, p := range map[string]orb.Point{
			"has longitude and latitude exchanged": {lat, lon}, "the longitude of one of the two has the wrong sign": {-lon, lat},
			"the latitude of one of the two has the wrong sign": {lon, -lat}, "both angles of one of the two have the wrong sign": {-lon, -lat},
			"these are radians": {radians(lon), radians(lat)}, "these are degrees and minutes": {minutes(lon), minutes(lat)},
			"these are degrees times 10000000": {ten(lon), ten(lat)}, "these are metres of web Mercator": {mercatorX, mercatorY},
			"these are metres of UTM zone": {easting, northing}, "check both": {lon + 1, lat}, "0, 0 is what programs and receivers state that know no position": {0, 0},
		} {
			if _, _, err := d.Plane(p[0], p[1]); !errors.Is(err, ErrDatum) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v from the datum %v: %v, want %q", p, d, err, want)
			}
		}
		if _, _, err := d.Plane(1e6, 1e6); err == nil || !strings.HasSuffix(err.Error(), "is not a longitude and latitude in degrees") {
			t.Errorf("a guess without a reason: %v", err)
		}
		if _, _, err := (Datum{}).Plane(lon, lat); err == nil || !strings.HasSuffix(err.Error(), "a datum of 0, 0 is one that was not set: set it to a place in the field") {
			t.Errorf("a datum that was not set: %v", err)
		}
	}
}
