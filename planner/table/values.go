// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
)

// missing has the texts, in lower case, that stand for no value.
var missing = map[string]bool{"": true, "na": true, "n/a": true, "#n/a": true, "nan": true, "null": true, "none": true, "-": true, "--": true}

// codes are the numbers by which programs say that there is no value, besides those that are larger than any quantity.
var codes = []float64{-99, -999, -9999, -99999, -999999, 999, 9999, 99999, 999999, -32767, -32768, 32767, 65535, -99.9, -999.9, -999.25, -9999.9,
	math.MinInt32, -math.MaxInt32, math.MaxInt32, math.MaxUint32}

// Largest is the magnitude from which a number is no quantity.
const Largest = 1e20

// Missing counts the rows of a table, or the cells of a raster, without a value.
type Missing struct {
	Column string
	Rows   int            // all of them
	Cells  bool           // they are those of a raster
	By     map[string]int // those without a value, by the text that stands there
}

// Count returns the number of rows without a value.
func (m Missing) Count() (n int) {
	for _, k := range m.By {
		n += k
	}
	return n
}

// String says it in a clause; "" if each row has a value.
func (m Missing) String() string {
	if m.Count() == 0 {
		return ""
	}
	var what []string
	for _, text := range slices.Sorted(maps.Keys(m.By)) {
		name := text
		if text == "" {
			name = "nothing"
		}
		what = append(what, fmt.Sprintf("%s in %d", name, m.By[text]))
	}
	const most = 5
	if n := len(what) - most; n > 0 {
		what = append(what[:most], "and "+num.Count(n, "other text"))
	}
	rows := "rows"
	if m.Cells {
		rows = "cells"
	}
	return fmt.Sprintf("%d of %d %s have no %s (%s) and are left out", m.Count(), m.Rows, rows, m.Column, strings.Join(what, ", "))
}

// noQuantities are columns of places, numbers, names and times, which no robot measures.
var noQuantities = []string{
	"lon", "lat", "x", "y", "easting", "northing", "epsg",
	"id", "fid", "gid", "oid", "objectid", "ogc_fid", "sample_id", "point_id", "nr", "name", "label", "date", "time", "timestamp", "datetime", "year",
}

// ValueColumn returns the column of the values: the one with the name or, if that is empty, the column value, or else the only one
// that is neither a coordinate nor a known column, which has another meaning. The error lists the columns and says where a person
// gives the name.
func (t *Table) ValueColumn(name, where string, known ...string) (int, error) {
	if name != "" {
		column, err := t.Find(name)
		if err == nil && column < 0 {
			err = fmt.Errorf("there is no %s %q; its columns are %s", t.Kind, name, t.List())
		}
		return column, err
	}
	if column, err := t.Find("value"); err != nil || column >= 0 {
		return column, err
	}
	var left []int
	for i, column := range t.known {
		if !slices.Contains(known, column) && !slices.Contains(noQuantities, column) {
			left = append(left, i)
		}
	}
	if len(left) == 1 {
		return left[0], nil
	}
	return -1, fmt.Errorf("there is no %s value, but %d besides the coordinates: name the one with the quantity by %s; its columns are %s", t.Kind, len(left), where, t.List())
}

// Span is the range of the values in a list of numbers, some of which may stand for no value. Begin with NewSpan.
type Span struct {
	lo, hi float64
	codes  []float64
}

// NewSpan returns an empty range. here lists further numbers that may stand for no value, such as the largest byte.
func NewSpan(here ...float64) Span { return Span{math.Inf(1), math.Inf(-1), append(here, codes...)} }

// Take adds a number that is not NaN. It reports whether the number lies outside the range so far and is one that programs write for no
// value, such as -9999: the range then stays as it is.
func (s *Span) Take(v float64) (code bool) {
	if s.lo <= v && v <= s.hi {
		return false
	}
	if slices.Contains(s.codes, v) || math.Abs(v) >= Largest {
		return true
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	return false
}

// Beyond reports whether a number that programs write for no value is no value here: it is farther from all values than their range is wide.
func (s *Span) Beyond(code float64) bool {
	apart := max(s.hi-s.lo, math.Abs(s.lo), math.Abs(s.hi)) // values that are all alike have a size, too
	return s.lo <= s.hi && max(s.lo-code, code-s.hi) > apart
}

// Values returns the numbers of a column, NaN where a row has none, also by a number that stands for no value: see [Span]. The error
// names the line.
func (t *Table) Values(column int) ([]float64, Missing, error) {
	values, none := make([]float64, t.Len()), Missing{Column: t.Names[column], Rows: t.Len(), By: map[string]int{}}
	span, written := NewSpan(), []int(nil)
	for i := range values {
		v, ok, err := t.Number(i, column)
		if err != nil {
			return nil, none, fmt.Errorf("%s: %w", t.Where(i), err)
		}
		if values[i] = v; !ok {
			values[i] = math.NaN()
			none.By[t.Cell(i, column)]++
		} else if span.Take(v) {
			written = append(written, i)
		}
	}
	for _, i := range written {
		if span.Beyond(values[i]) {
			values[i] = math.NaN()
			none.By[t.Cell(i, column)]++
		}
	}
	if none.Count() == t.Len() && t.Len() > 0 {
		return nil, none, fmt.Errorf("no row has a value in %s %s", t.Kind, t.Names[column])
	}
	return values, none, nil
}
