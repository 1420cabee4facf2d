// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/all"
	"ugp_explorer/msgs/cdr"
)

// A vector is a message as ROS 2 Humble serialized it (rclpy's serialize_message with rmw_fastrtps_cpp, those of actions with
// rmw_cyclonedds_cpp, whose padding is zero): testdata/cdr_vectors.jsonl. Floats and 64-bit
// integers are strings in its JSON.
type vector struct {
	name  string
	value map[string]any
	cdr   []byte
}

func vectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/cdr_vectors.jsonl")
	must.OK(t, err)
	defer f.Close()
	var all []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct {
			Type, CDR string
			Value     map[string]any
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		must.OK(t, d.Decode(&v))
		b, err := hex.DecodeString(v.CDR)
		must.OK(t, err)
		all = append(all, vector{v.Type, v.Value, b})
	}
	must.OK(t, lines.Err())
	return all
}

func newMessage(t testing.TB, name string) cdr.Message {
	t.Helper()
	m := all.New(name)
	if m == nil {
		t.Fatalf("no type %s", name)
	}
	return m
}

// fill sets dst from JSON and fails unless every field is named on both sides.
func fill(t *testing.T, dst reflect.Value, v any) {
	t.Helper()
	switch dst.Kind() {
	case reflect.Struct:
		object := v.(map[string]any)
		if len(object) != dst.NumField() {
			t.Fatalf("%s has %d fields, the vector %d", dst.Type(), dst.NumField(), len(object))
		}
		for key, item := range object {
			field := dst.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, strings.ReplaceAll(key, "_", "")) })
			if !field.IsValid() {
				t.Fatalf("%s has no field for %s", dst.Type(), key)
			}
			fill(t, field, item)
		}
	case reflect.Slice, reflect.Array:
		items := v.([]any)
		if dst.Kind() == reflect.Slice {
			dst.Set(reflect.MakeSlice(dst.Type(), len(items), len(items)))
		}
		if dst.Len() != len(items) {
			t.Fatalf("%s for %d elements", dst.Type(), len(items))
		}
		for i, item := range items {
			fill(t, dst.Index(i), item)
		}
	case reflect.Bool:
		dst.SetBool(v.(bool))
	case reflect.String:
		dst.SetString(v.(string))
	default:
		fillNumber(t, dst, v)
	}
}

func fillNumber(t *testing.T, dst reflect.Value, v any) {
	t.Helper()
	text, ok := v.(string)
	if !ok {
		text = v.(json.Number).String()
	}
	var err error
	switch {
	case dst.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 10, dst.Type().Bits())
		dst.SetInt(n)
	case dst.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, dst.Type().Bits())
		dst.SetUint(n)
	default:
		var x float64
		x, err = strconv.ParseFloat(text, dst.Type().Bits())
		dst.SetFloat(x)
	}
	must.OK(t, err)
}

func TestVectorsBothWays(t *testing.T) {
	types := map[string]bool{}
	dirty := map[string]cdr.Message{} // what an earlier vector left in a message must not show
	for _, v := range vectors(t) {
		types[v.name] = true
		want := newMessage(t, v.name)
		fill(t, reflect.ValueOf(want).Elem(), v.value)
		if got := want.AppendCDR(nil); !bytes.Equal(got, v.cdr) {
			t.Errorf("%s: wrote\n%x, want\n%x", v.name, got, v.cdr)
		}
		if got := want.AppendCDR([]byte("abc")); !bytes.Equal(got[3:], v.cdr) || string(got[:3]) != "abc" {
			t.Errorf("%s: appended\n%x, want abc and\n%x", v.name, got, v.cdr)
		}
		got := dirty[v.name]
		if got == nil {
			got = newMessage(t, v.name)
			dirty[v.name] = got
		}
		for padding := range 4 {
			if err := got.UnmarshalCDR(append(v.cdr[:len(v.cdr):len(v.cdr)], make([]byte, padding)...)); err != nil {
				t.Errorf("%s with %d bytes of padding: %v", v.name, padding, err)
			}
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s: read (-want +got)\n%s", v.name, d)
			}
		}
	}
	if len(types) != 75 {
		t.Errorf("the vectors cover %d types, want 75", len(types))
	}
}

// appendBigEndian appends a value to the payload of a big-endian message, by the rules and without package cdr, which writes little endian.
func appendBigEndian(t *testing.T, b []byte, v reflect.Value) []byte {
	t.Helper()
	pad := func(size int) {
		for len(b)%size != 0 {
			b = append(b, 0)
		}
	}
	count := func(n int) { pad(4); b = binary.BigEndian.AppendUint32(b, uint32(n)) }
	switch v.Kind() {
	case reflect.Struct:
		if v.NumField() == 0 {
			return append(b, 0)
		}
		for i := range v.NumField() {
			b = appendBigEndian(t, b, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			count(v.Len())
		}
		for i := range v.Len() {
			b = appendBigEndian(t, b, v.Index(i))
		}
	case reflect.String:
		count(v.Len() + 1)
		b = append(append(b, v.String()...), 0)
	default:
		pad(int(v.Type().Size()))
		var err error
		if b, err = binary.Append(b, binary.BigEndian, v.Interface()); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func TestBigEndianIsRead(t *testing.T) {
	for _, v := range vectors(t) {
		m, back := newMessage(t, v.name), newMessage(t, v.name)
		fill(t, reflect.ValueOf(m).Elem(), v.value)
		big := append(make([]byte, 4), appendBigEndian(t, nil, reflect.ValueOf(m).Elem())...)
		if len(big) != len(v.cdr) {
			t.Errorf("%s: %d bytes, want %d", v.name, len(big), len(v.cdr))
		}
		if err := back.UnmarshalCDR(big); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if got := back.AppendCDR(nil); !bytes.Equal(got, v.cdr) {
			t.Errorf("%s: came back as\n%x, want\n%x", v.name, got, v.cdr)
		}
	}
}

// endsEmpty reports whether the last field of a message is one without fields, or ends with one.
func endsEmpty(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && (t.NumField() == 0 || endsEmpty(t.Field(t.NumField()-1).Type))
}

func TestTruncatedVectorsAreRefused(t *testing.T) {
	for _, v := range vectors(t) {
		m := newMessage(t, v.name)
		least := len(v.cdr)
		if reflect.TypeOf(m).Elem().NumField() == 0 {
			least = 4 // the byte of an empty message may be missing
		} else if endsEmpty(reflect.TypeOf(m).Elem()) {
			least--
		}
		for n := range least {
			if err := m.UnmarshalCDR(v.cdr[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes were taken", v.name, n, len(v.cdr))
			}
		}
		if err := m.UnmarshalCDR(append(v.cdr[:len(v.cdr):len(v.cdr)], make([]byte, 5)...)); err == nil {
			t.Errorf("%s: five bytes too many were taken", v.name)
		}
	}
}
