// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/earth"
)

// Locate finds the places of the rows for a map with this datum; nil: unknown. The error says which columns there must be; it is
// an [*earth.DegreesError] if a datum is missing.
func (t *Table) Locate(datum *earth.Datum) error {
	t.places = places{columns: [2]int{-1, -1}, epsg: -1, datum: datum, systems: map[string]*earth.System{}}
	var err error
	if t.points != nil {
		if t.declared == "" {
			t.system, err = earth.New("", datum)
			return err
		}
		if t.system, err = earth.Known(t.declared); err != nil || t.system.Kind == earth.Local {
			return err
		}
		return t.bind("the file declares " + t.declared)
	}
	find := func(first, second string) (columns [2]int, there bool) {
		i, err1 := t.Find(first)
		j, err2 := t.Find(second)
		err = errors.Join(err, err1, err2)
		return [2]int{i, j}, i >= 0 && j >= 0
	}
	lonLat, degrees := find("lon", "lat")
	xy, plain := find("x", "y")
	grid, projected := find("easting", "northing")
	epsg, bad := t.Find("epsg")
	if err = errors.Join(err, bad); err != nil {
		return err
	}
	// named returns the names of the columns of the places.
	named := func() string { return t.Names[t.columns[0]] + " and " + t.Names[t.columns[1]] }
	if t.columns = lonLat; degrees && (datum != nil || !plain && !projected) {
		t.system, _ = earth.Known("WGS84")
		return t.bind("the places are in " + named())
	}
	if t.columns = xy; plain && t.inDegrees() {
		t.system, _ = earth.Known("WGS84")
		return t.bind("the places in " + named() + " lie within a degree, which must be degrees, not metres")
	}
	if projected && (epsg >= 0 || !plain) {
		t.columns = grid
	}
	switch {
	case !plain && !projected:
		more := ": rename two of them, or export the coordinates too (in QGIS: Geometry AS_XY)"
		if len(t.Names) == 1 {
			more = ": separate columns by commas, semicolons, tabs or bars, and begin the file with the line of their names"
		}
		return fmt.Errorf("there are no columns of coordinates, want lon and lat, or easting, northing and epsg, or x and y (metres of the map); its columns are %s%s", t.List(), more)
	case epsg >= 0:
		t.epsg = epsg
		return t.bind("the places are in the system that the column " + t.Names[epsg] + " names")
	case !plain && datum != nil:
		zone := ""
		if own, err := earth.New(earth.UTM, datum); err == nil {
			zone = fmt.Sprintf(", such as %d, %s", own.EPSG, own.Name)
		}
		return fmt.Errorf("%s have no coordinate system: add a column epsg with its number%s; or rename them x and y if they are metres of the map", named(), zone)
	}
	t.system, err = earth.New(earth.Local, nil)
	return err
}

// bind gives the system the map's datum. Without one the error has that of the middle of all places, and says why one is needed.
func (t *Table) bind(why string) (err error) {
	if t.datum != nil {
		if t.system != nil {
			t.system, err = t.system.On(t.datum)
		}
		return err
	}
	var bound orb.Bound
	var none error // why the first row without a place has none
	n := 0
	for i := range t.rows {
		c, err := t.coordinates(i)
		if err != nil {
			none = cmp.Or(none, fmt.Errorf("%s: %w", t.Where(i), err))
			continue
		}
		s, err := t.systemOf(i)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Where(i), err)
		}
		lon, lat := s.LonLat(c)
		if at := (orb.Point{lon, lat}); n == 0 {
			bound = at.Bound()
		} else {
			bound = bound.Extend(orb.Point{bound.Min[0] + math.Remainder(lon-bound.Min[0], 360), lat})
		}
		n++
	}
	if n == 0 {
		if none == nil {
			return errors.New("no row has coordinates")
		}
		return fmt.Errorf("no row has coordinates: %w", none)
	}
	return earth.NewDegreesError(bound, why)
}

// inDegrees tells whether x and y are degrees: beside the datum or, without one, within a degree of each other where the earth is.
func (t *Table) inDegrees() bool {
	const beside = 0.5 // degrees, more than a datum reaches, and less than any field measures in metres
	var bound orb.Bound
	distinct := map[orb.Point]bool{}
	for i := range t.rows {
		c, err := t.coordinates(i)
		if err != nil {
			continue
		}
		if d := t.datum; d != nil && (math.Abs(math.Remainder(c[0]-d.Lon, 360)) > beside || math.Abs(c[1]-d.Lat) > beside) || math.Abs(c[0]) > 181 || math.Abs(c[1]) > 90 {
			return false
		}
		if len(distinct) == 0 {
			bound = c.Bound()
		}
		bound, distinct[c] = bound.Extend(c), true
	}
	const wide, fewest = 1, 3 // degrees; places: fewer may be those of one sample in metres
	return len(distinct) > 0 && (t.datum != nil || len(distinct) >= fewest && bound.Max[0]-bound.Min[0] < wide && bound.Max[1]-bound.Min[1] < wide)
}

// coordinates returns the two numbers of a row's place.
func (t *Table) coordinates(row int) (c orb.Point, err error) {
	if t.points != nil {
		return t.points[row], nil
	}
	for k, column := range t.columns {
		v, ok, err := t.Number(row, column)
		if err == nil && !ok {
			err = fmt.Errorf("%s %s is empty, want a number", t.Kind, t.Names[column])
		}
		if err != nil {
			return c, err
		}
		c[k] = v
	}
	return c, nil
}

// systemOf returns the system of a row's place, for the map if its datum is known.
func (t *Table) systemOf(row int) (*earth.System, error) {
	if t.epsg < 0 {
		return t.system, nil
	}
	name := t.Cell(row, t.epsg)
	if s := t.systems[name]; s != nil {
		return s, nil
	}
	if name == "" {
		return nil, fmt.Errorf("%s %s is empty, want the EPSG number of the system of its coordinates, such as 32632 for UTM zone 32N", t.Kind, t.Names[t.epsg])
	}
	s, err := earth.Known(name)
	if err == nil && t.datum != nil {
		s, err = s.On(t.datum)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", t.Kind, t.Names[t.epsg], err)
	}
	t.systems[name] = s
	return s, nil
}

// Place returns where a row lies on the map. The error names the columns.
func (t *Table) Place(row int) (orb.Point, error) {
	c, err := t.coordinates(row)
	if err != nil {
		return c, err
	}
	s, err := t.systemOf(row)
	if err != nil {
		return c, err
	}
	at, err := s.Place(c)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.PlaceText(row), err)
	}
	return at, err
}

// Rounding returns the standard deviation of longitudes and latitudes, m, that comes from rounding them to the decimals of the most precise
// one; 0 for places in metres.
func (t *Table) Rounding() float64 {
	if t.system == nil || t.system.Kind != earth.WGS84 || t.Len() < 2 { // the last digits of one place may be zeros
		return 0
	}
	decimals := 0
	for i := range t.rows {
		c, err := t.coordinates(i)
		for _, angle := range c {
			if _, digits, ok := strings.Cut(strconv.FormatFloat(angle, 'f', -1, 64), "."); ok && err == nil {
				decimals = max(decimals, len(digits))
			}
		}
	}
	const degree = 111_320 // m, of latitude
	return degree * math.Pow10(-decimals) / math.Sqrt(12)
}

// PlaceText says which coordinates a row has, in an error.
func (t *Table) PlaceText(row int) string {
	c, _ := t.coordinates(row)
	s, err := t.systemOf(row)
	if err != nil {
		return ""
	}
	first, second := s.Axes[0], s.Axes[1]
	if t.points == nil {
		first, second = t.Names[t.columns[0]], t.Names[t.columns[1]]
	}
	return fmt.Sprintf("%s and %s are %.9g and %.9g", first, second, c[0], c[1])
}
