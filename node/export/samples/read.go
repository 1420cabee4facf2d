// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/table"
)

// Rules says how samples are read, and which are refused.
type Rules struct {
	Datum       *earth.Datum     // of the map, which longitude and latitude, or UTM, need; nil: unknown
	Units       string           // of the readings, to which values in other units are converted if only a logarithm differs; "": any
	Transform   record.Transform // to model units
	StdDev      float64          // of a value whose row does not state it, in Units; 0: such a row is refused
	PlaceStdDev float64          // of a place whose row does not state it, m, besides that from the rounding of degrees
	Near        orb.Bound        // places outside are refused, m in the map frame
	Column      string           // of the values; empty: value, or the only one that is left
	ColumnBy    string           // what names the column, in an error
	Most        int              // rows; 0: 10,000
}

// Limits of a file.
const (
	MostBytes = 16 << 20
	mostRows  = 10_000
)

// Read reads samples from a file, CSV or GeoJSON; see the package for its columns, and package table for its forms. Other
// columns are ignored, and rows without a value are left out and counted. The observations are numbered
// from 1; when they were made, and from how many readings, is unknown.
//
// If a row cannot be used, none is. The error names the file, the line, the column, its
// value, and what is allowed.
func Read(file string, rules Rules) ([]record.Observation, table.Missing, error) {
	if err := table.ForeignFile(file, table.Values); err != nil {
		return nil, table.Missing{}, fmt.Errorf("%s: %w", file, err)
	}
	data, err := record.ReadFile(file, MostBytes)
	if err != nil {
		return nil, table.Missing{}, fmt.Errorf("%w: want a file with samples, CSV or GeoJSON", err)
	}
	list, none, err := Parse(data, rules)
	if err != nil {
		return nil, none, fmt.Errorf("%s: %w", file, earth.Remedy(err, file, false, rules.Datum))
	}
	return list, none, nil
}

// Parse is Read for the content of a file.
func Parse(data []byte, rules Rules) (list []record.Observation, none table.Missing, err error) {
	t, err := table.Read(data, cmp.Or(rules.Most, mostRows))
	if err != nil {
		return nil, none, err
	}
	if t.Len() == 0 {
		return nil, none, errors.New("it has no samples")
	}
	r := reader{Table: t, Rules: &rules}
	if err := r.columns(); err != nil {
		return nil, none, err
	}
	if r.rounding = t.Rounding(); r.rounding < leastRounding {
		r.rounding = 0
	}
	values, none, err := t.Values(r.value)
	if err != nil {
		return nil, none, err
	}
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		o, err := r.observation(i, v)
		if err != nil {
			return nil, none, fmt.Errorf("%s: %w", t.Where(i), err)
		}
		o.Sequence = len(list) + 1
		list = append(list, o)
	}
	return list, none, nil
}

// Columns that are read besides those of a place and the value.
const (
	columnUnits       = "units"
	columnStdDev      = "stddev"
	columnMajor       = "sigma_major"
	columnMinor       = "sigma_minor"
	columnAzimuth     = "sigma_azimuth"
	columnPlaceStdDev = "place_stddev"
)

// written are further columns that this package writes and does not read.
var written = []string{"sample", "origin", "stamp_s", "readings", "low", "high"}

// leastRounding is the least standard deviation from rounding that matters beside that of a place, m: that of four decimals of a degree is
// 3 m, and that of five a tenth of it.
const leastRounding = 1

// reader reads the rows of a table.
type reader struct {
	*table.Table
	*Rules
	value, units, stdDev, major, minor, azimuth, placeStdDev int     // columns; -1: there is none
	unit                                                     string  // of the values, in the header
	rounding                                                 float64 // standard deviation of places that comes from rounding, m
}

// columns finds the columns.
func (r *reader) columns() error {
	known := append([]string{columnUnits, columnStdDev, columnMajor, columnMinor, columnAzimuth, columnPlaceStdDev}, written...)
	for i, column := range []*int{&r.units, &r.stdDev, &r.major, &r.minor, &r.azimuth, &r.placeStdDev} {
		var err error
		if *column, err = r.Find(known[i]); err != nil {
			return fmt.Errorf("line 1: %w", err)
		}
	}
	where := cmp.Or(r.ColumnBy, "renaming it to value")
	var err error
	if err = r.Locate(r.Datum); err == nil {
		r.value, err = r.ValueColumn(r.Column, where, known...)
	}
	if err != nil {
		return withDatum(fmt.Errorf("line 1: %w", err))
	}
	if r.Kind != "column" {
		return nil
	}
	_, r.unit = table.Known(r.Names[r.value])
	if r.stdDev >= 0 {
		_, other := table.Known(r.Names[r.stdDev])
		if other != "" && r.unit != "" && other != r.unit {
			return fmt.Errorf("line 1: the unit of column stddev is %q, want %q, that of column value", other, r.unit)
		}
		r.unit = cmp.Or(r.unit, other)
	}
	name, _ := table.Known(r.Names[r.value])
	if err := r.checkUnits("the unit of column "+name+", in brackets in the header,", r.unit); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}

// withDatum says in an error how the datum is given to the explorer.
func withDatum(err error) error {
	if errors.Is(err, earth.ErrNoDatum) || errors.As(err, new(*earth.DegreesError)) {
		return fmt.Errorf("%w; set the parameter field.datum", err)
	}
	return err
}

// checkUnits returns an error if values in units cannot be converted to those of the readings. Values without units are in the unit of the
// readings, unless that is a logarithm, since people then see values without the logarithm.
func (r *Rules) checkUnits(where, units string) error {
	log, own := record.LogarithmIn(r.Units)
	_, of := record.LogarithmIn(units)
	want := own
	if log != record.TransformNone {
		want += " or " + r.Units
	}
	switch {
	case units == "" && log != record.TransformNone:
		return fmt.Errorf("%s is not stated, and the readings are logarithms: want %s", where, want)
	case units != "" && own != "" && of != own:
		return fmt.Errorf("%s is %q, want %s; the parameter units is %q", where, units, want, r.Units)
	}
	return nil
}

// convert returns a value with its variance in the units of the readings.
func (r *Rules) convert(value, variance float64, units string) (v, s2 float64, err error) {
	from, _ := record.LogarithmIn(units)
	to, _ := record.LogarithmIn(r.Units)
	if units == "" || r.Units == "" || from == to {
		return value, variance, nil
	}
	if value, variance = from.Backward(value, variance); to != record.TransformNone && !(value > 0) {
		return 0, 0, fmt.Errorf("is %g %s, which has no logarithm, want a value above 0: the readings are in %s", value, units, r.Units)
	}
	return to.Forward(value, variance)
}

// observation converts a row with a value.
func (r *reader) observation(i int, value float64) (o record.Observation, err error) {
	at, err := r.Place(i)
	if err != nil {
		return o, withDatum(err)
	}
	if near := r.Near; !near.Contains(at) {
		return o, fmt.Errorf("%s: that is (%.1f, %.1f) m in the map frame, far from the field; want x from %.1f to %.1f and y from %.1f to %.1f",
			r.PlaceText(i), at[0], at[1], near.Min[0], near.Max[0], near.Min[1], near.Max[1])
	}
	units := r.unit
	if r.units >= 0 {
		units = r.Cell(i, r.units)
	}
	if r.Kind != "column" {
		if err := r.checkUnits("property units", units); err != nil {
			return o, err
		}
	}
	cov, err := r.covariance(i)
	if err != nil {
		return o, err
	}
	stdDev, ok, err := r.number(i, r.stdDev)
	if err != nil {
		return o, err
	}
	if !ok && r.StdDev == 0 {
		is := "is empty"
		if r.stdDev < 0 {
			is = "is missing"
		}
		return o, fmt.Errorf("%s %s %s, want the standard deviation of the value, above 0; or set the parameter reading.stddev for all", r.Kind, columnStdDev, is)
	}
	const least, most = 1e-100, 1e100 // so that the square is a number, too
	if ok && (stdDev < least || stdDev > most) {
		return o, fmt.Errorf("%s %s is %g, want a number above 0, from %g to %g", r.Kind, columnStdDev, stdDev, least, most)
	}
	name := r.Names[r.value]
	value, variance, err := r.convert(value, stdDev*stdDev, units)
	if err != nil {
		return o, fmt.Errorf("%s %s %w", r.Kind, name, err)
	}
	if !ok {
		variance = r.StdDev * r.StdDev
	}
	o = record.Observation{
		Stamp: math.NaN(), Target: at,
		Belief: record.Belief{X: at[0], Y: at[1], XX: cov.XX, XY: cov.XY, YY: cov.YY},
		Value:  value, Variance: variance,
	}
	if o.ModelValue, o.ModelVariance, err = r.Transform.Forward(value, o.Variance); err != nil {
		return o, fmt.Errorf("%s %s: %w", r.Kind, name, err)
	}
	return o, nil
}

// number returns the number in a column, and whether there is one.
func (r *reader) number(row, column int) (float64, bool, error) {
	if column < 0 {
		return 0, false, nil
	}
	return r.Number(row, column)
}

// covariance returns the uncertainty of the place.
func (r *reader) covariance(row int) (c record.Covariance, err error) {
	const most = 1e4 // m
	size := func(column int, otherwise float64) (v float64) {
		v, ok, failed := r.number(row, column)
		switch {
		case err != nil:
		case failed != nil:
			err = failed
		case !ok:
			v = otherwise
		case v < 0 || v > most:
			err = fmt.Errorf("%s %s is %g, want 0 to %g m", r.Kind, r.Names[column], v, most)
		}
		return v
	}
	major := size(r.major, size(r.placeStdDev, math.Hypot(r.PlaceStdDev, r.rounding)))
	minor := size(r.minor, major)
	azimuth, _, failed := r.number(row, r.azimuth)
	if err == nil {
		err = failed
	}
	return covariance(major, minor, azimuth), err
}
