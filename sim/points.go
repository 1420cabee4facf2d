// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/table"
)

// PointData is a quantity measured at scattered places.
type PointData struct {
	Name, Units string
	XY          []orb.Point // m
	Values      []float64
	Missing     table.Missing // rows without a value, which are left out
}

// maxPointsFile is the largest file of point data, bytes.
const maxPointsFile = 64 << 20

// LoadPoints reads point data from a file for a map with this datum; nil: it is unknown. column is that of the value; empty: see readPoints.
func LoadPoints(path string, column string, datum *earth.Datum) (*PointData, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sim: point data: %w", err)
	}
	defer f.Close()
	return readPoints(f, path, column, datum)
}

// readPoints reads point data in one of two formats, which it recognises by their
// content:
//
//   - tables with places, see package table.
//   - the format of the data of Broom's Barn farm (Webster & Oliver): four
//     header lines, then numbers, with places in units of 40 m, and values
//     below a threshold given in the header missing.
//
// column is that of the value; empty: log10 K in a file of Broom's Barn, elsewhere the column value, or the
// one column that is left when there is just one. Names are compared without regard to case. Rows
// without a value are left out, and of those at the same place the mean counts.
//
// Errors name the file as given, the line, the column and the text found there. One is an [*earth.DegreesError] if the datum is missing.
func readPoints(r io.Reader, file string, column string, datum *earth.Datum) (*PointData, error) {
	fail := func(err error) (*PointData, error) {
		return nil, fmt.Errorf("sim: point data %s: %w", file, earth.Remedy(err, file, false, datum))
	}
	raw, err := io.ReadAll(io.LimitReader(r, maxPointsFile+1))
	if err != nil {
		return fail(err)
	}
	if err := table.Foreign(raw, file, table.Values); err != nil {
		return fail(err)
	}
	if len(raw) > maxPointsFile {
		return fail(fmt.Errorf("the file is larger than %d MiB", maxPointsFile>>20))
	}
	p := &PointData{}
	var places []orb.Point
	var values []float64
	if text := table.Text(raw); isBroomsBarn(text) {
		places, values, err = p.readBroomsBarn(text, column)
	} else {
		places, values, err = p.readTable(raw, column, datum)
	}
	if err != nil {
		return fail(err)
	}
	at, count := map[orb.Point]int{}, []float64{} // index and number of the values at a place
	for i, place := range places {
		k, seen := at[place]
		if !seen {
			k = len(p.XY)
			at[place] = k
			p.XY, p.Values, count = append(p.XY, place), append(p.Values, values[i]), append(count, 1)
			continue
		}
		count[k]++
		p.Values[k] += (values[i] - p.Values[k]) / count[k]
	}
	switch n := len(p.Values); {
	case n == 0:
		return fail(fmt.Errorf("no row has a value of %q", p.Name))
	case n > maxKriging: // the outline would take minutes
		return fail(fmt.Errorf("there are values at %d places: want at most %d; keep one row of %d", n, maxKriging, (n+maxKriging-1)/maxKriging))
	}
	return p, nil
}

// readTable reads the rows with a value of a table.
func (p *PointData) readTable(data []byte, name string, datum *earth.Datum) (places []orb.Point, values []float64, err error) {
	t, err := table.Read(data, maxPointsFile)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: want a CSV file with the columns of places and a quantity, or GeoJSON points", err)
	}
	if err := t.Locate(datum); err != nil {
		return nil, nil, err
	}
	column, err := t.ValueColumn(name, "--column, or field.value_column of fieldsim")
	if err != nil {
		return nil, nil, err
	}
	p.Name = t.Names[column]
	all, none, err := t.Values(column)
	if err != nil {
		return nil, nil, err
	}
	p.Missing = none
	for i, v := range all {
		if math.IsNaN(v) {
			continue
		}
		at, err := t.Place(i)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.Where(i), err)
		}
		places, values = append(places, at), append(values, v)
	}
	return places, values, nil
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
	return median(nearest)
}
