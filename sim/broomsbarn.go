package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
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
func readBroomsBarn(text, value string) (*table, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 5 {
		return nil, errors.New("ends before the first row of data")
	}
	counts := strings.Fields(lines[1])
	threshold, _ := strconv.ParseFloat(counts[3], 64) // isBroomsBarn read it before
	t := &table{x: 0, y: 1, unit: broomsBarnUnit, missing: func(value string) bool {
		v, err := strconv.ParseFloat(value, 64)
		return err == nil && v <= threshold
	}}
	for _, line := range lines[2:4] {
		line = strings.TrimRight(line, "\r ")
		for len(line) > 0 {
			n := min(20, len(line))
			t.names = append(t.names, strings.TrimSpace(line[:n]))
			line = line[n:]
		}
	}
	if counts[1] != strconv.Itoa(len(t.names)) {
		return nil, fmt.Errorf("line 2 announces %s columns, lines 3 and 4 name %d: %s", counts[1], len(t.names), quoted(t.names))
	}
	if value == "" {
		value = "log10 K"
	}
	if t.value = indexOf(t.names, value); t.value < 2 {
		return nil, fmt.Errorf("there is no value column %q; the columns are %s", value, quoted(t.names))
	}
	t.units = broomsBarnUnits[t.names[t.value]]
	for k, line := range lines[4:] {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != len(t.names) {
			return nil, fmt.Errorf("line %d: %d numbers, want %d", k+5, len(fields), len(t.names))
		}
		t.rows, t.lines = append(t.rows, fields), append(t.lines, k+5)
	}
	if counts[0] != strconv.Itoa(len(t.rows)) {
		return nil, fmt.Errorf("line 2 announces %s rows, there are %d", counts[0], len(t.rows))
	}
	return t, nil
}
