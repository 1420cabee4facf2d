package samples

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// Rules says how samples are read, and which are refused.
type Rules struct {
	Datum       *field.Datum     // of the map, which longitude and latitude, or UTM, need; nil: unknown
	Units       string           // of the readings, to which values in other units are converted if only a logarithm differs; "": any
	Transform   record.Transform // to model units
	StdDev      float64          // of a value whose row does not state it, in Units; 0: such a row is refused
	PlaceStdDev float64          // of a place whose row does not state it, m
	Near        orb.Bound        // places outside are refused, m in the map frame
}

// Limits of a file.
const (
	MostBytes   = 16 << 20
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
	data, err := record.ReadFile(file, MostBytes)
	if err != nil {
		return nil, fmt.Errorf("%w: want a file with samples, CSV or GeoJSON", err)
	}
	list, err := Parse(data, rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// Parse is Read for the content of a file.
func Parse(data []byte, rules Rules) ([]record.Observation, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // which some spreadsheets write
	read := readCSV
	if start := bytes.TrimSpace(data); len(start) > 0 && start[0] == '{' {
		read = readGeoJSON
	}
	rows, err := read(data, &rules)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("there is no sample in it")
	}
	list := make([]record.Observation, len(rows))
	for i := range rows {
		if list[i], err = rows[i].observation(&rules); err != nil {
			return nil, fmt.Errorf("%s: %w", rows[i].where, err)
		}
		list[i].Sequence = i + 1
	}
	return list, nil
}

// Columns that are read besides those of a place.
const (
	columnEPSG        = "epsg" // number of the coordinate reference system, in the EPSG registry, of UTM coordinates
	columnUnits       = "units"
	columnValue       = "value"
	columnStdDev      = "stddev"
	columnMajor       = "sigma_major"
	columnMinor       = "sigma_minor"
	columnAzimuth     = "sigma_azimuth"
	columnPlaceStdDev = "place_stddev"
)

// isRead says which columns are read.
var isRead = map[string]bool{
	columnEPSG: true, columnUnits: true, columnValue: true, columnStdDev: true, columnMajor: true, columnMinor: true, columnAzimuth: true, columnPlaceStdDev: true,
	"lon": true, "lat": true, "easting": true, "northing": true, "x": true, "y": true,
}

// errRows is the error of a file with too many samples.
var errRows = fmt.Errorf("there are more than %d samples in it, which is the most that is allowed", mostRows)

// row is a sample as it stands in a file.
type row struct {
	where  string            // "line 4"
	kind   string            // what a column is called: "column" or "property"
	units  string            // of the value and its standard deviation; "": those of the readings
	cells  map[string]string // texts as they stand there, by the known names of the columns that are read
	system *crs.System       // nil: as the columns of a place say
	place  record.Place      // in the system, if that is not nil
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

// checkUnits returns an error if values in units cannot be converted to those of the readings. Without units they
// are taken for the readings' own, unless these are logarithms, of which people see what they are the logarithms of.
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

// number returns the number in a column, and whether there is one.
func (r *row) number(column string) (v float64, ok bool, err error) {
	text := strings.TrimSpace(r.cells[column])
	if text == "" {
		return 0, false, nil
	}
	v, err = strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false, fmt.Errorf("%s %s is %q, want a finite number", r.kind, column, text)
	}
	return v, true, nil
}

// needed returns the number in a column that must have one, or an error that says what it is.
func (r *row) needed(column, what string) (float64, error) {
	v, ok, err := r.number(column)
	if err == nil && !ok {
		err = fmt.Errorf("%s %s is empty, want %s", r.kind, column, what)
	}
	return v, err
}

// observation converts the row.
func (r *row) observation(rules *Rules) (o record.Observation, err error) {
	if err = r.locate(rules); err != nil {
		return o, err
	}
	at, err := r.system.Place(r.place)
	if err == nil && !rules.Near.Contains(at) {
		err = fmt.Errorf("that is (%.1f, %.1f) m in the map frame, far from the field; want x from %.1f to %.1f and y from %.1f to %.1f",
			at[0], at[1], rules.Near.Min[0], rules.Near.Max[0], rules.Near.Min[1], rules.Near.Max[1])
	}
	if err != nil {
		return o, fmt.Errorf("%s and %s are %g and %g: %w", r.system.Axes[0], r.system.Axes[1], r.place[0], r.place[1], err)
	}
	cov, err := r.covariance(rules)
	if err != nil {
		return o, err
	}
	value, err := r.needed(columnValue, "a number")
	if err != nil {
		return o, err
	}
	stdDev, ok, err := r.number(columnStdDev)
	if err != nil {
		return o, err
	}
	if !ok && rules.StdDev == 0 {
		return o, fmt.Errorf("%s %s is empty, want the standard deviation of the value, above 0; or set the parameter reading.stddev for all", r.kind, columnStdDev)
	}
	const least, most = 1e-100, 1e100 // so that the square is a number, too
	if ok && (stdDev < least || stdDev > most) {
		return o, fmt.Errorf("%s %s is %g, want a number above 0, from %g to %g", r.kind, columnStdDev, stdDev, least, most)
	}
	value, variance, err := rules.convert(value, stdDev*stdDev, r.units)
	if err != nil {
		return o, fmt.Errorf("%s %s %w", r.kind, columnValue, err)
	}
	if !ok {
		variance = rules.StdDev * rules.StdDev
	}
	o = record.Observation{
		Stamp: math.NaN(), Target: at,
		Belief: record.Belief{X: at[0], Y: at[1], XX: cov.XX, XY: cov.XY, YY: cov.YY},
		Value:  value, Variance: variance,
	}
	if o.ModelValue, o.ModelVariance, err = rules.Transform.Forward(value, o.Variance); err != nil {
		return o, fmt.Errorf("%s %s: %w", r.kind, columnValue, err)
	}
	return o, nil
}

// covariance returns the uncertainty of the place.
func (r *row) covariance(rules *Rules) (c record.Covariance, err error) {
	const most = 1e4 // m
	size := func(column string, otherwise float64) (v float64) {
		v, ok, failed := r.number(column)
		switch {
		case err != nil:
		case failed != nil:
			err = failed
		case !ok:
			v = otherwise
		case v < 0 || v > most:
			err = fmt.Errorf("%s %s is %g, want 0 to %g m", r.kind, column, v, most)
		}
		return v
	}
	major := size(columnMajor, size(columnPlaceStdDev, rules.PlaceStdDev))
	minor := size(columnMinor, major)
	azimuth, _, failed := r.number(columnAzimuth)
	if err == nil {
		err = failed
	}
	return covariance(major, minor, azimuth), err
}
