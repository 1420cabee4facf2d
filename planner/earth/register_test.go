// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/gdaltest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

// The forms in which programs write the name of a system.
func TestNames(t *testing.T) {
	for name, want := range map[string]int{
		"EPSG:4326": 4326, "epsg:4326": 4326, "4326": 4326, "4326.0": 4326, "urn:ogc:def:crs:EPSG::4326": 4326, "urn:ogc:def:crs:EPSG:6.9:4326": 4326,
		"http://www.opengis.net/def/crs/EPSG/0/4326": 4326, "http://www.opengis.net/gml/srs/epsg.xml#4326": 4326, "https://spatialreference.org/ref/epsg/4326/": 4326,
		"OGC:CRS84": 4326, "CRS84": 4326, "CRS:84": 4326, "urn:ogc:def:crs:OGC:1.3:CRS84": 4326, "http://www.opengis.net/def/crs/OGC/1.3/CRS84": 4326,
		"WGS84": 4326, "WGS 84": 4326, "GCS_WGS_1984": 4326, `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.25]],AUTHORITY["EPSG","4326"]]`: 4326,
		"urn:ogc:def:crs:OGC:1.3:CRS83": 4269, "NAD83(CSRS)": 4617, "SIRGAS 2000": 4674, "GDA2020": 7844, "ETRS89": 4258,
		"EPSG:32633": 32633, "WGS 84 / UTM zone 33N": 32633, "WGS_1984_UTM_Zone_23S": 32723, "ETRS89 / UTM zone 32N": 25832, "NAD_1983_UTM_Zone_14N": 26914,
		"GDA94_MGA_zone_54": 28354, "GDA2020 / MGA zone 55": 7855, "SIRGAS 2000 / UTM zone 22S": 31982, "NAD83(CSRS) / UTM zone 17N": 2958,
		"EPSG:3857": 3857, "EPSG:900913": 3857, "102100": 3857,
		`LOCAL_CS["farm",UNIT["metre",1]]`: 0, `ENGCRS["farm",EDATUM[""],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]`: 0,
	} {
		if s, err := earth.Known(name); err != nil || s.EPSG != want {
			t.Errorf("%s is %+v, %v, want %d", name, s, err, want)
		}
	}
	for _, name := range []string{"", "EPSG:2264", "EPSG:27700", "EPSG:4647", "EPSG:4326+5773", "ETRS89 / UTM zone 32N (zE-N)", "WGS 84 / UTM zone 33", "WGS 84 / UTM zone 61N", "UTM zone 33N",
		"NAD27", "OSGB36 / British National Grid", `LOCAL_CS["farm",UNIT["foot",0.3048]]`, "EPSG:32661", "EPSG:99999999", "urn:ogc:def:crs:OGC:1.3:CRS27"} {
		s, err := earth.Known(name)
		if !errors.As(err, new(*earth.UnknownError)) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q is %+v, %v, want unknown, by its name", name, s, err)
		}
	}
}

// The error about an unknown system has the command that converts the file.
func TestRemedy(t *testing.T) {
	_, unknown := earth.Known("EPSG:2264")
	here := &earth.Datum{Lon: 142.1, Lat: -35.6}
	for _, c := range []struct {
		raster bool
		datum  *earth.Datum
		want   string
	}{
		{false, here, `ogr2ogr -f GeoJSON -t_srs EPSG:4326 converted.geojson "my field.x"`},
		{true, here, `gdalwarp -t_srs EPSG:32754 "my field.x" converted.tif`},
		{true, nil, `gdalwarp -t_srs EPSG:4326 "my field.x" converted.tif`},
	} {
		if err := earth.Remedy(fmt.Errorf("f: %w", unknown), "my field.x", c.raster, c.datum); !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if other := errors.New("x"); earth.Remedy(other, "f", true, nil) != other {
		t.Error("another error is changed")
	}
}

// Places are those of PROJ in the same datum, to a millimetre: in the first and the last zone of each row of the registry. The ellipsoids
// of WGS 84 and GRS 1980 differ by a tenth of that.
func TestAgreesWithPROJ(t *testing.T) {
	gdaltest.Need(t)
	for code, own := range map[int]int{
		25828: 4258, 25837: 4258, 26901: 4269, 26923: 4269, 3740: 4152, 3749: 4152, 3750: 4152, 3751: 4152, 3708: 4759, 3726: 4759, 6330: 6318, 6348: 6318,
		2955: 4617, 2957: 4617, 2958: 4617, 2962: 4617, 3154: 4617, 3157: 4617, 3158: 4617, 3160: 4617, 3761: 4617, 28348: 4283, 28358: 4283, 6736: 4283, 6737: 4283, 6738: 4283,
		7846: 7844, 7859: 7844, 31965: 4674, 31976: 4674, 31977: 4674, 31985: 4674, 5396: 4674, 6210: 4674, 6211: 4674, 3097: 4612, 3101: 4612, 6688: 6668, 6692: 6668,
		32601: 4326, 32660: 4326, 32701: 4326, 32760: 4326, 3857: 4326,
	} {
		s, err := earth.Known(strconv.Itoa(code))
		must.OK(t, err)
		if _, err := earth.Known(strconv.Itoa(own)); err != nil {
			t.Errorf("its datum: %v", err)
		}
		north := 3.5e6
		at := orb.Point{612345.5, north}
		lon, lat := s.LonLat(at)
		var x, y, z float64
		out := gdaltest.Run(t, fmt.Sprintf("%.12f %.12f\n", lon, lat), "gdaltransform", "-s_srs", fmt.Sprintf("EPSG:%d", own), "-t_srs", fmt.Sprintf("EPSG:%d", code))
		if _, err := fmt.Sscan(out, &x, &y, &z); err != nil || math.Hypot(x-at[0], y-at[1]) > 1e-3 {
			t.Errorf("%s: %v is (%.9f°, %.9f°), which is (%.5f, %.5f) for PROJ (%v)", s.Name, at, lon, lat, x, y, err)
		}
	}
}

// Any name is a system that can be used, or an error.
func FuzzKnown(f *testing.F) {
	f.Add("urn:ogc:def:crs:EPSG::25832")
	f.Add("WGS 84 / UTM zone 33N")
	f.Add(`LOCAL_CS["farm",UNIT["metre",1]]`)
	f.Fuzz(func(t *testing.T, name string) {
		s, err := earth.Known(name)
		if (s == nil) == (err == nil) {
			t.Fatalf("%+v, %v", s, err)
		}
		if s != nil && s.Kind != earth.Local {
			if lon, lat := s.LonLat(orb.Point{3, 4}); math.IsNaN(lon + lat) {
				t.Fatalf("%s: (%g, %g)", s.Name, lon, lat)
			}
		}
	})
}
