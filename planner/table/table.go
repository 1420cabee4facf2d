// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/earth"
)

// mostColumns is the largest number of columns.
const mostColumns = 1000

// Table has the texts of a file in rows and columns.
type Table struct {
	Names []string // of the columns, as the file has them
	Kind  string   // what a column is called: "column" or "property"

	known []string // names of the columns by which they are found
	rows  [][]string
	lines []int // number of each row's line

	decimalComma bool // and no number has a point: 1,234 is one and a bit

	declared string      // system of the features, as their file names it
	points   []orb.Point // of the features; nil: places stand in columns
	places               // see Locate
}

// Read reads a table with at most a number of rows. The error names the line at which the text is not a table.
func Read(data []byte, most int) (*Table, error) {
	text := Text(data)
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return readGeoJSON([]byte(text), most)
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if strings.HasPrefix(text, "sep=") { // by which Excel knows the separator
		text = "#" + text
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.Comment, r.FieldsPerRecord = separator(text), '#', -1
	r.TrimLeadingSpace = r.Comma != '\t' // a tab is a space, too
	t := &Table{Kind: "column", decimalComma: r.Comma != ','}
	for {
		row, err := r.Read()
		switch {
		case errors.Is(err, io.EOF) && t.Names == nil:
			return nil, errors.New("the file is empty")
		case errors.Is(err, io.EOF):
			return t, nil
		case errors.Is(err, csv.ErrBareQuote):
			return nil, fmt.Errorf("%w: %s, and enclose texts that contain quotation marks in quotation marks", err, decimalDegrees)
		case err != nil:
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if n := len(t.Names); n > 0 && len(row) > n && strings.TrimSpace(strings.Join(row[n:], "")) == "" { // separators at the end of a line
			row = row[:n]
		}
		switch {
		case len(t.Names) == 1 && len(row) > 1:
			return nil, fmt.Errorf("line %d has %d columns, but the first line has one, %.40q: delete all lines before the one with the names of the columns", line, len(row), t.Names[0])
		case t.Names != nil && len(row) != len(t.Names):
			return nil, fmt.Errorf("line %d has %d columns, want %d, as in the first line; if commas are also decimal points, separate the columns by semicolons", line, len(row), len(t.Names))
		case t.Names == nil:
			if err := t.name(row); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		case len(t.rows) == most:
			return nil, TooMany(most)
		default:
			t.rows, t.lines = append(t.rows, row), append(t.lines, line)
			for i := 0; t.decimalComma && i < len(row); i++ {
				_, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
				t.decimalComma = err != nil || !strings.Contains(row[i], ".")
			}
		}
	}
}

// TooMany returns the error of a table with more rows than are allowed.
func TooMany(most int) error {
	return fmt.Errorf("it has more than %d samples, the largest number allowed", most)
}

// name takes the header.
func (t *Table) name(header []string) error {
	if n := len(header); n > mostColumns {
		return fmt.Errorf("there are %d columns, at most %d are allowed", n, mostColumns)
	}
	if _, err := strconv.ParseFloat(strings.TrimSpace(header[0]), 64); err == nil {
		return fmt.Errorf("the first line begins with the number %s, so it does not name the columns: insert a line with their names before it", strings.TrimSpace(header[0]))
	}
	for _, name := range header {
		name = strings.TrimSpace(name)
		known, _ := Known(name)
		t.Names, t.known = append(t.Names, name), append(t.known, known)
	}
	return nil
}

// separator returns the most frequent separator of the first line that is not a comment.
func separator(text string) rune {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		best, most := ',', strings.Count(line, ",")
		for _, c := range ";\t|" {
			if n := strings.Count(line, string(c)); n > most {
				best, most = c, n
			}
		}
		return best
	}
	return ','
}

// Known returns the name by which a column is known: in lower case, without the unit of a length
// or an angle. units are those in brackets at its end; empty: none.
func Known(name string) (column, units string) {
	column = strings.TrimSpace(name)
	for _, brackets := range []string{"[]", "()"} {
		if i := strings.LastIndexByte(column, brackets[0]); i > 0 && strings.HasSuffix(column, brackets[1:]) {
			column, units = strings.TrimSpace(column[:i]), strings.TrimSpace(column[i+1:len(column)-1])
			break
		}
	}
	column = strings.ToLower(column)
	for _, suffix := range []string{"_m", "_deg"} {
		column = strings.TrimSuffix(column, suffix)
	}
	switch column {
	case "longitude", "long", "lng":
		column = "lon"
	case "latitude":
		column = "lat"
	case "east":
		column = "easting"
	case "north":
		column = "northing"
	case "en_epsg", "crs", "srid":
		column = "epsg"
	}
	return column, units
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Where says which row it is, in an error.
func (t *Table) Where(row int) string {
	where := fmt.Sprintf("line %d", t.lines[row])
	if t.points != nil {
		where += fmt.Sprintf(", feature %d", row+1)
	}
	return where
}

// Find returns the column of a name, that of the header or that by which it is known, and -1 if there is none. Two of them are an
// error.
func (t *Table) Find(name string) (column int, err error) {
	column = slices.IndexFunc(t.Names, func(n string) bool { return strings.EqualFold(n, name) })
	if exact := slices.Index(t.Names, name); exact >= 0 {
		if slices.Contains(t.Names[exact+1:], name) {
			return -1, fmt.Errorf("there are two columns %s", name)
		}
		return exact, nil
	}
	known, units := Known(name)
	for i, n := range t.known {
		if units != "" || n != known || i == column {
			continue
		}
		if column >= 0 {
			return -1, fmt.Errorf("there are two columns %s", known)
		}
		column = i
	}
	return column, nil
}

// List returns the names of the columns for an error.
func (t *Table) List() string {
	const most = 40
	text := strings.Join(t.Names[:min(len(t.Names), most)], ", ")
	if n := len(t.Names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// Cell returns a text without spaces around it; "" for a column -1.
func (t *Table) Cell(row, column int) string {
	if column < 0 {
		return ""
	}
	return strings.TrimSpace(t.rows[row][column])
}

// decimalDegrees says how to write what surveyors write as 8°30'03".
const decimalDegrees = "write degrees as a number, such as 8.5008, without minutes and seconds"

// Number returns the number in a column, and whether there is one. The error says which text is none, or not finite.
func (t *Table) Number(row, column int) (v float64, ok bool, err error) {
	text := t.Cell(row, column)
	if missing[strings.ToLower(text)] {
		return 0, false, nil
	}
	if v, err = t.Parse(text); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		more := ""
		switch {
		case strings.HasPrefix(text, "<") || strings.HasPrefix(text, ">"):
			more = ": in place of a limit, give a value within it, such as half the limit of detection, or nothing"
		case strings.Contains(text, "°"):
			more = ": " + decimalDegrees
		case strings.ContainsAny(text, ",.' "):
			more = " without separators of thousands or a unit"
		}
		return 0, false, fmt.Errorf("%s %s is %.60q, want a finite number%s", t.Kind, t.Names[column], text, more)
	}
	return v, true, nil
}

// perhapsThousand matches a number whose comma may stand before the last digits of thousands.
var perhapsThousand = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)

// Parse returns the number that a text of the table is. A comma is that of a decimal number, unless that may also be one of thousands.
func (t *Table) Parse(text string) (float64, error) {
	text = strings.Replace(strings.TrimSpace(text), "\u2212", "-", 1) // the minus of typesetters
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") && (t.decimalComma || !perhapsThousand.MatchString(text)) {
		text = strings.Replace(text, ",", ".", 1)
	}
	return strconv.ParseFloat(text, 64)
}

// places says where the places of a table are.
type places struct {
	columns [2]int
	epsg    int // column of the system, -1: it is the same for all rows
	datum   *earth.Datum
	systems map[string]*earth.System
	system  *earth.System // of all rows, unless there is a column epsg
}
