package sim

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// readCSV reads comma-separated values with a header.
func readCSV(text, file string, value string) (*PointData, error) {
	comma := separator(text)
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.Comment, r.TrimLeadingSpace = comma, '#', comma != '\t'
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("sim: point data %s: the file is empty; want a CSV file with columns x, y and a value", file)
	}
	if err != nil {
		return nil, fmt.Errorf("sim: point data %s: %w", file, err)
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	ix, iy, iv, err := pickColumns(header, file, value)
	if err != nil {
		return nil, err
	}
	p := &PointData{Name: header[iv]}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("sim: point data %s: %w", file, err)
		}
		line, _ := r.FieldPos(0)
		number := func(i int) (float64, error) { return parseNumber(row[i], header[i], file, line, comma != ',') }
		if v := strings.TrimSpace(row[iv]); v == "" || strings.EqualFold(v, "NA") {
			p.Missing++
			continue
		}
		x, errX := number(ix)
		y, errY := number(iy)
		v, errV := number(iv)
		if err := errors.Join(errX, errY, errV); err != nil {
			return nil, err
		}
		p.XY = append(p.XY, orb.Point{x, y})
		p.Values = append(p.Values, v)
	}
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

// pickColumns finds the columns of x, y and the value.
func pickColumns(header []string, file string, value string) (ix, iy, iv int, err error) {
	names := quoted(header)
	fail := func(format string, a ...any) (int, int, int, error) {
		return 0, 0, 0, fmt.Errorf("sim: point data %s: "+format+"; the header has %s", append(append([]any{file}, a...), names)...)
	}
	if _, err := strconv.ParseFloat(header[0], 64); err == nil {
		return fail("the first line begins with the number %s, so it names no columns; put a line such as x,y,value first", header[0])
	}
	ix, iy = -1, -1
	for _, pair := range [...][2]string{{"x", "y"}, {"east", "north"}, {"easting", "northing"}} {
		if i, j := indexOf(header, pair[0]), indexOf(header, pair[1]); i >= 0 && j >= 0 {
			ix, iy = i, j
			break
		}
	}
	if ix < 0 || iy < 0 {
		if indexOf(header, "lon", "longitude") >= 0 {
			return fail("coordinates are in degrees; convert them to metres, in columns x and y")
		}
		return fail("no columns x and y (or east and north) in metres")
	}
	if value != "" {
		if iv = indexOf(header, value); iv < 0 {
			return fail("there is no column %q", value)
		}
		return ix, iy, iv, nil
	}
	if len(header) != 3 {
		return fail("%d columns besides the coordinates; name the one with the value", len(header)-2)
	}
	return ix, iy, 3 - ix - iy, nil
}

// quoted returns a quoted list of names for a message.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// parseNumber reads one field of a row.
func parseNumber(s, name, file string, line int, decimalComma bool) (float64, error) {
	t := strings.TrimSpace(s)
	if decimalComma && strings.Count(t, ",") == 1 && !strings.Contains(t, ".") {
		t = strings.Replace(t, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("sim: point data %s, line %d, column %q: %q is not a finite number", file, line, name, s)
	}
	return v, nil
}
