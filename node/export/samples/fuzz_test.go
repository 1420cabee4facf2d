// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/earth"
)

// Any file gives either an error or samples that a model can take.
func FuzzParse(f *testing.F) {
	f.Add([]byte("lon,lat,value [mg/l],stddev,place_stddev\n-70.6,-33.4,1,2,3\n"))
	f.Add([]byte("easting;northing;epsg;value;stddev;sigma_major_m;sigma_minor_m;sigma_azimuth_deg\n351205;6303223;32719;1;2;3;1;45\n"))
	f.Add([]byte(`{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32719"}}, "features": [{"geometry": {"type": "Point", "coordinates": [351205, 6303223]}, "properties": {"value": 1, "stddev": 1}}]}`))
	f.Add([]byte("x,y,value,stddev\n1,2,3,1e200\n"))
	f.Add([]byte("x,y,value,stddev\n1,2,3,1e-200\n"))
	f.Add([]byte("x,y,value\n\"1\n,2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules := Rules{
			Datum: &earth.Datum{Lon: -70.6, Lat: -33.4}, Units: "mg/l", StdDev: 1, PlaceStdDev: 1,
			Near: orb.Bound{Min: orb.Point{-1e3, -1e3}, Max: orb.Point{1e3, 1e3}},
		}
		list, _, err := Parse(data, rules)
		if err == nil && len(list) == 0 {
			t.Fatal("neither samples nor an error")
		}
		for _, o := range list {
			b := o.Belief
			sum := b.X + b.Y + b.XX + b.XY + b.YY + o.ModelValue + o.ModelVariance
			if math.IsNaN(sum) || math.IsInf(sum, 0) || o.ModelVariance <= 0 || b.XX < 0 || b.YY < 0 || b.XX*b.YY-b.XY*b.XY < -1e-6*(1+b.XX*b.YY) {
				t.Fatalf("sample %+v", o)
			}
		}
	})
}
