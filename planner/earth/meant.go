// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import "math"

// forms are the usual mistakes in longitudes and latitudes: what they are, in a clause, and what the numbers mean then.
var forms = []struct {
	name    string
	meaning func(lon, lat float64) (float64, float64)
}{
	{"one of the two has longitude and latitude exchanged: longitude comes first", func(lon, lat float64) (float64, float64) { return lat, lon }},
	{"the longitude of one of the two has the wrong sign: it is negative in the west", func(lon, lat float64) (float64, float64) { return -lon, lat }},
	{"the latitude of one of the two has the wrong sign: it is negative in the south", func(lon, lat float64) (float64, float64) { return lon, -lat }},
	{"both angles of one of the two have the wrong sign: longitudes are negative in the west, latitudes in the south", func(lon, lat float64) (float64, float64) { return -lon, -lat }},
	{"these are radians: convert them to degrees", each(func(a float64) float64 { return a * 180 / math.Pi })},
	{"these are degrees and minutes, as 5215.3 is for 52° 15.3': convert them to degrees", each(func(a float64) float64 {
		whole := math.Trunc(a / 100)
		return whole + (a-100*whole)/60
	})},
	{"these are degrees times 10000000, as receivers count them: divide them", each(func(a float64) float64 { return a / 1e7 })},
	{"these are metres of web Mercator: name that system, EPSG:3857, in the file", webMercator().lonLat},
}

// each applies the same conversion to longitude and latitude.
func each(f func(a float64) float64) func(lon, lat float64) (float64, float64) {
	return func(lon, lat float64) (float64, float64) { return f(lon), f(lat) }
}

// meant says which mistake explains coordinates that are no place near the datum, "" if none does.
func (d Datum) meant(lon, lat float64) string {
	switch (Datum{}) { // numbers that nobody has set
	case d:
		return "a datum of 0, 0 is one that was not set: set it to a place in the field"
	case Datum{Lon: lon, Lat: lat}:
		return "0, 0 is what programs and receivers state that know no position: check where it comes from"
	}
	for _, f := range forms {
		if lon, lat := f.meaning(lon, lat); math.Abs(lon) <= 180 && math.Abs(lat) < 90 && d.away(lon, lat) <= datumReach {
			return f.name
		}
	}
	if zone, err := New(UTM, &d); err == nil {
		if at, lat := zone.lonLat(lon, lat); math.Abs(at) <= 180 && math.Abs(lat) < 90 && d.away(at, lat) <= datumReach {
			return "these are metres of " + zone.Name + ": name that system in the file"
		}
	}
	return ""
}

// away returns the distance of a place from the datum in a straight line, m.
func (d Datum) away(lon, lat float64) float64 {
	east, north, up := d.topocentric(0, lon, lat, 0)
	return math.Sqrt(east*east + north*north + up*up)
}
