package samples

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ugp_explorer/node/export/crs"
)

// readCSV reads rows of a table with a header. Columns are separated by commas or, if the
// header has none, by semicolons or tabs.
func readCSV(data []byte, rules *Rules) (rows []row, err error) {
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
	columns, units, err := columnsOf(names)
	if err == nil {
		err = rules.checkUnits("the unit of column value, in brackets in the header,", units)
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
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
		r := row{where: fmt.Sprintf("line %d", line), kind: "column", units: units, cells: map[string]string{}}
		for i, column := range columns {
			if isRead[column] {
				r.cells[column] = cells[i]
			}
		}
		rows = append(rows, r)
	}
}

// axes are those by which the columns of a place are known, and the kinds of their systems.
var axes = map[crs.Kind][2]string{crs.WGS84: {"lon", "lat"}, crs.UTM: {"easting", "northing"}, crs.Local: {"x", "y"}}

// columnsOf returns the known names of the columns of a table, and the units of the values.
func columnsOf(names []string) (columns []string, units string, err error) {
	if n := len(names); n > mostColumns {
		return nil, "", fmt.Errorf("there are %d columns, at most %d are allowed", n, mostColumns)
	}
	unitsOf := map[string]string{}
	for _, name := range names {
		column, units := known(name)
		if _, twice := unitsOf[column]; twice {
			return nil, "", fmt.Errorf("there are two columns %s", column)
		}
		columns, unitsOf[column] = append(columns, column), units
	}
	has := func(column string) bool { return slices.Contains(columns, column) }
	places := 0
	for _, a := range axes {
		if has(a[0]) && has(a[1]) {
			places++
		}
	}
	const want = "lon and lat, or easting, northing and epsg, or x and y (metres of the map)"
	all := strings.Join(names, ", ")
	switch {
	case places == 0:
		return nil, "", fmt.Errorf("there are no columns of a place, want %s; its columns are %s", want, all)
	case places > 1:
		return nil, "", fmt.Errorf("there are columns of several coordinates, want only %s; its columns are %s", want, all)
	case !has(columnValue):
		return nil, "", fmt.Errorf("there is no column %s; its columns are %s", columnValue, all)
	}
	units = unitsOf[columnValue]
	if other := unitsOf[columnStdDev]; other != "" && units != "" && other != units {
		return nil, "", fmt.Errorf("the unit of column stddev is %q, want %q, that of column value", other, units)
	}
	return columns, cmp.Or(units, unitsOf[columnStdDev]), nil
}

// locate sets the place of a row and its system by the columns of a place.
func (r *row) locate(rules *Rules) error {
	if r.system != nil {
		return nil
	}
	kind := crs.Local
	for k, a := range axes {
		_, first := r.cells[a[0]]
		_, second := r.cells[a[1]]
		if first && second {
			kind = k
		}
	}
	var err error
	for i, axis := range axes[kind] {
		if r.place[i], err = r.needed(axis, "a number"); err != nil {
			return err
		}
	}
	if kind != crs.UTM {
		r.system, err = crs.New(kind, rules.Datum)
		return withDatum(err)
	}
	code, err := r.needed(columnEPSG, "the EPSG number of the UTM zone, 32601 to 32660 or 32701 to 32760")
	if err != nil {
		return err
	}
	if r.system, err = crs.FromEPSG(int(code), rules.Datum); err == nil && r.system.Kind != crs.UTM {
		err = fmt.Errorf("EPSG:%d is not a UTM zone", int(code))
	}
	return withDatum(err)
}

// withDatum says in an error how the datum is given to the explorer.
func withDatum(err error) error {
	if errors.Is(err, crs.ErrDatum) {
		return fmt.Errorf("%w; set the parameter field.datum", err)
	}
	return err
}
