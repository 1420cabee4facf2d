package samples

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// Rules says how samples are read, and which are refused.
type Rules struct {
	Datum       *field.Datum     // of the map, which longitude and latitude, or UTM, need; nil: unknown
	Units       string           // of the values; a file that states other units is refused
	Transform   record.Transform // to model units
	StdDev      float64          // of a value whose row does not state it, in Units; 0: such a row is refused
	PlaceStdDev float64          // of a place whose row does not state it, m
	Near        orb.Bound        // places outside are refused, m in the map frame
}

// Limits of a file.
const (
	mostBytes   = 16 << 20
	mostRows    = 10_000
	mostColumns = 1000
)

// Read reads samples from a file, CSV or GeoJSON; see the package for its columns. Other
// columns are ignored. A file of GeoJSON begins with a brace. The observations are numbered
// from 1; when they were made, and from how many readings, is unknown.
//
// If a row cannot be used, none is. The error names the file, the line, the column, its
// value, and what is allowed.
func Read(file string, rules Rules) ([]record.Observation, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: want a file with samples, CSV or GeoJSON", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%w: want a file with samples, CSV or GeoJSON", err)
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("%s: the file is larger than %d MiB", file, mostBytes>>20)
	}
	list, err := parse(data, &rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

func parse(data []byte, rules *Rules) ([]record.Observation, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // which some spreadsheets write
	read := readCSV
	if start := bytes.TrimSpace(data); len(start) > 0 && start[0] == '{' {
		read = readGeoJSON
	}
	rows, err := read(data, rules)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("there is no sample in it")
	}
	list := make([]record.Observation, len(rows))
	for i := range rows {
		if list[i], err = rows[i].observation(rules); err != nil {
			return nil, fmt.Errorf("%s: %w", rows[i].where, err)
		}
		list[i].Sequence = i + 1
	}
	return list, nil
}

// Limits of the standard deviation of a value, whose square must be a number, too.
const (
	leastStdDev = 1e-100
	mostStdDev  = 1e100
)

// Columns that are read.
const (
	columnValue       = "value"
	columnStdDev      = "stddev"
	columnMajor       = "sigma_major"
	columnMinor       = "sigma_minor"
	columnAzimuth     = "sigma_azimuth"
	columnPlaceStdDev = "place_stddev"
)

// errRows is the error of a file with too many samples.
var errRows = fmt.Errorf("there are more than %d samples in it, which is the most that is allowed", mostRows)

// row is a sample as it stands in a file.
type row struct {
	where   string // "line 4"
	column  string // what a column is called: "column" or "property"
	system  *crs.System
	place   record.Place // in the system
	numbers map[string]float64
}

// known is the name by which a column is known: in lower case, without the unit of a length
// or an angle. units are those in brackets; empty: none.
func known(name string) (column, units string) {
	column = strings.TrimSpace(name)
	if before, after, ok := strings.Cut(column, "["); ok {
		column, units = strings.TrimSpace(before), strings.TrimSuffix(strings.TrimSpace(after), "]")
	}
	column = strings.ToLower(column)
	for _, suffix := range []string{"_m", "_deg"} {
		column = strings.TrimSuffix(column, suffix)
	}
	switch column {
	case "longitude":
		column = "lon"
	case "latitude":
		column = "lat"
	}
	return column, units
}

// checkUnits returns an error if a file states units other than those of the readings.
func (r *Rules) checkUnits(where, units string) error {
	if units != "" && r.Units != "" && units != r.Units {
		return fmt.Errorf("%s is %q, want %q, the parameter units", where, units, r.Units)
	}
	return nil
}

// observation converts the row.
func (r *row) observation(rules *Rules) (o record.Observation, err error) {
	at, err := r.system.Place(r.place)
	first, second, _ := r.system.Axes()
	if err == nil && !rules.Near.Contains(at) {
		err = fmt.Errorf("that is (%.1f, %.1f) m in the map frame, far from the field; want x from %.1f to %.1f and y from %.1f to %.1f",
			at[0], at[1], rules.Near.Min[0], rules.Near.Max[0], rules.Near.Min[1], rules.Near.Max[1])
	}
	if err != nil {
		return o, fmt.Errorf("%s and %s are %g and %g: %w", first, second, r.place[0], r.place[1], err)
	}
	cov, err := r.covariance(rules)
	if err != nil {
		return o, err
	}
	value, ok := r.numbers[columnValue]
	if !ok {
		return o, fmt.Errorf("%s %s is empty, want a number", r.column, columnValue)
	}
	stdDev, ok := r.numbers[columnStdDev]
	switch {
	case !ok && rules.StdDev > 0:
		stdDev = rules.StdDev
	case !ok:
		return o, fmt.Errorf("%s %s is empty, want the standard deviation of the value, above 0; or set the parameter reading.stddev for all", r.column, columnStdDev)
	case stdDev < leastStdDev || stdDev > mostStdDev:
		return o, fmt.Errorf("%s %s is %g, want a number above 0, from %g to %g", r.column, columnStdDev, stdDev, leastStdDev, mostStdDev)
	}
	o = record.Observation{
		Stamp: math.NaN(), Target: at,
		Belief: record.Belief{X: at[0], Y: at[1], XX: cov.XX, XY: cov.XY, YY: cov.YY},
		Value:  value, Variance: stdDev * stdDev,
	}
	if o.ModelValue, o.ModelVariance, err = rules.Transform.Forward(value, o.Variance); err != nil {
		return o, fmt.Errorf("%s %s: %w", r.column, columnValue, err)
	}
	return o, nil
}

// covariance returns the uncertainty of the place.
func (r *row) covariance(rules *Rules) (record.Covariance, error) {
	const most = 1e4 // m
	size := func(column string, otherwise float64) (float64, error) {
		v, ok := r.numbers[column]
		if !ok {
			return otherwise, nil
		}
		if v < 0 || v > most {
			return 0, fmt.Errorf("%s %s is %g, want 0 to %g m", r.column, column, v, most)
		}
		return v, nil
	}
	round, err := size(columnPlaceStdDev, rules.PlaceStdDev)
	if err != nil {
		return record.Covariance{}, err
	}
	e := Ellipse{Azimuth: r.numbers[columnAzimuth]}
	if e.Major, err = size(columnMajor, round); err != nil {
		return record.Covariance{}, err
	}
	if e.Minor, err = size(columnMinor, e.Major); err != nil {
		return record.Covariance{}, err
	}
	return e.Covariance(), nil
}
