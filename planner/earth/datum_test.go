// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"errors"
	"math"
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
