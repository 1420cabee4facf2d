// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package geojson reads the objects of GeoJSON and writes layers of features.
//
// Longitude and latitude are as in RFC 7946. For other coordinates, the member crs of the GeoJSON specification of 2008 is written, which
// GDAL reads.
package geojson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/paulmach/orb"
)

// Object is any object as it is read. The form of the last members depends on the type.
type Object struct {
	Type        string            `json:"type"`
	CRS         CRS               `json:"crs"`
	Datum       json.RawMessage   `json:"datum"` // of our own files, the longitude and latitude of the map's origin
	Geometry    *Object           `json:"geometry"`
	Geometries  []*Object         `json:"geometries"`
	Features    []json.RawMessage `json:"features"`
	Coordinates json.RawMessage   `json:"coordinates"`
	Properties  json.RawMessage   `json:"properties"`
}

// CRS is the member that names the system of the coordinates.
type CRS struct {
	Type       string `json:"type"`
	Properties struct {
		Name string      `json:"name"`
		Code json.Number `json:"code,omitempty"` // of the EPSG registry, as drafts of the format had it
	} `json:"properties"`
}

// UnmarshalJSON reads the member, or a name in its place.
func (c *CRS) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &c.Properties.Name) == nil {
		return nil
	}
	type member CRS
	return json.Unmarshal(data, (*member)(c))
}

// Declare sets the name of the system of a file to that of an object in it, which may have its own by drafts of the format. Two are an
// error.
func (o *Object) Declare(system *string) error {
	own := o.System()
	if *system == "" || own == "" {
		*system += own
	} else if *system != own {
		return fmt.Errorf("its crs is %s, and another one of the file %s: convert the file to one", own, *system)
	}
	if o.Geometry != nil {
		return o.Geometry.Declare(system)
	}
	return nil
}

// System returns what the file calls the system of its coordinates; "": it calls it nothing.
func (o *Object) System() string {
	switch p := o.CRS.Properties; {
	case p.Name != "":
		return p.Name
	case p.Code != "":
		return "EPSG:" + p.Code.String()
	case o.CRS.Type != "" && o.CRS.Type != "name":
		return "a crs of type " + o.CRS.Type
	}
	return ""
}

// Read reads a part of a file into v. The error says which byte cannot be read, or which value is of
// another kind.
func Read(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	var value *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("the file is empty: save or download it again")
	case errors.As(err, &syntax) && errors.Is(json.NewDecoder(bytes.NewReader(data)).Decode(new(json.RawMessage)), io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut off after %d bytes", err, len(data))
	case errors.As(err, &syntax):
		return fmt.Errorf("%w, at byte %d", err, syntax.Offset)
	case errors.As(err, &value):
		kind := "a " + value.Type.Kind().String()
		switch value.Type.Kind() {
		case reflect.Float64:
			kind = "a finite number"
		case reflect.Slice:
			kind = "a list"
		case reflect.Struct, reflect.Map:
			kind = "an object"
		}
		if value.Field != "" {
			return fmt.Errorf("%s in place of %s in %s", value.Value, kind, value.Field)
		}
		return fmt.Errorf("%s in place of %s", value.Value, kind)
	}
	return err
}

// ReadCoordinates reads the coordinates into v, slices of numbers. One that is null is an error.
func (o *Object) ReadCoordinates(v any) error {
	switch {
	case len(o.Coordinates) == 0:
		return errors.New("they are missing")
	case bytes.Contains(o.Coordinates, []byte("null")):
		return errors.New("null in place of a finite number")
	}
	return Read(o.Coordinates, v)
}

// ReadProperties reads the properties into v. Without any it changes nothing.
func (o *Object) ReadProperties(v any) error {
	if len(o.Properties) == 0 {
		return nil
	}
	return Read(o.Properties, v)
}

// Feature is a feature as it is written.
type Feature struct {
	Type       string   `json:"type"`
	Properties any      `json:"properties"` // an object
	Geometry   Geometry `json:"geometry"`
}

// Geometry is one as it is written.
type Geometry struct {
	Type        string       `json:"type"`
	Coordinates orb.Geometry `json:"coordinates"`
}

// NewFeature returns a feature with properties.
func NewFeature(g orb.Geometry, properties any) Feature {
	return Feature{"Feature", properties, Geometry{g.GeoJSONType(), g}}
}

// Properties are written with null for a float that is not finite.
type Properties map[string]any

// MarshalJSON implements json.Marshaler.
func (p Properties) MarshalJSON() ([]byte, error) {
	finite := map[string]any{}
	for k, v := range p {
		if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			v = nil
		}
		finite[k] = v
	}
	return json.Marshal(finite)
}

// Layer returns the file of a layer, one feature a line. system names that of the coordinates;
// empty: longitude and latitude.
func Layer(name, system string, features []Feature) ([]byte, error) {
	var file bytes.Buffer
	title, _ := json.Marshal(name) // strings cannot fail
	fmt.Fprintf(&file, "{\"type\": \"FeatureCollection\", \"name\": %s,\n", title)
	if system != "" {
		member := CRS{Type: "name"}
		member.Properties.Name = system
		b, _ := json.Marshal(member)
		fmt.Fprintf(&file, "\"crs\": %s,\n", b)
	}
	file.WriteString("\"features\": [")
	for i, f := range features {
		b, err := json.Marshal(f)
		if err != nil {
			return nil, fmt.Errorf("feature %d of %s: %w", i+1, name, err)
		}
		file.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0])
		file.Write(b)
	}
	file.WriteString("\n]}\n")
	return file.Bytes(), nil
}
