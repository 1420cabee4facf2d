// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// broomsBarnUnit is the unit of the coordinates of the Broom's Barn data: the spacing
// of its sampling grid (Webster & Oliver).
const broomsBarnUnit = 40 // m

// broomsBarnUnits gives the units of the columns; the others have none.
var broomsBarnUnits = map[string]string{"K": "mg/l", "log10 K": "log10(mg/l)", "P": "mg/l", "log10 P": "log10(mg/l)"}

// isBroomsBarn recognises the format: a title, four numbers (rows, columns, 0
// and the threshold of missing values), and the names East and North.
func isBroomsBarn(text string) bool {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) < 4 {
		return false
	}
	counts, names := strings.Fields(lines[1]), strings.Fields(lines[2])
	for _, c := range counts {
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			return false
		}
	}
	return len(counts) == 4 && len(names) >= 2 && names[0] == "East" && names[1] == "North"
}

// readBroomsBarn reads the format: names in columns 20 characters wide over two
// lines, then rows of numbers separated by spaces. value is the column of the value; empty: log10 K.
func (p *PointData) readBroomsBarn(text, value string) (places []orb.Point, values []float64, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 5 {
		return nil, nil, errors.New("ends before the first row of data")
	}
	counts := strings.Fields(lines[1])
	threshold, _ := strconv.ParseFloat(counts[3], 64) // isBroomsBarn read it before
	var names []string
	for _, line := range lines[2:4] {
		line = strings.TrimRight(line, "\r ")
		for len(line) > 0 {
			n := min(20, len(line))
			names = append(names, strings.TrimSpace(line[:n]))
			line = line[n:]
		}
	}
	list := strings.Join(names, ", ")
	if counts[1] != strconv.Itoa(len(names)) {
		return nil, nil, fmt.Errorf("line 2 announces %s columns, lines 3 and 4 name %d: %s", counts[1], len(names), list)
	}
	if value == "" {
		value = "log10 K"
	}
	column := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, value) })
	if column < 2 {
		return nil, nil, fmt.Errorf("there is no value column %q; the columns are %s", value, list)
	}
	p.Name, p.Units = names[column], broomsBarnUnits[names[column]]
	rows := 0
	for k, line := range lines[4:] {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if rows++; len(fields) != len(names) {
			return nil, nil, fmt.Errorf("line %d: %d numbers, want %d", k+5, len(fields), len(names))
		}
		var row [3]float64 // x, y, value
		for i, c := range []int{0, 1, column} {
			if row[i], err = strconv.ParseFloat(fields[c], 64); err != nil || math.IsNaN(row[i]) || math.IsInf(row[i], 0) {
				return nil, nil, fmt.Errorf("line %d, column %q: %q is not a finite number", k+5, names[c], fields[c])
			}
		}
		if row[2] > threshold {
			places, values = append(places, orb.Point{row[0] * broomsBarnUnit, row[1] * broomsBarnUnit}), append(values, row[2])
		}
	}
	if counts[0] != strconv.Itoa(rows) {
		return nil, nil, fmt.Errorf("line 2 announces %s rows, there are %d", counts[0], rows)
	}
	return places, values, nil
}
