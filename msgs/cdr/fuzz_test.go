// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import "testing"

// FuzzReader reads src as the fields that program asks for, one byte each. Nothing may panic, the reader must stay inside of src, and what it makes must
// be no more than it.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 5, 4, 6, 7, 8, 3}, []byte("\x00\x01\x00\x00\x01\xab\x34\x12\x02\x00\x00\x00h\x00\x00\x00\xfe\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x05"))
	f.Add([]byte{0, 1, 2, 7, 6, 8, 9}, []byte("\x00\x00\x00\x00\x01\xab\x12\x34\x00\x00\x00\x01\xc0\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x01\x00"))
	f.Fuzz(func(t *testing.T, program, src []byte) {
		r := NewReader(src)
		var s string
		var total int
		for _, op := range program {
			before := r.off
			switch op % 10 {
			case 0:
				r.Bool()
			case 1:
				r.Uint8()
			case 2:
				r.Uint16()
			case 3:
				r.Float32()
			case 4:
				r.Float64()
			case 5:
				r.String(&s, uint32(op))
				total += len(s)
			case 6:
				total += len(ReadSequence[uint8](&r, nil, Unbounded))
			case 7:
				total += 8 * len(ReadSequence[float64](&r, nil, uint32(op)*256))
			case 8:
				var a [5]int16
				ReadArray(&r, a[:])
			case 9:
				r.Empty()
			}
			if r.off < before || r.off > len(src) {
				t.Fatalf("offset %d, then %d of %d", before, r.off, len(src))
			}
		}
		if r.err == nil && total > len(src) {
			t.Fatalf("%d bytes made of %d", total, len(src))
		}
		if err := r.Finish("fuzz"); err != nil && err.Error() == "" {
			t.Fatal("an error without text")
		}
	})
}
