package samples

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/geojson"
)

// Column is a column of a table: its name in CSV and in GeoJSON, and its value in row i,
// which is a string, an integer or a float. A float that is not finite is an empty cell, or
// null.
type Column struct {
	Name, Property string // either may be empty: there is no such column, or property
	Value          func(i int) any
}

// Table is a list of places with columns.
type Table struct {
	Name    string                   // of the layer
	Rows    int                      //
	Place   func(i int) record.Place // m, in the map frame
	Columns []Column
}

// NewTable returns the table of samples, whose values are in units.
func NewTable(list []Sample, quantity, units string) Table {
	t := Table{Name: "samples", Rows: len(list), Place: func(i int) record.Place { return record.Place{list[i].Belief.X, list[i].Belief.Y} }}
	add := func(name, property string, value func(s *Sample) any) {
		t.Columns = append(t.Columns, Column{name, property, func(i int) any { return value(&list[i]) }})
	}
	add("sample", "sample", func(s *Sample) any { return s.Sequence })
	add("origin", "origin", func(s *Sample) any { return s.Origin })
	add("stamp_s", "stamp_s", func(s *Sample) any { return s.Stamp })
	t.AddEllipses(func(i int) *record.Covariance { c := list[i].Belief.Covariance(); return &c })
	add(WithUnits("value", units), "value", func(s *Sample) any { return s.Value })
	add(WithUnits("stddev", units), "stddev", func(s *Sample) any { return math.Sqrt(s.Variance) })
	add("readings", "readings", func(s *Sample) any { return s.Readings })
	t.AddProperties(quantity, units)
	return t
}

// AddEllipses adds the columns of the uncertainty of the places; nil: unknown.
func (t *Table) AddEllipses(of func(i int) *record.Covariance) {
	add := func(name string, value func(Ellipse) float64) {
		t.Columns = append(t.Columns, Column{name, name, func(i int) any {
			if c := of(i); c != nil {
				return round(value(EllipseOf(*c)), 1e6)
			}
			return math.NaN()
		}})
	}
	add("sigma_major_m", func(e Ellipse) float64 { return e.Major })
	add("sigma_minor_m", func(e Ellipse) float64 { return e.Minor })
	add("sigma_azimuth_deg", func(e Ellipse) float64 { return e.Azimuth })
}

// AddProperties adds the properties that name the quantity and its units.
func (t *Table) AddProperties(quantity, units string) {
	t.Columns = append(t.Columns,
		Column{"", "quantity", func(int) any { return quantity }},
		Column{"", "units", func(int) any { return units }})
}

// WithUnits returns the name of a column of CSV with the units of its values.
func WithUnits(name, units string) string {
	if units == "" {
		return name
	}
	return name + " [" + units + "]"
}

func round(v, unit float64) float64 { return math.Round(v*unit) / unit }

// columnEPSG is the column of CSV with the number of the coordinate reference system, in
// the EPSG registry, of UTM coordinates.
const columnEPSG = "epsg"

// CSV returns the table with a header, its places in the system.
func (t *Table) CSV(system *crs.System) ([]byte, error) {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	first, second, unit := system.Axes()
	header := []string{first + "_" + unit, second + "_" + unit}
	if system.Kind() == crs.UTM {
		header = append(header, columnEPSG)
	}
	for _, c := range t.Columns {
		if c.Name != "" {
			header = append(header, c.Name)
		}
	}
	if err := w.Write(header); err != nil {
		return nil, err
	}
	for i := range t.Rows {
		at := system.Round(system.Of(t.Place(i)))
		row := []string{number(at[0]), number(at[1])}
		if system.Kind() == crs.UTM {
			row = append(row, fmt.Sprint(system.EPSG()))
		}
		for _, c := range t.Columns {
			if c.Name != "" {
				row = append(row, cell(c.Value(i)))
			}
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return file.Bytes(), w.Error()
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func cell(v any) string {
	f, ok := v.(float64)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case math.IsNaN(f) || math.IsInf(f, 0):
		return ""
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// GeoJSON returns the table as points in the system.
func (t *Table) GeoJSON(system *crs.System) ([]byte, error) {
	features := make([]geojson.Feature, t.Rows)
	for i := range features {
		properties := geojson.Properties{}
		for _, c := range t.Columns {
			if c.Property != "" {
				properties[c.Property] = c.Value(i)
			}
		}
		features[i] = geojson.NewFeature(t.Place(i), properties)
	}
	return system.Layer(t.Name, features)
}
