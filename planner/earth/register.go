// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// UnknownError reports a coordinate reference system that is not known.
type UnknownError struct {
	Name string // as the file has it
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("its coordinates are in %.80s, which is not supported; supported are longitude and latitude, UTM (both on WGS 84, ETRS89, NAD83, GDA94, GDA2020, SIRGAS 2000 or JGD) and web Mercator", e.Name)
}

// datums has the numbers of longitude and latitude by the names of their datums, without spaces and in capital letters: first the one
// that is shown.
var datums = []struct {
	name string
	epsg int
}{
	{"WGS84", epsgWGS84}, {"WGS1984", epsgWGS84}, {"CRS84", epsgWGS84}, {"ETRS89", 4258}, {"ETRS1989", 4258}, {"NAD83", 4269}, {"NAD1983", 4269}, {"CRS83", 4269},
	{"NAD83HARN", 4152}, {"NAD83CSRS", 4617}, {"NAD83NSRS2007", 4759}, {"NAD832011", 6318}, {"GDA94", 4283}, {"GDA1994", 4283}, {"GDA2020", 7844},
	{"SIRGAS2000", 4674}, {"JGD2000", 4612}, {"JGD2011", 6668}, {"NZGD2000", 4167}, {"RGF93", 4171}, {"CGCS2000", 4490},
}

// numberOf returns the number of a datum; 0: it is not known.
func numberOf(datum string) int {
	for _, d := range datums {
		if d.name == datum {
			return d.epsg
		}
	}
	return 0
}

// zones has the numbers of the zones of UTM, which follow each other, on one hemisphere.
var zones = []struct {
	datum    string
	south    bool
	epsg     int // of the first zone
	from, to int
}{
	{"WGS84", false, epsgNorth + 1, 1, 60}, {"WGS84", true, epsgSouth + 1, 1, 60},
	{"ETRS89", false, 25828, 28, 37},
	{"NAD83", false, 26901, 1, 23}, {"NAD83HARN", false, 3740, 10, 19}, {"NAD83HARN", false, 3750, 4, 5}, {"NAD83NSRS2007", false, 3708, 1, 19}, {"NAD832011", false, 6330, 1, 19},
	{"NAD83CSRS", false, 2955, 11, 13}, {"NAD83CSRS", false, 2958, 17, 21}, {"NAD83CSRS", false, 3154, 7, 10}, {"NAD83CSRS", false, 3158, 14, 16}, {"NAD83CSRS", false, 3761, 22, 22},
	{"GDA94", true, 28348, 48, 58}, {"GDA94", true, 6736, 46, 47}, {"GDA94", true, 6738, 59, 59}, {"GDA2020", true, 7846, 46, 59},
	{"SIRGAS2000", false, 31965, 11, 22}, {"SIRGAS2000", true, 31977, 17, 25}, {"SIRGAS2000", true, 5396, 26, 26}, {"SIRGAS2000", false, 6210, 23, 24},
	{"JGD2000", false, 3097, 51, 55}, {"JGD2011", false, 6688, 51, 55},
}

// epsgMercator is the number of web Mercator, and formerMercator has those that were used before.
const epsgMercator = 3857

var formerMercator = map[int]bool{900913: true, 3785: true, 102100: true, 102113: true}

var (
	numbered     = regexp.MustCompile(`(?i)EPSG(?:\.xml#|[^0-9a-z]+(?:[0-9.]*[:/])?)([0-9]{4,6})["\])/]*$`)
	plainNumber  = regexp.MustCompile(`^\s*([0-9]{4,6})(?:\.0*)?\s*$`)
	nameOfMetres = regexp.MustCompile(`(?i)^(?:LOCAL_CS|ENGCRS)\[.*UNIT\["met(?:re|er)"`)
	punctuation  = regexp.MustCompile(`[^A-Z0-9]`)
	nameOfZone   = regexp.MustCompile(`^(.*?)(?:UTM|MGA)ZONE([0-9]+)([NS]?)$`)
	lastPart     = regexp.MustCompile(`[^:/#]*$`)
)

// Known returns the system that a file calls so. It has no map yet. The error is an [*UnknownError].
func Known(name string) (*System, error) {
	unknown := &UnknownError{Name: cmp.Or(name, "a system without a name")}
	if nameOfMetres.MatchString(name) {
		return local(), nil
	}
	for _, form := range []*regexp.Regexp{numbered, plainNumber} {
		if code := form.FindStringSubmatch(name); code != nil {
			n, _ := strconv.Atoi(code[1]) // at most six digits
			if s := ofNumber(n); s != nil {
				return s, nil
			}
			return nil, unknown
		}
	}
	plain := strings.ToUpper(name)
	if strings.HasPrefix(strings.ToLower(name), "urn:") || strings.Contains(name, "://") || strings.HasPrefix(plain, "OGC:") {
		plain = lastPart.FindString(plain)
	}
	plain = strings.TrimPrefix(punctuation.ReplaceAllString(plain, ""), "GCS")
	code := numberOf(plain)
	if z := nameOfZone.FindStringSubmatch(plain); z != nil {
		datum, letter := numberOf(z[1]), z[3]
		zone, _ := strconv.Atoi(z[2])                       // digits; of too many it is no zone
		if letter == "" && strings.HasPrefix(z[1], "GDA") { // Australia is on one hemisphere
			letter = "S"
		}
		for _, r := range zones {
			if datum == numberOf(r.datum) && r.from <= zone && zone <= r.to && (r.south && letter == "S" || !r.south && letter == "N") {
				code = r.epsg + zone - r.from
			}
		}
	}
	if s := ofNumber(code); s != nil {
		return s, nil
	}
	return nil, unknown
}

// flat has the numbers of longitude and latitude without the height by those with it.
var flat = map[int]int{4979: epsgWGS84, 4937: 4258, 7843: 7844}

// ofNumber returns the system with a number of the EPSG registry; nil: it is not known.
func ofNumber(code int) *System {
	code = cmp.Or(flat[code], code)
	for _, d := range datums {
		if d.epsg == code {
			return lonLat(code, d.name)
		}
	}
	for _, r := range zones {
		if zone := r.from + code - r.epsg; zone >= r.from && zone <= r.to {
			return utm(code, r.datum, zone, r.south)
		}
	}
	if code == epsgMercator || formerMercator[code] {
		return webMercator()
	}
	return nil
}

// Remedy adds to an error about a system that is not known the command that converts the file: GDAL's for a raster,
// or for an outline or points. The datum of the map says in which zone of UTM a raster keeps square cells; nil: it is unknown.
func Remedy(err error, file string, raster bool, datum *Datum) error {
	if !errors.As(err, new(*UnknownError)) {
		return err
	}
	file = fmt.Sprintf("%q", file)
	switch s, failed := New(UTM, datum); {
	case raster && failed == nil:
		return fmt.Errorf("%w; convert it: gdalwarp -t_srs EPSG:%d %s converted.tif", err, s.EPSG, file)
	case raster:
		return fmt.Errorf("%w; convert it: gdalwarp -t_srs EPSG:4326 %s converted.tif", err, file)
	}
	return fmt.Errorf("%w; convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 converted.geojson %s", err, file)
}
