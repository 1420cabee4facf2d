package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/planner/field/geojson"
)

// readGeoJSON reads the points of a FeatureCollection. Without a member crs their
// coordinates are longitude and latitude if the map has a datum, else metres of the map, like
// those of the field's outline.
func readGeoJSON(data []byte, rules *Rules) ([]row, error) {
	var file geojson.Object
	if err := json.Unmarshal(data, &file); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("line %d: not GeoJSON: %w", lineAt(data, int(syntax.Offset)), err)
		}
		return nil, fmt.Errorf("not GeoJSON: %w", err)
	}
	if file.Type != "FeatureCollection" {
		return nil, fmt.Errorf("its type is %q, want FeatureCollection", file.Type)
	}
	if len(file.Features) > mostRows {
		return nil, errRows
	}
	system, err := crs.Named(file.CRS.Properties.Name, rules.Datum)
	if err != nil {
		return nil, withDatum(err)
	}
	var rows []row
	at := 0
	for i, feature := range file.Features {
		at += max(bytes.Index(data[at:], feature), 0)
		r := row{where: fmt.Sprintf("line %d, feature %d", lineAt(data, at), i+1), kind: "property", system: system, cells: map[string]string{}}
		if err := r.readFeature(feature, rules); err != nil {
			return nil, fmt.Errorf("%s: %w", r.where, err)
		}
		at += len(feature)
		rows = append(rows, r)
	}
	return rows, nil
}

// lineAt returns the number of the line with a byte.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// readFeature reads a point with its properties.
func (r *row) readFeature(data []byte, rules *Rules) error {
	var f geojson.Object
	var properties map[string]json.RawMessage
	err := geojson.Read(data, &f)
	if err == nil {
		err = f.ReadProperties(&properties)
	}
	if err != nil {
		return err
	}
	if f.Geometry == nil {
		f.Geometry = &geojson.Object{}
	}
	if f.Geometry.Type != "Point" {
		return fmt.Errorf("its geometry is %q, want Point", f.Geometry.Type)
	}
	var position []float64
	if err := json.Unmarshal(f.Geometry.Coordinates, &position); err != nil || len(position) < 2 {
		return fmt.Errorf("its coordinates are %s, want two numbers", f.Geometry.Coordinates)
	}
	copy(r.place[:], position)
	for _, property := range slices.Sorted(maps.Keys(properties)) {
		column, _ := known(property)
		if !isRead[column] {
			continue
		}
		if _, twice := r.cells[column]; twice {
			return fmt.Errorf("there are two properties %s", column)
		}
		r.cells[column] = string(properties[property])
		if number := ""; column != columnUnits && json.Unmarshal(properties[property], &number) == nil {
			r.cells[column] = number // as text, of which QGIS makes some; of null none
		}
	}
	if text := r.cells[columnUnits]; text != "" {
		if err := json.Unmarshal([]byte(text), &r.units); err != nil {
			return fmt.Errorf("property units is %s, want a text", text)
		}
	}
	return rules.checkUnits("property units", r.units)
}
