// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ugp_explorer/internal/num"
)

// encode appends v in one line as encoding/json does, but writes a float that is not finite as null, and an
// empty list for nil.
func encode(dst []byte, v reflect.Value) ([]byte, error) {
	var err error
	member := func(name string, v reflect.Value) {
		if err == nil {
			key, _ := json.Marshal(name) // a string can always be written
			dst, err = encode(append(append(separated(dst), key...), ':'), v)
		}
	}
	switch v.Kind() {
	case reflect.Invalid: // of nil itself
		return append(dst, "null"...), nil
	case reflect.Pointer, reflect.Interface: // of nil the invalid value
		return encode(dst, v.Elem())
	case reflect.Float64:
		if !num.Finite(v.Float()) {
			return append(dst, "null"...), nil
		}
	case reflect.Struct:
		dst = append(dst, '{')
		for name, field := range fields(v) {
			member(name, field)
		}
		return append(dst, '}'), err
	case reflect.Map:
		dst = append(dst, '{')
		for _, key := range slices.SortedFunc(v.Seq(), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			member(key.String(), v.MapIndex(key))
		}
		return append(dst, '}'), err
	case reflect.Slice, reflect.Array:
		dst = append(dst, '[')
		for i := 0; i < v.Len() && err == nil; i++ {
			dst, err = encode(separated(dst), v.Index(i))
		}
		return append(dst, ']'), err
	}
	b, err := json.Marshal(v.Interface())
	return append(dst, b...), err
}

// separated appends a comma, but behind the beginning of a list or an object.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '{' || last == '[' {
		return dst
	}
	return append(dst, ',')
}

// scalars matches an indented list without lists or objects inside, such as a place.
var scalars = regexp.MustCompile(`\[\n +[^\[{\s][^\n]*(\n +[^\]\s][^\n]*)*\n +\]`)

// indent returns a line of JSON on many lines, but each list of scalars on one.
func indent(line []byte) ([]byte, error) {
	var lines bytes.Buffer
	if err := json.Indent(&lines, line, "", "  "); err != nil {
		return nil, err
	}
	return scalars.ReplaceAllFunc(lines.Bytes(), func(list []byte) []byte {
		var elements [][]byte
		for element := range bytes.Lines(bytes.Trim(list, "[]")) {
			elements = append(elements, bytes.TrimSpace(element))
		}
		return fmt.Appendf(nil, "[%s]", bytes.TrimSpace(bytes.Join(elements, []byte(" "))))
	}), nil
}

// fields returns the fields of a struct with their names in JSON, those of an embedded struct in its
// place.
func fields(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for _, f := range membersOf(v.Type()) {
			value := v.FieldByIndex(f.index)
			if f.omitEmpty && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
				continue
			}
			if !yield(f.name, value) {
				return
			}
		}
	}
}

// jsonMember is a field of a struct as JSON has it.
type jsonMember struct {
	name      string
	index     []int
	omitEmpty bool
}

var jsonMembers sync.Map // []jsonMember by the reflect.Type of a struct

// membersOf returns the fields of a type of structs, those of an embedded struct in its place.
func membersOf(t reflect.Type) []jsonMember {
	if list, ok := jsonMembers.Load(t); ok {
		return list.([]jsonMember)
	}
	var list []jsonMember
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			list = append(list, jsonMember{name, f.Index, option == "omitempty"})
		}
	}
	jsonMembers.Store(t, list)
	return list
}

// nullIsNaN sets the floats in v to NaN where the decoded JSON has null. encoding/json
// leaves them zero.
func nullIsNaN(v reflect.Value, tree any) {
	switch v.Kind() {
	case reflect.Float64:
		if tree == nil {
			v.SetFloat(math.NaN())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			nullIsNaN(v.Elem(), tree)
		}
	case reflect.Struct:
		members, _ := tree.(map[string]any)
		for name, field := range fields(v) {
			if member, ok := members[name]; ok {
				nullIsNaN(field, member)
			}
		}
	case reflect.Slice, reflect.Array:
		list, _ := tree.([]any)
		for i := range min(v.Len(), len(list)) {
			nullIsNaN(v.Index(i), list[i])
		}
	}
}
