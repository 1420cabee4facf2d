package sim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"
)

// PointData is a quantity measured at scattered places.
type PointData struct {
	Name, Units string
	XY          []orb.Point // m
	Degrees     bool        // XY are longitude and latitude
	Values      []float64
}

// maxPointsFile is the largest file of point data, bytes.
const maxPointsFile = 64 << 20

// LoadPoints reads point data from a file; see readPoints.
func LoadPoints(path string, column string) (*PointData, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sim: point data: %w", err)
	}
	defer f.Close()
	return readPoints(f, path, column)
}

// table is point data as text.
type table struct {
	names        []string
	x, y, value  int // columns
	units        string
	lines        []int // number of each row's line
	rows         [][]string
	unit         float64 // of the coordinates, m, or 1 for degrees
	degrees      bool    // x and y are longitude and latitude
	decimalComma bool
	missing      func(value string) bool
}

// readPoints reads point data in one of two formats, which it recognises by their
// content:
//
//   - CSV in metres or degrees, with a header that names the columns, separated by commas,
//     semicolons or tabs (the most frequent one in the header; with semicolons
//     and tabs a number may have a decimal comma). An empty value or NA is
//     missing. Lines that begin with # are comments.
//   - the format of the data of Broom's Barn farm (Webster & Oliver): four
//     header lines, then numbers, with places in units of 40 m, and values
//     below a threshold given in the header missing.
//
// The coordinates of a CSV file are in the columns x and y, east and north, or easting and
// northing, in metres, or in lon and lat, or longitude and latitude, in degrees. column is that of the value; empty: log10 K in a file of Broom's Barn, elsewhere the
// one column that is left when there is just one. Names are compared without regard to case. Rows
// without a value are left out, and of those at the same place the mean counts.
//
// The text may be UTF-8 or Latin-1. Errors name the file as given, the line, the column
// and the text found there.
func readPoints(r io.Reader, file string, column string) (*PointData, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxPointsFile+1))
	if err != nil {
		return nil, fmt.Errorf("sim: point data %s: %w", file, err)
	}
	if len(raw) > maxPointsFile {
		return nil, fmt.Errorf("sim: point data %s: the file is larger than %d MiB", file, maxPointsFile>>20)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	text := string(raw)
	if !utf8.ValidString(text) {
		runes := make([]rune, len(raw)) // the bytes of ISO 8859-1 are the first code points of Unicode
		for i, c := range raw {
			runes[i] = rune(c)
		}
		text = string(runes)
	}
	read := readCSV
	if isBroomsBarn(text) {
		read = readBroomsBarn
	}
	t, err := read(text, column)
	if err != nil {
		return nil, fmt.Errorf("sim: point data %s: %w", file, err)
	}
	p := &PointData{Name: t.names[t.value], Units: t.units, Degrees: t.degrees}
	at, count := map[orb.Point]int{}, []float64{} // index and number of the values at a place
	for i, row := range t.rows {
		if t.missing(row[t.value]) {
			continue
		}
		x, errX := t.number(i, t.x)
		y, errY := t.number(i, t.y)
		v, errV := t.number(i, t.value)
		if err := errors.Join(errX, errY, errV); err != nil {
			return nil, fmt.Errorf("sim: point data %s: %w", file, err)
		}
		place := orb.Point{x * t.unit, y * t.unit}
		k, seen := at[place]
		if !seen {
			k = len(p.XY)
			at[place] = k
			p.XY, p.Values, count = append(p.XY, place), append(p.Values, v), append(count, 1)
			continue
		}
		count[k]++
		p.Values[k] += (v - p.Values[k]) / count[k]
	}
	if len(p.Values) == 0 {
		return nil, fmt.Errorf("sim: point data %s: no row has a value of %q", file, p.Name)
	}
	return p, nil
}

// number reads a field of a row.
func (t *table) number(row, column int) (float64, error) {
	s := t.rows[row][column]
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	if t.decimalComma {
		parse = parseDecimal
	}
	v, err := parse(strings.TrimSpace(s))
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("line %d, column %q: %q is not a finite number", t.lines[row], t.names[column], s)
	}
	return v, nil
}

// indexOf returns the index of the first of the wanted names among the header's
// names, or −1.
func indexOf(header []string, wanted ...string) int {
	for _, w := range wanted {
		if i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, w) }); i >= 0 {
			return i
		}
	}
	return -1
}

// spacing returns the median distance from a point to its nearest neighbour in
// metres, NaN when there are fewer than two points. The time is quadratic in
// the number of points.
func (p *PointData) spacing() float64 {
	if len(p.XY) < 2 {
		return math.NaN()
	}
	nearest := make([]float64, len(p.XY))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	for i, a := range p.XY {
		for j, b := range p.XY[:i] {
			d := math.Hypot(a[0]-b[0], a[1]-b[1])
			nearest[i], nearest[j] = min(nearest[i], d), min(nearest[j], d)
		}
	}
	slices.Sort(nearest)
	return nearest[len(nearest)/2]
}
