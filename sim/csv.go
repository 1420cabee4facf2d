package sim

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readCSV reads comma-separated values with a header. value is the name of the value's column; empty: the
// third of three.
func readCSV(text, value string) (*table, error) {
	r := newCSV(text)
	t := &table{unit: 1, decimalComma: r.Comma != ',', missing: func(value string) bool {
		v := strings.TrimSpace(value)
		return v == "" || strings.EqualFold(v, "NA")
	}}
	for {
		row, err := r.Read()
		switch {
		case errors.Is(err, io.EOF) && t.names == nil:
			return nil, errors.New("the file is empty; want a CSV file with columns x, y and a value")
		case errors.Is(err, io.EOF):
			return t, nil
		case err != nil:
			return nil, err
		case t.names != nil:
			line, _ := r.FieldPos(0)
			t.rows, t.lines = append(t.rows, row), append(t.lines, line)
			continue
		}
		for _, name := range row {
			t.names = append(t.names, strings.TrimSpace(name))
		}
		if err := t.pick(value); err != nil {
			return nil, fmt.Errorf("%w; the header has %s", err, quoted(t.names))
		}
	}
}

// newCSV returns a reader of values that are separated as in the text's header. Lines that begin with # are comments.
func newCSV(text string) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.Comment = separator(text), '#'
	r.TrimLeadingSpace = r.Comma != '\t' // a tab is a space, too
	return r
}

// separator returns the most frequent separator of the first line that is not a comment.
func separator(text string) rune {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		best, most := ',', strings.Count(line, ",")
		for _, c := range ";\t" {
			if n := strings.Count(line, string(c)); n > most {
				best, most = c, n
			}
		}
		return best
	}
	return ','
}

// pick finds the columns of x, y and the value.
func (t *table) pick(value string) error {
	if _, err := strconv.ParseFloat(t.names[0], 64); err == nil {
		return fmt.Errorf("the first line begins with the number %s, so it names no columns; put a line such as x,y,value first", t.names[0])
	}
	t.x, t.y = -1, -1
	for _, pair := range [...][2]string{{"x", "y"}, {"east", "north"}, {"easting", "northing"}, {"lon", "lat"}, {"longitude", "latitude"}} {
		if i, j := indexOf(t.names, pair[0]), indexOf(t.names, pair[1]); i >= 0 && j >= 0 {
			t.x, t.y, t.degrees = i, j, strings.HasPrefix(pair[0], "lon")
			break
		}
	}
	switch t.value = indexOf(t.names, value); {
	case t.x < 0:
		return errors.New("no columns x and y (or east and north) in metres, and no columns lon and lat in degrees")
	case value != "" && t.value < 0:
		return fmt.Errorf("there is no column %q", value)
	case value == "" && len(t.names) != 3:
		return fmt.Errorf("%d columns besides the coordinates; name the one with the value", len(t.names)-2)
	case value == "":
		t.value = 3 - t.x - t.y
	}
	return nil
}

// parseDecimal returns the number in a field, which may have a decimal comma.
func parseDecimal(text string) (float64, error) {
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	return strconv.ParseFloat(text, 64)
}

// quoted returns a quoted list of names for a message.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}
