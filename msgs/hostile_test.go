// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/visualization_msgs"
)

// footprint returns the bytes that v holds outside of itself: strings, and slices up to their capacity.
func footprint(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Struct:
		n := 0
		for i := range v.NumField() {
			n += footprint(v.Field(i))
		}
		return n
	case reflect.Slice:
		n := v.Cap() * int(v.Type().Elem().Size())
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.String {
			for i := range v.Len() {
				n += footprint(v.Index(i))
			}
		}
		return n
	}
	return 0
}

// amplification is the most memory that a byte of input may cost. Strings cost the most: 4 bytes are an empty one, which is 16 in memory; messages that
// are made of strings and sequences come near it. A sequence that turns out too long has been made once at each level of nesting, of which there are three.
const amplification = 3 * 8

func checkFootprint(t *testing.T, m cdr.Message, src []byte) {
	t.Helper()
	if n := footprint(reflect.ValueOf(m).Elem()); n > amplification*len(src) {
		t.Errorf("%s: %d bytes of memory for %d bytes of input", m.TypeName(), n, len(src))
	}
}

// Every length in every vector is replaced by lengths that lie: each aligned word in turn.
func TestLyingLengths(t *testing.T) {
	for _, v := range vectors(t) {
		for at := 4; at+4 <= len(v.cdr); at += 4 {
			for _, lie := range []uint32{0xffffffff, 0x80000000, 0x7fffffff, 0x01000000, uint32(len(v.cdr)), 0} {
				src := bytes.Clone(v.cdr)
				binary.LittleEndian.PutUint32(src[at:], lie)
				m := newMessage(t, v.name)
				if err := m.UnmarshalCDR(src); err == nil {
					if again := newMessage(t, v.name); again.UnmarshalCDR(m.AppendCDR(nil)) != nil {
						t.Errorf("%s: what was taken from %x cannot be read again", v.name, src)
					}
				}
				checkFootprint(t, m, src)
			}
		}
	}
}

// fuzz seeds f with the vectors of T and checks that any input is read without a panic, in bounded memory, over an earlier value, and that what is read is
// written in a form that reads and writes the same.
func fuzz[T any, P interface {
	*T
	cdr.Message
}](f *testing.F) {
	for _, v := range vectors(f) {
		if v.name == P(new(T)).TypeName() {
			f.Add(v.cdr)
		}
	}
	dirty := P(new(T))
	f.Fuzz(func(t *testing.T, src []byte) {
		m := P(new(T))
		err := m.UnmarshalCDR(src)
		checkFootprint(t, m, src)
		if errDirty := dirty.UnmarshalCDR(src); (err == nil) != (errDirty == nil) {
			t.Fatalf("a fresh message says %v, a used one %v", err, errDirty)
		}
		if err != nil {
			return
		}
		first := m.AppendCDR(nil)
		if used := dirty.AppendCDR(nil); !bytes.Equal(first, used) {
			t.Fatalf("a fresh message writes %x, a used one %x", first, used)
		}
		again := P(new(T))
		if err := again.UnmarshalCDR(first); err != nil {
			t.Fatalf("%x cannot be read again: %v", first, err)
		}
		if second := again.AppendCDR(nil); !bytes.Equal(first, second) {
			t.Fatalf("written %x, then %x", first, second)
		}
	})
}

func FuzzOdometry(f *testing.F)        { fuzz[nav_msgs.Odometry](f) }
func FuzzPointCloud2(f *testing.F)     { fuzz[sensor_msgs.PointCloud2](f) }
func FuzzMarkerArray(f *testing.F)     { fuzz[visualization_msgs.MarkerArray](f) }
func FuzzDiagnosticArray(f *testing.F) { fuzz[diagnostic_msgs.DiagnosticArray](f) }
func FuzzSetParameters(f *testing.F)   { fuzz[rcl_interfaces.SetParametersRequest](f) }
