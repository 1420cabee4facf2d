// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package covariate reads rasters that are correlated with a field's quantity from files of other software: GeoTIFF with one band, and
// points in CSV or GeoJSON.
//
// These forms are read:
//
//	GeoTIFF       TIFF 6.0 and BigTIFF, in both byte orders, in strips or tiles
//	cells         integers of 8, 16 or 32 bits and floats of 32 or 64, plain, deflate or LZW, with TIFF's predictors
//	no value      NaN, the nodata of GDAL and, without one, a number such as -9999 that is far from all others; not 0, see
//	              [record.Covariate]
//	coordinates   those of package earth; metres of the map if the file names none; places are those of cells or of points
//	points        a table of package table, or one column of it as FILE#COLUMN, on a grid or along tracks
//
// Other compressions, several bands, colour tables and masks are errors that say why.
package covariate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/table"
)

// mostCells is about the largest number of cells of a raster. A file with more around the field is
// read as the means of blocks of cells.
const mostCells = 1_000_000

// Read reads a raster from a file for a field whose map has this datum, nil if it is unknown, and
// returns what a record says of the file. The column of a table may stand
// behind its name, as in yield.csv#Moisture. Outside the field it is read as far as the uncertainty of a
// place may reach. The error names the file, what is wrong and what is allowed.
func Read(file string, region *field.Region, datum *earth.Datum) (*covariate.Raster, record.Covariate, error) {
	return ReadDrawn(file, nil, region, datum)
}

// ReadDrawn is Read of a table that will be in the file, unless it is nil.
func ReadDrawn(file string, drawn []byte, region *field.Region, datum *earth.Datum) (*covariate.Raster, record.Covariate, error) {
	hash := sha256.New()
	name := file
	file, column := record.SplitName(name)
	var c record.Covariate
	r, err := read(file, column, drawn, hash, region, datum, &c)
	c.SHA256 = hex.EncodeToString(hash.Sum(nil))
	if err == nil {
		c.Covered = covered(r, region)
		c.File, err = filepath.Abs(name)
	}
	switch {
	case err == nil:
		return r, c, nil
	case errors.As(err, new(*fs.PathError)): // which names the file
		return nil, c, fmt.Errorf("covariate: %w", err)
	}
	if errors.As(err, new(formError)) {
		err = fmt.Errorf("%w; convert it: gdal_translate -b 1 -ot Float32 -co COMPRESS=DEFLATE %q raster.tif", err, file)
	}
	if datum == nil && errors.Is(err, earth.ErrNoDatum) {
		err = fmt.Errorf("%w: set field.datum, with ugp by --datum", err)
	}
	return nil, c, fmt.Errorf("covariate %s: %w", file, earth.Remedy(err, file, isTIFF(file), datum))
}

// read writes the content of a file to hash, and to c which of its values stand for none, or may do so.
func read(file, column string, drawn []byte, hash io.Writer, region *field.Region, datum *earth.Datum, c *record.Covariate) (*covariate.Raster, error) {
	if drawn != nil {
		_, _ = hash.Write(drawn) // never fails
		return fromPoints(drawn, file, column, region, datum, c)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read
	if err := table.ForeignFile(file, table.Raster); err != nil {
		return nil, err
	}
	if !isTIFF(file) {
		data, err := record.ReadFile(file, samples.MostBytes)
		if err != nil {
			return nil, err
		}
		_, _ = hash.Write(data) // never fails
		return fromPoints(data, file, column, region, datum, c)
	}
	size, err := io.Copy(hash, f)
	if err != nil {
		return nil, err
	}
	t, err := openTIFF(f, size)
	if err != nil {
		return nil, err
	}
	return t.raster(region, datum, c)
}

// covered returns the share of the field on which a raster has values.
func covered(r *covariate.Raster, region *field.Region) float64 {
	const places = 200 // along the longer side
	lo, hi := region.Bounds()
	step, all, known := max(hi[0]-lo[0], hi[1]-lo[1])/places, 0.0, 0.0
	for y := lo[1] + step/2; y < hi[1]; y += step {
		for x := lo[0] + step/2; x < hi[0]; x += step {
			if region.Contains([]float64{x, y}) {
				all++
				if !math.IsNaN(r.Value(x, y)) {
					known++
				}
			}
		}
	}
	return known / max(all, 1)
}

// isTIFF tells whether a file begins as a TIFF does.
func isTIFF(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close() // only read
	start := make([]byte, 4)
	_, _ = f.ReadAt(start, 0) // a file that is shorter is no TIFF
	return slices.Contains([]string{"II*\x00", "MM\x00*", "II+\x00", "MM\x00+"}, string(start))
}

// affine has the coordinates (a·i + b·j + c, d·i + e·j + f) of column i and row j.
type affine [6]float64

func (a affine) of(i, j float64) record.Place {
	return record.Place{a[0]*i + a[1]*j + a[2], a[3]*i + a[4]*j + a[5]}
}

// inverse returns the column and row of coordinates.
func (a affine) inverse(c record.Place) (i, j float64) {
	det := a[0]*a[4] - a[1]*a[3]
	x, y := c[0]-a[2], c[1]-a[5]
	return (x*a[4] - y*a[1]) / det, (y*a[0] - x*a[3]) / det
}

// around returns the box in which a raster is read: that of the field, extended by a tenth of its longer side.
func around(region *field.Region) orb.Bound {
	lo, hi := region.Bounds()
	pad := 0.1 * max(hi[0]-lo[0], hi[1]-lo[1])
	return orb.Bound{Min: orb.Point{lo[0] - pad, lo[1] - pad}, Max: orb.Point{hi[0] + pad, hi[1] + pad}}
}

// raster reads the part of an image around the field, and writes to c which numbers in it stand for no value, or may do so.
func (t *tiff) raster(region *field.Region, datum *earth.Datum, c *record.Covariate) (*covariate.Raster, error) {
	system, place, err := t.place(datum)
	if err != nil {
		return nil, err
	}
	// The columns and rows that the field's box covers.
	box, covered := around(region), orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
	const pieces = 16
	for k := range pieces + 1 {
		x := box.Min[0] + float64(k)/pieces*(box.Max[0]-box.Min[0])
		y := box.Min[1] + float64(k)/pieces*(box.Max[1]-box.Min[1])
		for _, p := range []record.Place{{x, box.Min[1]}, {x, box.Max[1]}, {box.Min[0], y}, {box.Max[0], y}} {
			i, j := place.inverse(system.Of(p))
			covered = covered.Extend(orb.Point{i, j})
		}
	}
	g := &grid{
		firstColumn: int(min(max(math.Floor(covered.Min[0])-1, 0), widest)), lastColumn: int(max(min(math.Ceil(covered.Max[0])+1, float64(t.width)), 0)),
		firstRow: int(min(max(math.Floor(covered.Min[1])-1, 0), widest)), lastRow: int(max(min(math.Ceil(covered.Max[1])+1, float64(t.height)), 0)),
	}
	columns, rows := g.lastColumn-g.firstColumn, g.lastRow-g.firstRow
	if columns <= 0 || rows <= 0 || math.IsNaN(covered.Min[0]+covered.Min[1]+covered.Max[0]+covered.Max[1]) {
		from, to, centre := place.of(0, 0), place.of(float64(t.width), float64(t.height)), system.Of(record.Place(region.Centre()))
		return nil, fmt.Errorf("it does not overlap the field: it reaches from %s %g to %g and %s %g to %g, and the field is about %g, %g, in %s",
			system.Axes[0], from[0], to[0], system.Axes[1], from[1], to[1], centre[0], centre[1], system.Name)
	}
	g.block = int(math.Ceil(math.Sqrt(float64(columns) * float64(rows) / mostCells)))
	g.width, g.height = (columns+g.block-1)/g.block, (rows+g.block-1)/g.block
	g.means, g.counts = make([]float64, g.width*g.height), make([]int, g.width*g.height)
	if g.span, g.codes = table.NewSpan(), map[float64]int{}; t.bits == 8 {
		g.span = table.NewSpan(math.MaxUint8, math.MinInt8)
	}
	if err := t.read(g); err != nil {
		return nil, err
	}
	if none := g.leaveOut(); none.Count() > 0 {
		none.Rows = columns * rows
		c.LeftOut = none.String()
		if err := t.read(g); err != nil {
			return nil, err
		}
	}
	// The same on the map: square cells of the same area, on the centres of the file's where those
	// are square and parallel to the map.
	column, row := float64(g.firstColumn)+float64(g.block)/2, float64(g.firstRow)+float64(g.block)/2
	var corners [3]record.Place
	for k, p := range [3]record.Place{{column, row}, {column + float64(g.block), row}, {column, row + float64(g.block)}} {
		if corners[k], err = system.Place(place.of(p[0], p[1])); err != nil {
			return nil, err
		}
	}
	o, a, b := corners[0], corners[1], corners[2]
	cell := math.Sqrt(math.Abs((a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])))
	west, south := o[0]+cell*math.Floor((box.Min[0]-o[0])/cell), o[1]+cell*math.Floor((box.Min[1]-o[1])/cell)
	width, height := (box.Max[0]-west)/cell+2, (box.Max[1]-south)/cell+2
	if !(cell > 0) || !(width*height < 4*mostCells) {
		return nil, fmt.Errorf("its cells of %g × %g in %s are too small", place[0], place[4], system.Name)
	}
	values := make([]float64, int(width)*int(height))
	for k := range values {
		p := record.Place{west + float64(k%int(width))*cell, south + float64(k/int(width))*cell}
		i, j := place.inverse(system.Of(p))
		values[k] = g.at((i-column)/float64(g.block), (j-row)/float64(g.block))
	}
	c.Zeros = zeros(values)
	return standardised(west, south, cell, int(width), values, region)
}

// zeros returns the share of exact zeros among values, if these are many, no value has the other sign, and hardly any is close to 0: they
// may stand for no value. Otherwise it returns 0.
func zeros(values []float64) float64 {
	const many, close, fewer = 0.01, 0.02, 0.1
	lo, hi, all, zeros, beside := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
			all++
		}
	}
	for _, v := range values {
		if v == 0 {
			zeros++
		} else if math.Abs(v) < close*(hi-lo) {
			beside++
		}
	}
	if lo < 0 && hi > 0 || zeros < many*all || beside > fewer*zeros {
		return 0
	}
	return zeros / all
}

// standardised returns the raster of values on the map.
func standardised(west, south, cell float64, width int, values []float64, region *field.Region) (*covariate.Raster, error) {
	return covariate.New(west, south, cell, width, values, func(x, y float64) bool { return region.Contains([]float64{x, y}) })
}

// grid has the means of blocks of cells of a file, of those between the given columns and rows.
type grid struct {
	firstColumn, lastColumn, firstRow, lastRow int // the last ones excluded
	block                                      int // columns and rows of a block
	width, height                              int // blocks
	means                                      []float64
	counts                                     []int // of values

	span  table.Span
	codes map[float64]int // cells with a number that may stand for no value
	holes bool            // it does
}

// add adds a value of the file; numbers that are no quantity are holes.
func (g *grid) add(column, row int, v float64) {
	if math.IsNaN(v) || math.Abs(v) >= table.Largest {
		return
	}
	if g.holes {
		if _, code := g.codes[v]; code {
			return
		}
	} else if g.span.Take(v) {
		g.codes[v]++
	}
	k := (row-g.firstRow)/g.block*g.width + (column-g.firstColumn)/g.block
	g.counts[k]++
	g.means[k] += (v - g.means[k]) / float64(g.counts[k])
}

// leaveOut counts the cells whose number proves to stand for no value, which the file does not state. If there are some, the grid is
// empty again, and they will be holes.
func (g *grid) leaveOut() table.Missing {
	none := table.Missing{Column: "value", Cells: true, By: map[string]int{}}
	for v, n := range g.codes {
		if g.span.Beyond(v) {
			none.By[strconv.FormatFloat(v, 'f', -1, 64)] = n
		} else {
			delete(g.codes, v)
		}
	}
	if g.holes = len(g.codes) > 0; g.holes {
		clear(g.means)
		clear(g.counts)
	}
	return none
}

// at returns the bilinear value at a fraction of a block's column and row, from the centre of the
// first; NaN where more than half the weight is on holes.
func (g *grid) at(u, v float64) float64 {
	if !(u > -1 && v > -1 && u < float64(g.width) && v < float64(g.height)) {
		return math.NaN()
	}
	const rounding = 1e-6 // of places near the centre of a cell
	if math.Abs(u-math.Round(u)) < rounding && math.Abs(v-math.Round(v)) < rounding {
		u, v = math.Round(u), math.Round(v)
	}
	i, j := int(math.Floor(u)), int(math.Floor(v))
	s, t := u-float64(i), v-float64(j)
	var sum, weight float64
	for k, w := range [4]float64{(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t} {
		column, row := i+k%2, j+k/2
		if column < 0 || row < 0 || column >= g.width || row >= g.height || g.counts[row*g.width+column] == 0 {
			continue
		}
		sum, weight = sum+w*g.means[row*g.width+column], weight+w
	}
	if weight < 0.5 {
		return math.NaN()
	}
	return sum / weight
}

// fromPoints reads a raster from points with a value, in the columns of [samples.Read]. Cells are as
// large as the points are apart on average; each has the mean of the points near it with the weights
// exp(-d²/2c²), d the distance and c the size of a cell, up to 4 cells away.
func fromPoints(data []byte, file, column string, region *field.Region, datum *earth.Datum, c *record.Covariate) (*covariate.Raster, error) {
	list, none, err := samples.Parse(data, samples.Rules{
		Datum: datum, StdDev: 1, PlaceStdDev: 1, Most: mostCells, Column: column, ColumnBy: fmt.Sprintf("%s#COLUMN", file),
		Near: orb.Bound{Min: orb.Point{math.Inf(-1), math.Inf(-1)}, Max: orb.Point{math.Inf(1), math.Inf(1)}},
	})
	if err != nil {
		return nil, err
	}
	c.LeftOut = none.String()
	box, all := around(region), orb.MultiPoint{}
	for _, o := range list {
		all = append(all, orb.Point(o.Target))
	}
	list = slices.DeleteFunc(list, func(o record.Observation) bool { return !box.Contains(orb.Point(o.Target)) })
	const fewest = 10
	if len(list) < fewest {
		b, centre := all.Bound(), region.Centre()
		return nil, fmt.Errorf("%d of its points lie on or beside the field, want %d or more: in metres of the map they reach from x %.6g to %.6g and y %.6g to %.6g, and the field is about %.6g, %.6g; "+
			"columns x and y are metres of the map: those of UTM need the names easting, northing and epsg", len(list), fewest, b.Min[0], b.Max[0], b.Min[1], b.Max[1], centre[0], centre[1])
	}
	hull := orb.MultiPoint{}
	for _, o := range list {
		hull = append(hull, orb.Point(o.Target))
	}
	bound := hull.Bound()
	extent := [2]float64{bound.Max[0] - bound.Min[0], bound.Max[1] - bound.Min[1]}
	cell := math.Sqrt(extent[0] * extent[1] / float64(len(list)))
	if !(cell > 1e-3*max(extent[0], extent[1])) {
		return nil, errors.New("its points lie on one line, want points all over the field")
	}
	const away = 4 // cells
	width, height := int(extent[0]/cell)+2, int(extent[1]/cell)+2
	values, weights := make([]float64, width*height), make([]float64, width*height)
	for _, o := range list {
		u, v := (o.Target[0]-bound.Min[0])/cell, (o.Target[1]-bound.Min[1])/cell
		for j := max(int(v)-away, 0); j <= min(int(v)+away, height-1); j++ {
			for i := max(int(u)-away, 0); i <= min(int(u)+away, width-1); i++ {
				w := math.Exp(-((u-float64(i))*(u-float64(i)) + (v-float64(j))*(v-float64(j))) / 2)
				k := j*width + i
				weights[k] += w
				values[k] += w / weights[k] * (o.Value - values[k])
			}
		}
	}
	for k, w := range weights {
		if w == 0 {
			values[k] = math.NaN()
		}
	}
	return standardised(bound.Min[0], bound.Min[1], cell, width, values, region)
}
