package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
)

// encoder writes JSON like encoding/json with two differences: a float that is not finite
// is written as null, and a slice of scalars, such as a place, stays on one line.
type encoder struct{ buf bytes.Buffer }

// value writes v. path names v in errors.
func (e *encoder) value(v reflect.Value, path string, depth int) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.buf.WriteString("null")
			return nil
		}
		return e.value(v.Elem(), path, depth)
	case reflect.Float64, reflect.Float32:
		if !isNumber(v.Float()) {
			e.buf.WriteString("null")
			return nil
		}
	case reflect.Struct:
		return e.structure(v, path, depth)
	case reflect.Map:
		return e.mapping(v, path, depth)
	case reflect.Slice, reflect.Array:
		return e.list(v, path, depth)
	}
	b, err := json.Marshal(v.Interface())
	if err != nil {
		return fmt.Errorf("record: %s: a %s cannot be written as JSON: %w", path, v.Type(), err)
	}
	e.buf.Write(b)
	return nil
}

func (e *encoder) structure(v reflect.Value, path string, depth int) error {
	e.buf.WriteByte('{')
	i := 0
	for name, field := range fields(v) {
		if name == "" {
			return fmt.Errorf("record: %s: a %s cannot be written; use numbers, strings, booleans or lists of them", path, v.Type())
		}
		e.key(i, name, depth+1)
		if err := e.value(field, path+"."+name, depth+1); err != nil {
			return err
		}
		i++
	}
	e.line(depth)
	e.buf.WriteByte('}')
	return nil
}

func (e *encoder) mapping(v reflect.Value, path string, depth int) error {
	if v.Type().Key().Kind() != reflect.String {
		return fmt.Errorf("record: %s: a %s cannot be written as JSON; its keys must be strings", path, v.Type())
	}
	keys := v.MapKeys()
	if len(keys) == 0 {
		e.buf.WriteString("{}")
		return nil
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	e.buf.WriteByte('{')
	for i, k := range keys {
		e.key(i, k.String(), depth+1)
		if err := e.value(v.MapIndex(k), path+"."+k.String(), depth+1); err != nil {
			return err
		}
	}
	e.line(depth)
	e.buf.WriteByte('}')
	return nil
}

func (e *encoder) list(v reflect.Value, path string, depth int) error {
	if v.Len() == 0 {
		e.buf.WriteString("[]")
		return nil
	}
	oneLine := scalar(v.Type().Elem())
	e.buf.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if !oneLine {
			e.line(depth + 1)
		} else if i > 0 {
			e.buf.WriteByte(' ')
		}
		if err := e.value(v.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1); err != nil {
			return err
		}
	}
	if !oneLine {
		e.line(depth)
	}
	e.buf.WriteByte(']')
	return nil
}

// key writes the name of an object's i-th member on a new line.
func (e *encoder) key(i int, name string, depth int) {
	if i > 0 {
		e.buf.WriteByte(',')
	}
	e.line(depth)
	b, _ := json.Marshal(name) // a string can always be written
	e.buf.Write(b)
	e.buf.WriteString(": ")
}

func (e *encoder) line(depth int) {
	e.buf.WriteByte('\n')
	for range depth {
		e.buf.WriteString("  ")
	}
}

// scalar reports whether lists of the type are written on one line. Elements of an
// untyped list count as scalars, because parameters have flat lists only.
func scalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice, reflect.Array, reflect.Pointer:
		return false
	}
	return true
}

// fields returns the fields of a struct with their names in JSON, those of an embedded struct in its
// place.
func fields(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) { eachField(v, yield) }
}

func eachField(v reflect.Value, yield func(string, reflect.Value) bool) bool {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			if !eachField(v.Field(i), yield) {
				return false
			}
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !yield(name, v.Field(i)) {
			return false
		}
	}
	return true
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

// isNumber reports whether v is neither NaN nor infinite.
func isNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
