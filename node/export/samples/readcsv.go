package samples

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/node/export/crs"
)

// readCSV reads rows of a table with a header. Columns are separated by commas or, if the
// header has none, by semicolons or tabs.
func readCSV(data []byte, rules *Rules) ([]row, error) {
	header, _, _ := bytes.Cut(data, []byte("\n"))
	table := csv.NewReader(bytes.NewReader(data))
	table.TrimLeadingSpace = true
	for _, separator := range ";\t" {
		if !bytes.ContainsRune(header, ',') && bytes.ContainsRune(header, separator) {
			table.Comma = separator
		}
	}
	names, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	} else if err != nil {
		return nil, err
	}
	if n := len(names); n > mostColumns {
		return nil, fmt.Errorf("line 1: there are %d columns, at most %d are allowed", n, mostColumns)
	}
	columns := map[string]int{}
	for i, name := range names {
		column, units := known(name)
		if _, twice := columns[column]; twice {
			return nil, fmt.Errorf("line 1: there are two columns %s", column)
		}
		columns[column] = i
		if column == columnValue || column == columnStdDev {
			if err := rules.checkUnits("line 1: the unit of column "+column, units); err != nil {
				return nil, err
			}
		}
	}
	axes, err := axesOf(columns)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w; its columns are %s", err, strings.Join(names, ", "))
	}
	if _, ok := columns[columnValue]; !ok {
		return nil, fmt.Errorf("line 1: there is no column %s; its columns are %s", columnValue, strings.Join(names, ", "))
	}
	var rows []row
	for {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		if len(rows) == mostRows {
			return nil, errRows
		}
		line, _ := table.FieldPos(0)
		r := row{where: fmt.Sprintf("line %d", line), column: "column", numbers: map[string]float64{}}
		for _, column := range slices.Concat(axes[:], []string{columnEPSG, columnValue, columnStdDev, columnMajor, columnMinor, columnAzimuth, columnPlaceStdDev}) {
			i, ok := columns[column]
			if !ok || strings.TrimSpace(cells[i]) == "" {
				continue
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: column %s is %q, want a finite number", r.where, column, cells[i])
			}
			r.numbers[column] = v
		}
		if err := r.locate(axes, rules); err != nil {
			return nil, fmt.Errorf("%s: %w", r.where, err)
		}
		rows = append(rows, r)
	}
}

// The axes of the coordinates that are read.
var (
	axesDegrees = [2]string{"lon", "lat"}
	axesUTM     = [2]string{"easting", "northing"}
	axesMap     = [2]string{"x", "y"}
)

// axesOf returns the axes of a table with these columns.
func axesOf(columns map[string]int) (axes [2]string, err error) {
	found := 0
	for _, a := range [][2]string{axesDegrees, axesUTM, axesMap} {
		_, first := columns[a[0]]
		_, second := columns[a[1]]
		if first && second {
			axes = a
			found++
		}
	}
	const want = "lon and lat, or easting, northing and epsg, or x and y (metres of the map)"
	if found == 0 {
		return axes, errors.New("there are no columns of a place, want " + want)
	}
	if found > 1 {
		return axes, errors.New("there are columns of several coordinates, want only " + want)
	}
	return axes, nil
}

// locate sets the place of a row and its system.
func (r *row) locate(axes [2]string, rules *Rules) error {
	for i, axis := range axes {
		v, ok := r.numbers[axis]
		if !ok {
			return fmt.Errorf("column %s is empty, want a number", axis)
		}
		r.place[i] = v
	}
	system, err := crs.New(crs.Local, nil)
	switch axes {
	case axesDegrees:
		system, err = crs.New(crs.WGS84, rules.Datum)
	case axesUTM:
		code, ok := r.numbers[columnEPSG]
		if !ok {
			return fmt.Errorf("column %s is empty, want the EPSG number of the UTM zone, 32601 to 32660 or 32701 to 32760", columnEPSG)
		}
		if system, err = crs.FromEPSG(int(code), rules.Datum); err == nil && system.Kind() != crs.UTM {
			err = fmt.Errorf("EPSG:%d is not a UTM zone", int(code))
		}
	}
	r.system = &system
	return withDatum(err)
}

// withDatum says in an error how the datum is given to the explorer.
func withDatum(err error) error {
	if errors.Is(err, crs.ErrDatum) {
		return fmt.Errorf("%w; set the parameter field.datum", err)
	}
	return err
}
