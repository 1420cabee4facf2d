// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

// Datum returns the datum that a parameter holds as longitude and latitude in degrees, or
// nil if it is empty. Errors name the parameter.
func Datum(parameter string, lonLat []float64) (*earth.Datum, error) {
	switch len(lonLat) {
	case 0:
		return nil, nil
	case 2:
		d := &earth.Datum{Lon: lonLat[0], Lat: lonLat[1]}
		if err := d.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", parameter, err)
		}
		return d, nil
	}
	return nil, fmt.Errorf("%s has %d numbers, want none or longitude, latitude", parameter, len(lonLat))
}

// ReadBoundary reads a field's outline and keep-outs from a GeoJSON file, see [field.ReadField]; of a file with several fields the
// one whose name stands behind it, as in farm.geojson#North. datum holds the longitude and latitude of the map's
// origin, or nothing. Errors name the file.
func ReadBoundary(name string, datum []float64) (field.Field, error) {
	file, which := record.SplitName(name)
	f, err := os.Open(file)
	if err != nil {
		if dir, unknown := os.Getwd(); unknown == nil && !filepath.IsAbs(file) {
			err = fmt.Errorf("%w, in the folder %s", err, dir)
		}
		return field.Field{}, fmt.Errorf("the outline: %w", err)
	}
	defer f.Close()
	origin, err := Datum("datum", datum)
	if err != nil {
		return field.Field{}, fmt.Errorf("the outline %s: %w", file, err)
	}
	outline, err := field.ReadField(f, field.Source{File: file, Field: which, Datum: origin})
	if err != nil {
		return field.Field{}, fmt.Errorf("the outline %s: %w", file, err)
	}
	return outline, nil
}

// WriteBoundary writes a field as GeoJSON, in degrees when there is a datum, else in metres. The
// file is never half-written, and a file that it replaces is kept under the same name with
// ".bak" added; backup is that name, empty if there was none.
func WriteBoundary(file string, f field.Field, datum *earth.Datum) (backup string, err error) {
	var b bytes.Buffer
	if err := field.WriteField(&b, f, datum); err != nil {
		return "", fmt.Errorf("the outline %s: %w", file, err)
	}
	dir, name := filepath.Split(file)
	files := []record.File{{Name: name, Data: b.Bytes()}}
	switch before, err := os.ReadFile(file); {
	case err == nil:
		backup = file + ".bak"
		files = []record.File{{Name: name + ".bak", Data: before}, files[0]} // in this order
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the outline that is to be replaced cannot be kept: %w", err)
	}
	return backup, record.WriteFiles(filepath.Clean(dir), files)
}

// FieldRecord converts a field's outline to the form of a mission's record.
func FieldRecord(f field.Field, name string, margin float64) record.Field {
	rings := func(p orb.Polygon) [][]record.Place {
		rings := make([][]record.Place, len(p))
		for i, ring := range p {
			for _, at := range ring {
				rings[i] = append(rings[i], record.Place(at))
			}
		}
		return rings
	}
	r := record.Field{Name: name, Boundary: rings(f.Boundary), Margin: margin}
	for _, k := range f.KeepOuts {
		r.KeepOuts = append(r.KeepOuts, rings(k))
	}
	return r
}
