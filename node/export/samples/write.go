// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
)

// Table is a list of places with columns.
type Table struct {
	Name    string         // of the layer
	places  []record.Place // m, in the map frame
	columns []column
}

// column is a column of a table: its name in CSV and in GeoJSON, and its value in row i,
// which is a string, an integer or a float. A float that is not finite is an empty cell, or
// null.
type column struct {
	name, property string // either may be empty: there is no such column, or property
	value          func(i int) any
}

func (t *Table) add(name, property string, value func(i int) any) {
	t.columns = append(t.columns, column{name, property, value})
}

// Samples returns the table of all samples that a mission knew: earlier ones, its own, and those
// of other robots. Where the model has logarithms, the limits of two standard deviations are not alike, and
// columns of their own have the model's values.
func Samples(m *record.Mission) Table {
	t, s := Table{Name: "samples"}, m.Scale()
	var list []*record.Observation
	var origins []string
	for origin, o := range m.Samples {
		list, origins, t.places = append(list, o), append(origins, origin), append(t.places, record.Place{o.Belief.X, o.Belief.Y})
	}
	t.add("sample", "sample", func(i int) any { return list[i].Sequence })
	t.add("origin", "origin", func(i int) any { return origins[i] })
	t.add("stamp_s", "stamp_s", func(i int) any { return math.Round(list[i].Stamp*1e3) / 1e3 })
	t.addEllipses(func(i int) *record.Covariance { c := list[i].Belief.Covariance(); return &c })
	var values []estimate
	for _, o := range list {
		e := estimate{model: o.ModelValue, modelVariance: o.ModelVariance}
		e.value, e.variance = s.Sample(o)
		values = append(values, e)
	}
	t.addValues(s, values, s.Log != "")
	t.add("readings", "readings", func(i int) any { return list[i].Readings })
	for k := range m.Also {
		t.addAlso(&m.Also[k], func(i int) *record.Value { return list[i].AlsoAt(k) })
	}
	t.addProperties(s)
	return t
}

// addAlso adds the columns of another quantity; nil: it was not measured.
func (t *Table) addAlso(q *record.Quantity, of func(i int) *record.Value) {
	name := q.Column()
	t.addMeasured(name, name+"_stddev", q.Units, func(i int) (value, variance float64) {
		v := of(i)
		if v == nil {
			return math.NaN(), math.NaN()
		}
		if v.Variance == 0 {
			return v.Value, math.NaN()
		}
		return v.Value, v.Variance
	})
	t.add("", name+"_quantity", func(int) any { return q.Quantity })
	t.add("", name+"_units", func(int) any { return q.Units })
}

// Heard returns the table of what a second sensor measured, at stops and on pieces of path.
func Heard(of *record.Secondary) Table {
	t, s := Table{Name: "heard"}, record.Scale{Quantity: of.String(), Units: of.Units}
	values := make([]estimate, len(of.Heard))
	for i, h := range of.Heard {
		t.places = append(t.places, record.Place{h.Belief.X, h.Belief.Y})
		values[i] = estimate{value: h.Value, variance: h.Variance}
	}
	t.add("stamp_s", "stamp_s", func(i int) any { return math.Round(of.Heard[i].Stamp*1e3) / 1e3 })
	t.addEllipses(func(i int) *record.Covariance { c := of.Heard[i].Belief.Covariance(); return &c })
	t.addValues(s, values, false)
	t.add("path_m", "path_m", func(i int) any { return math.Round(of.Heard[i].Path*10) / 10 })
	t.add("readings", "readings", func(i int) any { return of.Heard[i].Readings })
	t.addProperties(s)
	return t
}

// estimate is a value with its variance, as people see them and in those of the model.
type estimate struct{ value, variance, model, modelVariance float64 }

// addValues adds the columns of values, with limits those of two standard deviations, and those of the model's
// values where these are logarithms.
func (t *Table) addValues(s record.Scale, list []estimate, limits bool) {
	limit := func(name string, sigmas float64) {
		t.add(WithUnits(name, s.Units), name, func(i int) any {
			e := &list[i]
			return rounded(s.Value(e.model+sigmas*math.Sqrt(e.modelVariance)), e.variance)
		})
	}
	t.addMeasured("value", "stddev", s.Units, func(i int) (value, variance float64) { return list[i].value, list[i].variance })
	if limits {
		limit("low", -2)
		limit("high", 2)
	}
	if s.Log != "" {
		t.addMeasured("value_"+s.Log, "stddev_"+s.Log, s.Model, func(i int) (value, variance float64) { return list[i].model, list[i].modelVariance })
	}
}

// addMeasured adds the columns of a value and of its standard deviation. A value or variance that is not known is NaN.
func (t *Table) addMeasured(name, stdDev, units string, of func(i int) (value, variance float64)) {
	t.add(WithUnits(name, units), name, func(i int) any { return rounded(of(i)) })
	t.add(WithUnits(stdDev, units), stdDev, func(i int) any {
		_, variance := of(i)
		return rounded(math.Sqrt(variance), variance)
	})
}

// Recommended returns the table of the recommended place. The uncertainty of the place is that of
// where a robot arrives that is sent there. Columns of their own have the model's values as in [Samples].
func Recommended(m *record.Mission) Table {
	r, s := m.Recommendation, m.Scale()
	t := Table{Name: "recommended", places: []record.Place{r.Target}}
	t.addEllipses(func(int) *record.Covariance { return m.Noise })
	stdDev := s.Spread(r.Mean, r.StdDev)
	t.addValues(s, []estimate{{s.Value(r.Mean), stdDev * stdDev, r.Mean, r.StdDev * r.StdDev}}, true)
	t.add("after_samples", "after_samples", func(int) any { return r.AfterSamples })
	t.add("after_team_samples", "after_team_samples", func(int) any { return r.AfterTeam })
	t.addProperties(s)
	return t
}

// rounded returns a value without the digits that are below a thousandth of its standard deviation.
func rounded(v, variance float64) float64 {
	scale := math.Pow10(3 - int(math.Floor(math.Log10(variance)/2)))
	if r := math.Round(v*scale) / scale; variance > 0 && !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return v
}

// addEllipses adds the columns of the uncertainty of the places; nil: unknown.
func (t *Table) addEllipses(of func(i int) *record.Covariance) {
	for k, name := range []string{"sigma_major_m", "sigma_minor_m", "sigma_azimuth_deg"} {
		t.add(name, name, func(i int) any {
			c := of(i)
			if c == nil {
				return math.NaN()
			}
			major, minor, azimuth := ellipse(*c)
			return math.Round([]float64{major, minor, azimuth}[k]*1e6) / 1e6
		})
	}
}

// ellipse returns the standard deviations, m, along the axes of a covariance's ellipse, and the
// direction of the longer one, degrees clockwise from y, 0 to 180.
func ellipse(c record.Covariance) (major, minor, azimuth float64) {
	major, minor, angle := c.Axes()
	return major, minor, math.Mod(90-angle*180/math.Pi+360, 180)
}

// covariance is the inverse of ellipse.
func covariance(major, minor, azimuth float64) record.Covariance {
	sin, cos := math.Sincos((90 - azimuth) * math.Pi / 180)
	major, minor = major*major, minor*minor
	return record.Covariance{
		XX: major*cos*cos + minor*sin*sin,
		XY: (major - minor) * sin * cos,
		YY: major*sin*sin + minor*cos*cos,
	}
}

// addProperties adds the properties that name the quantity and its units.
func (t *Table) addProperties(s record.Scale) {
	t.add("", "quantity", func(int) any { return s.Quantity })
	t.add("", "units", func(int) any { return s.Units })
}

// WithUnits returns the name of a column of CSV with the units of its values.
func WithUnits(name, units string) string {
	if units == "" {
		return name
	}
	return name + " [" + units + "]"
}

// CSV returns the table with a header, its places in the system.
func (t *Table) CSV(system *earth.System) ([]byte, error) {
	lines := make([][]string, 1+len(t.places))
	add := func(name string, value func(i int) any) {
		lines[0] = append(lines[0], name)
		for i := range t.places {
			lines[i+1] = append(lines[i+1], cell(value(i)))
		}
	}
	for k, axis := range system.Axes {
		add(axis+"_"+system.Unit, func(i int) any {
			return strconv.FormatFloat(system.Round(system.Of(t.places[i]))[k], 'f', -1, 64)
		})
	}
	if system.Projected() {
		add("epsg", func(int) any { return system.EPSG })
	}
	for _, c := range t.columns {
		if c.name != "" {
			add(c.name, c.value)
		}
	}
	var file bytes.Buffer
	err := csv.NewWriter(&file).WriteAll(lines)
	return file.Bytes(), err
}

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

// Features returns the table as points in the map frame.
func (t *Table) Features() []geojson.Feature {
	features := make([]geojson.Feature, len(t.places))
	for i, p := range t.places {
		properties := geojson.Properties{}
		for _, c := range t.columns {
			if c.property != "" {
				properties[c.property] = c.value(i)
			}
		}
		features[i] = geojson.NewFeature(p, properties)
	}
	return features
}
