package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
)

// MissionFile is the name of the record in the mission's folder.
const MissionFile = "mission.json"

// WriteJSON writes the record to a file as indented JSON, whole or not at all: a file
// that was there before stays as it was until the new one is complete on the disk.
// Keys stand in the order of the types, those of maps sorted, so equal missions give
// equal bytes. Numbers that are not finite become null. The error names a setting
// whose value has no JSON form.
func (m *Mission) WriteJSON(path string) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	return WriteFiles(filepath.Dir(path), []File{{filepath.Base(path), data}})
}

func (m *Mission) encode() ([]byte, error) {
	var e encoder
	if err := e.value(reflect.ValueOf(m).Elem(), "mission", 0); err != nil {
		return nil, err
	}
	e.buf.WriteByte('\n')
	return e.buf.Bytes(), nil
}

// ReadMission reads a record that WriteJSON wrote. A null where the record has
// a number is NaN. Numbers in Settings come back as json.Number, so that they
// are written again as they were.
func ReadMission(path string) (*Mission, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("report: reading a mission: %w", err)
	}
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("report: %s is not the record of a mission: %w", path, err)
	}
	if head.Version == nil || *head.Version != Version {
		got := "none"
		if head.Version != nil {
			got = fmt.Sprint(*head.Version)
		}
		return nil, fmt.Errorf("report: %s: the record's version is %s; this program reads version %d", path, got, Version)
	}
	m := new(Mission)
	if err := Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("report: %s: %w", path, err)
	}
	return m, nil
}

// Marshal returns the JSON of v, which is of the record's types or holds them, on
// one line. Numbers that are not finite become null.
func Marshal(v any) ([]byte, error) {
	var e encoder
	if err := e.value(reflect.ValueOf(v), "value", 0); err != nil {
		return nil, err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, e.buf.Bytes()); err != nil {
		return nil, err
	}
	return line.Bytes(), nil
}

// Unmarshal reads into what dst points to what Marshal wrote: a null where it has
// a number is NaN, and an untyped number becomes a json.Number.
func Unmarshal(data []byte, dst any) error {
	if err := decode(data, dst); err != nil {
		return err
	}
	var tree any
	if err := decode(data, &tree); err != nil {
		return err
	}
	nullIsNaN(reflect.ValueOf(dst).Elem(), tree)
	return nil
}

// decode reads exactly one JSON value, its untyped numbers as json.Number.
func decode(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(dst); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the record at byte %d", d.InputOffset())
	}
	return nil
}
