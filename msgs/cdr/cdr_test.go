// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"slices"
	"strings"
	"testing"
)

func TestErrorsSayWhereAndWhat(t *testing.T) {
	const header = "\x00\x01\x00\x00"
	text := func(r *Reader) { var s string; r.String(&s, 3) }
	for _, c := range []struct {
		src  string
		read func(*Reader)
		want string
	}{
		{"\x00\x01\x00", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation header needs 4 bytes with its padding, 3 are left"},
		{"\x00\x07\x00\x00\x01", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation is 0x0007, only CDR (0x0000 big endian, 0x0001 little endian) is known"},
		{"\x01\x01\x00\x00\x01", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation is 0x0101, only CDR (0x0000 big endian, 0x0001 little endian) is known"},
		{header, func(r *Reader) { r.Uint8() }, "cdr: T: at byte 4: 8-bit integer needs 1 bytes with its padding, 0 are left"},
		{header + "\x01\x02\x03", func(r *Reader) { r.Uint8(); r.Uint16() }, "cdr: T: at byte 5: 16-bit integer needs 3 bytes with its padding, 2 are left"},
		{header + "\x01\x02\x03", func(r *Reader) { r.Float32() }, "cdr: T: at byte 4: 32-bit number needs 4 bytes with its padding, 3 are left"},
		{header + "\x01\x02\x03\x04", func(r *Reader) { r.Float64() }, "cdr: T: at byte 4: 64-bit number needs 8 bytes with its padding, 4 are left"},
		{header + "\x02", func(r *Reader) { r.Bool() }, "cdr: T: at byte 4: bool is 2, neither 0 nor 1"},
		{header + "\x02\x00", text, "cdr: T: at byte 4: string length needs 4 bytes with its padding, 2 are left"},
		{header + "\x05\x00\x00\x00abc\x00", text, "cdr: T: at byte 8: string needs 5 bytes with its padding, 4 are left"},
		{header + "\x03\x00\x00\x00abc\x00", text, "cdr: T: at byte 10: string ends with byte 0x63, not with NUL"},
		{header + "\x05\x00\x00\x00abcd\x00", text, "cdr: T: at byte 8: string of 4, its type allows 3"},
		{header + "\xff\xff\xff\xff", func(r *Reader) { ReadSequence[float64](r, nil, Unbounded) }, "cdr: T: at byte 4: sequence of 4294967295 elements of at least 8 bytes each, 0 bytes are left"},
		{header + "\x03\x00\x00\x00abc", func(r *Reader) { ReadSequence[uint8](r, nil, 2) }, "cdr: T: at byte 4: sequence of 3, its type allows 2"},
		// One float64 is there by count, but not after the padding that it needs.
		{header + "\x01\x00\x00\x0012345678", func(r *Reader) { ReadSequence[float64](r, nil, 2) }, "cdr: T: at byte 8: array needs 12 bytes with its padding, 8 are left"},
		{header + "\x01", func(r *Reader) { ReadArray(r, make([]int32, 3)) }, "cdr: T: at byte 4: array needs 12 bytes with its padding, 1 are left"},
		{header + "\x01abcd", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 5: 4 bytes left over, at most 3 bytes of padding are allowed"},
		// The first error stays.
		{header + "\x02\x02\x02", func(r *Reader) { r.Bool(); r.Bool(); r.Uint64() }, "cdr: T: at byte 4: bool is 2, neither 0 nor 1"},
	} {
		r := NewReader([]byte(c.src))
		c.read(&r)
		err := r.Finish("T")
		if err == nil || err.Error() != c.want {
			t.Errorf("%x: got %v, want %s", c.src, err, c.want)
		}
	}
}

func TestNothingIsReadAfterAnError(t *testing.T) {
	r := NewReader([]byte("\x00\x01\x00\x00\x02\x01\x01\x01\x01\x00\x00\x00\x01"))
	r.Bool()
	s, list, array := "kept", []uint8{7}, []uint16{7}
	r.String(&s, Unbounded)
	ReadArray(&r, array)
	if got := ReadSequence(&r, list, Unbounded); len(got) != 0 {
		t.Errorf("a sequence of %d", len(got))
	}
	r.Empty()
	if s != "kept" || array[0] != 7 || r.Uint8() != 0 || r.Int64() != 0 || r.Bool() || r.Uint16() != 0 || r.Length(1, Unbounded) != 0 {
		t.Error("something was read after an error")
	}
}

func TestLeniency(t *testing.T) {
	const header = "\x00\x01\x00\x00"
	for padding := range 4 {
		r := NewReader([]byte(header + "\x05" + strings.Repeat("\xff", padding)))
		if v := r.Uint8(); v != 5 || r.Finish("T") != nil {
			t.Errorf("%d bytes of padding: %d, %v", padding, v, r.Finish("T"))
		}
	}
	s := "before"
	r := NewReader([]byte(header + "\x00\x00\x00\x00"))
	if r.String(&s, Unbounded); s != "" || r.Finish("T") != nil {
		t.Errorf("a string of length 0: %q, %v", s, r.Finish("T"))
	}
	r = NewReader([]byte(header + "\x05\x00\x01\x00\x02\x00\x00"))
	if !r.More(1) || r.Uint8() != 5 || !r.More(2) || r.More(4) || r.Uint16() != 1 || !r.More(2) || r.More(4) {
		t.Error("More counts wrong")
	}
	if r.Rest(); r.More(1) || r.Finish("T") != nil || r.Uint8() != 0 || r.Finish("T") == nil {
		t.Error("after the rest there is something, or nothing wrong")
	}
	for _, src := range []string{header, header + "\x00", header + "\x00\x00\x00\x00"} {
		r := NewReader([]byte(src))
		if r.Empty(); r.Finish("T") != nil {
			t.Errorf("empty message %x: %v", src, r.Finish("T"))
		}
	}
}

func TestWriterPanicsOnBounds(t *testing.T) {
	for want, f := range map[string]func(*Writer){
		panicTooLong: func(w *Writer) { WriteSequence(w, make([]uint8, 3), 2) },
		panicString:  func(w *Writer) { w.String("abc", 2) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("recovered %v, want %q", got, want)
				}
			}()
			w := NewWriter(nil)
			f(&w)
		}()
	}
}

func TestResizeKeepsWhatElementsHold(t *testing.T) {
	s := [][]int{{1}, {2}, {3}}
	s = Resize(s, 1)
	if grown := Resize(s, 3); &grown[2][0] != &s[:3][2][0] {
		t.Error("an element between length and capacity was lost")
	}
	if grown := Resize(s, 5); len(grown) != 5 || !slices.Equal(grown[2], []int{3}) || grown[4] != nil {
		t.Errorf("grown to %v", grown)
	}
	if got := Resize[int](nil, 0); got != nil {
		t.Errorf("nil became %v", got)
	}
}
