// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field/geojson"
)

// readGeoJSON reads the points of a FeatureCollection as rows, and their properties as columns.
func readGeoJSON(data []byte, most int) (*Table, error) {
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
	if len(file.Features) > most {
		return nil, TooMany(most)
	}
	t := &Table{Kind: "property", declared: file.System(), points: []orb.Point{}}
	columns := map[string]int{}
	at := 0
	for i, feature := range file.Features {
		at += max(bytes.Index(data[at:], feature), 0)
		t.lines = append(t.lines, lineAt(data, at))
		at += len(feature)
		point, properties, err := readPoint(feature, &t.declared)
		t.points = append(t.points, point)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if _, there := columns[name]; !there {
				columns[name] = len(columns)
				known, _ := Known(name)
				t.Names, t.known = append(t.Names, name), append(t.known, known)
			}
		}
		if n := len(columns); n > mostColumns && err == nil {
			err = fmt.Errorf("there are %d properties, at most %d are allowed", n, mostColumns)
		}
		row := make([]string, len(columns))
		for name, value := range properties {
			var text string
			if json.Unmarshal(value, &text) != nil { // a text, of which QGIS makes some numbers; of null it is ""
				text = string(value)
			}
			row[columns[name]] = text
		}
		t.rows = append(t.rows, row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Where(i), err)
		}
	}
	for i, row := range t.rows {
		t.rows[i] = append(row, make([]string, len(columns)-len(row))...)
	}
	return t, nil
}

// lineAt returns the number of the line with a byte.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// readPoint reads a point with its properties, and the name of its system.
func readPoint(data []byte, system *string) (orb.Point, map[string]json.RawMessage, error) {
	var f geojson.Object
	var properties map[string]json.RawMessage
	err := geojson.Read(data, &f)
	if err == nil {
		err = f.ReadProperties(&properties)
	}
	if err != nil {
		return orb.Point{}, nil, err
	}
	if err := f.Declare(system); err != nil {
		return orb.Point{}, nil, err
	}
	if f.Geometry == nil {
		f.Geometry = &geojson.Object{}
	}
	if f.Geometry.Type == "MultiPoint" { // as GIS software keeps points, if it is one
		var one []json.RawMessage
		if f.Geometry.ReadCoordinates(&one) == nil && len(one) == 1 {
			f.Geometry.Type, f.Geometry.Coordinates = "Point", one[0]
		}
	}
	if f.Geometry.Type != "Point" {
		return orb.Point{}, nil, fmt.Errorf("its geometry is %q, want Point", f.Geometry.Type)
	}
	var position []float64
	if err := f.Geometry.ReadCoordinates(&position); err != nil || len(position) < 2 {
		return orb.Point{}, nil, fmt.Errorf("its coordinates are %s, want two numbers", f.Geometry.Coordinates)
	}
	return orb.Point{position[0], position[1]}, properties, nil
}
