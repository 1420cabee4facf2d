// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"math"
)

// Unbounded is the bound of a sequence or string that has none.
const Unbounded = math.MaxUint32

// headerSize is the length of the encapsulation header.
const headerSize = 4

const (
	panicTooLong = "cdr: sequence is longer than its type allows"
	panicString  = "cdr: string is longer than its type allows"
)

// Writer appends one little-endian message to a byte slice. Its methods panic if a sequence or a string is longer than its bound: that is a bug of the caller, and
// no reader would accept the message.
type Writer struct {
	buf   []byte
	start int // index of the payload in buf; alignment counts from here
}

// NewWriter returns a Writer that appends a message to dst, beginning with the encapsulation header.
func NewWriter(dst []byte) Writer {
	dst = append(dst, 0, 1, 0, 0)
	return Writer{buf: dst, start: len(dst)}
}

// Bytes returns the slice given to NewWriter with the message appended.
func (w *Writer) Bytes() []byte { return w.buf }

// align pads with zeros to a multiple of size, a power of two of at most 8.
func (w *Writer) align(size int) {
	if pad := -(len(w.buf) - w.start) & (size - 1); pad > 0 {
		w.buf = append(w.buf, make([]byte, pad)...)
	}
}

// Bool appends one byte, 0 or 1.
func (w *Writer) Bool(v bool) {
	var b byte
	if v {
		b = 1
	}
	w.buf = append(w.buf, b)
}

// Uint8 appends one byte.
func (w *Writer) Uint8(v uint8) { w.buf = append(w.buf, v) }

// Uint16 appends two bytes at an even offset.
func (w *Writer) Uint16(v uint16) {
	w.align(2)
	w.buf = binary.LittleEndian.AppendUint16(w.buf, v)
}

// Uint32 appends four bytes at a multiple of four.
func (w *Writer) Uint32(v uint32) {
	w.align(4)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
}

// Uint64 appends eight bytes at a multiple of eight.
func (w *Writer) Uint64(v uint64) {
	w.align(8)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, v)
}

// Int8 appends one byte.
func (w *Writer) Int8(v int8) { w.Uint8(uint8(v)) }

// Int16 appends two bytes at an even offset.
func (w *Writer) Int16(v int16) { w.Uint16(uint16(v)) }

// Int32 appends four bytes at a multiple of four.
func (w *Writer) Int32(v int32) { w.Uint32(uint32(v)) }

// Int64 appends eight bytes at a multiple of eight.
func (w *Writer) Int64(v int64) { w.Uint64(uint64(v)) }

// Float32 appends four bytes at a multiple of four.
func (w *Writer) Float32(v float32) { w.Uint32(math.Float32bits(v)) }

// Float64 appends eight bytes at a multiple of eight.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// String appends a length that includes the final NUL, the bytes of s, and the NUL. bound is the largest allowed length of s, in bytes without the NUL.
func (w *Writer) String(s string, bound uint32) {
	if uint64(len(s)) > uint64(bound) || uint64(len(s)) >= math.MaxUint32 {
		panic(panicString)
	}
	w.Uint32(uint32(len(s)) + 1)
	w.buf = append(w.buf, s...)
	w.buf = append(w.buf, 0)
}

// Length appends the count of a sequence of n elements.
func (w *Writer) Length(n int, bound uint32) {
	if uint64(n) > uint64(bound) {
		panic(panicTooLong)
	}
	w.Uint32(uint32(n))
}

// Empty appends the byte that stands for a message without a field.
func (w *Writer) Empty() { w.Uint8(0) }
