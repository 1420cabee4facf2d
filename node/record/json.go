// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
)

// MissionFile is the name of the record in the mission's folder.
const MissionFile = "mission.json"

// WriteJSON writes the record to a file as indented JSON. An existing file is replaced
// once the new one is complete on the disk. Equal missions give equal bytes: keys are in
// the order of the types' fields, those of maps sorted. Numbers that are not finite are
// written as null.
func (m *Mission) WriteJSON(path string) error {
	line, err := Marshal(m)
	if err != nil {
		return err
	}
	data, err := indent(line)
	if err != nil {
		return err
	}
	return WriteFiles(filepath.Dir(path), []File{{filepath.Base(path), append(data, '\n')}})
}

// ReadMission reads a record that WriteJSON wrote. Null instead of a number is read as
// NaN. Numbers in Settings are read as json.Number and so keep their form when they are
// written again.
func ReadMission(path string) (*Mission, error) {
	data, err := ReadFile(path, mostFile)
	if err != nil {
		return nil, fmt.Errorf("record: cannot read the mission: %w", err)
	}
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("record: %s is not the record of a mission: %w; if it was cut off, as by a full disk, start the explorer again with this folder as output_dir: it writes the file from the journal", path, err)
	}
	if head.Version == nil || *head.Version != Version {
		got := "none"
		if head.Version != nil {
			got = fmt.Sprint(*head.Version)
		}
		return nil, fmt.Errorf("record: %s: the record's version is %s; this program reads version %d: use the version of the program that wrote it", path, got, Version)
	}
	m := new(Mission)
	if err := Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("record: %s: %w", path, err)
	}
	return m, nil
}

// Marshal returns v, which consists of the record's types, as one line of JSON. Numbers
// that are not finite are written as null.
func Marshal(v any) ([]byte, error) {
	data, err := encode(nil, reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return data, nil
}

// Unmarshal reads the output of Marshal into the variable that dst points to. Null in
// place of a number is read as NaN, an untyped number as a json.Number.
func Unmarshal(data []byte, dst any) error {
	if err := decode(data, dst); err != nil {
		return err
	}
	if !bytes.Contains(data, []byte("null")) {
		return nil
	}
	var tree any
	if err := decode(data, &tree); err != nil {
		return err
	}
	nullIsNaN(reflect.ValueOf(dst).Elem(), tree)
	return nil
}

// decode reads a JSON value. Untyped numbers become json.Number.
func decode(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(dst)
}
