package sim

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"
)

// PointData is a quantity measured at scattered places.
type PointData struct {
	Name, Units string
	XY          []orb.Point // m
	Values      []float64
	// Missing counts rows left out because they had no value, Merged the rows
	// that went into the mean with an earlier row at the same place.
	Missing, Merged int
}

// MaxPointsFile is the largest file of point data, bytes.
const MaxPointsFile = 64 << 20

// LoadPoints reads point data from a file; see ReadPoints.
func LoadPoints(path string, column string) (*PointData, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sim: point data: %w", err)
	}
	defer f.Close()
	return ReadPoints(f, path, column)
}

// ReadPoints reads point data in one of two formats, which it recognises by their
// content:
//
//   - CSV in metres, with a header that names the columns, separated by commas,
//     semicolons or tabs (the most frequent one in the header; with semicolons
//     and tabs a number may have a decimal comma). An empty value or NA is
//     missing. Lines that begin with # are comments.
//   - the format of the data of Broom's Barn farm (Webster & Oliver): four
//     header lines, then numbers, with places in units of 40 m, and values
//     below a threshold given in the header missing.
//
// The coordinates of a CSV file are in the columns x and y, east and north, or easting and
// northing. column is that of the value; empty: log10 K in a file of Broom's Barn, elsewhere the
// one column that is left when there is just one. Names are compared without regard to case.
//
// The text may be UTF-8 or Latin-1. Errors name the file as given, the line, the column
// and the text found there.
func ReadPoints(r io.Reader, file string, column string) (*PointData, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxPointsFile+1))
	if err != nil {
		return nil, fmt.Errorf("sim: point data %s: %w", file, err)
	}
	if len(raw) > MaxPointsFile {
		return nil, fmt.Errorf("sim: point data %s: the file is larger than %d MiB", file, MaxPointsFile>>20)
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
	var p *PointData
	if isBroomsBarn(text) {
		p, err = readBroomsBarn(text, file, column)
	} else {
		p, err = readCSV(text, file, column)
	}
	if err != nil {
		return nil, err
	}
	if len(p.Values) == 0 {
		return nil, fmt.Errorf("sim: point data %s: no row has a value of %q", file, p.Name)
	}
	p.merge()
	return p, nil
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

// merge replaces points at exactly the same place by one with their mean value, at the
// index of the first.
func (p *PointData) merge() {
	first := make(map[orb.Point]int, len(p.XY))
	count := make([]float64, 0, len(p.XY))
	n := 0
	for i, at := range p.XY {
		k, seen := first[at]
		if !seen {
			first[at] = n
			p.XY[n], p.Values[n] = at, p.Values[i]
			count = append(count, 1)
			n++
			continue
		}
		p.Merged++
		count[k]++
		p.Values[k] += (p.Values[i] - p.Values[k]) / count[k]
	}
	p.XY, p.Values = p.XY[:n], p.Values[:n]
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
