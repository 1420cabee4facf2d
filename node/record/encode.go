package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// encode appends v in one line as encoding/json does, but writes a float that is not finite as null, and an
// empty list for nil. path names v in errors.
func encode(dst []byte, v reflect.Value, path string) ([]byte, error) {
	var err error
	switch v.Kind() {
	case reflect.Invalid: // of nil itself
		return append(dst, "null"...), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		return encode(dst, v.Elem(), path)
	case reflect.Float64, reflect.Float32:
		if !isNumber(v.Float()) {
			return append(dst, "null"...), nil
		}
	case reflect.Struct:
		dst = append(dst, '{')
		for name, field := range fields(v) {
			if name == "" {
				return dst, fmt.Errorf("record: %s: a %s cannot be written; use numbers, strings, booleans or lists of them", path, v.Type())
			}
			dst = separated(dst)
			if dst, err = encode(append(strconv.AppendQuote(dst, name), ':'), field, path+"."+name); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	case reflect.Map:
		dst = append(dst, '{')
		for _, key := range slices.SortedFunc(v.Seq(), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			name, _ := json.Marshal(key.String()) // a string can always be written
			dst = separated(dst)
			if dst, err = encode(append(append(dst, name...), ':'), v.MapIndex(key), path+"."+key.String()); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	case reflect.Slice, reflect.Array:
		dst = append(dst, '[')
		for i := range v.Len() {
			dst = separated(dst)
			if dst, err = encode(dst, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
	b, err := json.Marshal(v.Interface())
	if err != nil {
		return dst, fmt.Errorf("record: %s: a %s cannot be written as JSON: %w", path, v.Type(), err)
	}
	return append(dst, b...), nil
}

// separated appends a comma, but behind the beginning of a list or an object.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '{' || last == '[' {
		return dst
	}
	return append(dst, ',')
}

// indent returns a line of JSON on many lines, but each list of scalars, such as a place, on one.
func indent(line []byte) ([]byte, error) {
	var all bytes.Buffer
	if err := json.Indent(&all, line, "", "  "); err != nil {
		return nil, err
	}
	lines := bytes.Split(all.Bytes(), []byte("\n"))
	var out []byte
	flat := false // within such a list
	for i, line := range lines {
		text := bytes.TrimLeft(line, " ")
		switch {
		case !flat && i > 0:
			out = append(append(out, '\n'), line...)
		case flat && out[len(out)-1] == ',':
			out = append(append(out, ' '), text...)
		default:
			out = append(out, text...)
		}
		flat = flat && text[0] != ']' || bytes.HasSuffix(line, []byte("[")) && !bytes.ContainsAny(bytes.TrimLeft(lines[i+1], " ")[:1], "[{")
	}
	return out, nil
}

// fields returns the fields of a struct with their names in JSON, those of an embedded struct in its
// place.
func fields(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.Anonymous {
				continue
			}
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !yield(name, v.FieldByIndex(f.Index)) {
				return
			}
		}
	}
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
