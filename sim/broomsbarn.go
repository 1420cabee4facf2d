package sim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// broomsBarnUnit is the unit of the coordinates of the Broom's Barn data: the spacing
// of its sampling grid (Webster & Oliver).
const broomsBarnUnit = 40 // m

// broomsBarnUnits gives the units of the columns; the others have none.
var broomsBarnUnits = [...][2]string{
	{"K", "mg/l"}, {"log10 K", "log10(mg/l)"}, {"P", "mg/l"}, {"log10 P", "log10(mg/l)"},
}

// isBroomsBarn recognises the format: a title, four numbers (rows, columns, 0
// and the threshold of missing values), and the names East and North.
func isBroomsBarn(text string) bool {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) < 4 {
		return false
	}
	counts := strings.Fields(lines[1])
	if len(counts) != 4 {
		return false
	}
	for _, c := range counts {
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			return false
		}
	}
	names := strings.Fields(lines[2])
	return len(names) >= 2 && names[0] == "East" && names[1] == "North"
}

// readBroomsBarn reads the format: names in columns 20 characters wide over two
// lines, then rows of numbers separated by spaces. want is the column of the value; empty: log10 K.
func readBroomsBarn(text, file string, want string) (*PointData, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 5 {
		return nil, fmt.Errorf("sim: point data %s: ends before the first row of data", file)
	}
	header := strings.Fields(lines[1])
	rows, err := strconv.Atoi(header[0])
	if err != nil {
		return nil, fmt.Errorf("sim: point data %s, line 2: number of rows %q is not a whole number", file, header[0])
	}
	threshold, _ := strconv.ParseFloat(header[3], 64) // isBroomsBarn read it before
	var names []string
	for _, line := range lines[2:4] {
		line = strings.TrimRight(line, "\r ")
		for len(line) > 0 {
			n := min(20, len(line))
			names = append(names, strings.TrimSpace(line[:n]))
			line = line[n:]
		}
	}
	if header[1] != strconv.Itoa(len(names)) {
		return nil, fmt.Errorf("sim: point data %s: line 2 announces %s columns, lines 3 and 4 name %d: %s", file, header[1], len(names), quoted(names))
	}
	if want == "" {
		want = "log10 K"
	}
	iv := indexOf(names, want)
	if iv < 2 {
		return nil, fmt.Errorf("sim: point data %s: there is no value column %q; the columns are %s", file, want, quoted(names))
	}
	p := &PointData{Name: names[iv]}
	for _, u := range broomsBarnUnits {
		if u[0] == p.Name {
			p.Units = u[1]
		}
	}
	seen := 0
	for k, line := range lines[4:] {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		number := k + 5
		if len(fields) != len(names) {
			return nil, fmt.Errorf("sim: point data %s, line %d: %d numbers, want %d", file, number, len(fields), len(names))
		}
		seen++
		var v [3]float64
		for m, i := range [...]int{0, 1, iv} {
			if v[m], err = parseNumber(fields[i], names[i], file, number, false); err != nil {
				return nil, err
			}
		}
		if v[2] <= threshold {
			p.Missing++
			continue
		}
		p.XY = append(p.XY, orb.Point{v[0] * broomsBarnUnit, v[1] * broomsBarnUnit})
		p.Values = append(p.Values, v[2])
	}
	if seen != rows {
		return nil, fmt.Errorf("sim: point data %s: line 2 announces %d rows, there are %d", file, rows, seen)
	}
	return p, nil
}
