// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// maxPadding is how many bytes DDS may leave after a message.
const maxPadding = 3

// Reader decodes one message. The first error ends the reading: from then on every method returns zero and leaves its destination unchanged, and Finish
// returns the error.
type Reader struct {
	src []byte // header and payload
	off int    // in src; alignment counts from headerSize, itself a multiple of four
	big bool
	err *formatError
}

// NewReader returns a Reader at the first field of src, which begins with the encapsulation header.
func NewReader(src []byte) Reader {
	r := Reader{src: src}
	switch {
	case len(src) < headerSize:
		r.fail("encapsulation header", headerSize)
	case src[0] == 0 && src[1] <= 1:
		r.big = src[1] == 0
		r.off = headerSize
	default:
		r.failf(0, "encapsulation is %#04x, only CDR (0x0000 big endian, 0x0001 little endian) is known", uint16(src[0])<<8|uint16(src[1]))
	}
	return r
}

// Finish returns the first error, or an error if more than padding is left. The error contains typeName.
func (r *Reader) Finish(typeName string) error {
	if left := len(r.src) - r.off; r.err == nil && left > maxPadding {
		r.failf(r.off, "%d bytes left over, at most %d bytes of padding are allowed", left, maxPadding)
	}
	if r.err == nil {
		return nil
	}
	r.err.typeName = typeName
	return r.err
}

// More reports whether size more bytes follow at the next multiple of size, a power of two of at most 8. It is for fields that some writers leave out.
func (r *Reader) More(size int) bool {
	return r.err == nil && r.off+(-(r.off-headerSize)&(size-1))+size <= len(r.src)
}

// Rest skips the rest of the message: fields that a later definition has at its end.
func (r *Reader) Rest() {
	if r.err == nil {
		r.off = len(r.src)
	}
}

// fail records that what needs want more bytes and they are missing. It stays out of line so that the readers inline.
//
//go:noinline
func (r *Reader) fail(what string, want uint64) {
	r.failf(r.off, "%s needs %d bytes with its padding, %d are left", what, want, len(r.src)-r.off)
}

// failf records the first error, at an offset in the message.
func (r *Reader) failf(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &formatError{offset: at, text: fmt.Sprintf(format, args...)}
	}
}

// take returns the next size bytes at a multiple of size, or nil and an error. size is a power of two of at most 8.
func (r *Reader) take(size int, what string) []byte {
	at := r.off + (-(r.off - headerSize) & (size - 1))
	if r.err != nil || at+size > len(r.src) {
		r.fail(what, uint64(at+size-r.off))
		return nil
	}
	r.off = at + size
	return r.src[at:r.off]
}

// Bool reads one byte, which must be 0 or 1.
func (r *Reader) Bool() bool {
	b := r.take(1, "bool")
	if b == nil {
		return false
	}
	if b[0] > 1 {
		r.badBool(b[0])
	}
	return b[0] == 1
}

//go:noinline
func (r *Reader) badBool(v byte) { r.failf(r.off-1, "bool is %d, neither 0 nor 1", v) }

// Uint8 reads one byte.
func (r *Reader) Uint8() uint8 {
	b := r.take(1, "8-bit integer")
	if b == nil {
		return 0
	}
	return b[0]
}

// Uint16 reads two bytes at an even offset.
func (r *Reader) Uint16() uint16 {
	b := r.take(2, "16-bit integer")
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint16(b)
	if r.big {
		v = bits.ReverseBytes16(v)
	}
	return v
}

// Uint32 reads four bytes at a multiple of four.
func (r *Reader) Uint32() uint32 { return r.uint32("32-bit number") }

func (r *Reader) uint32(what string) uint32 {
	b := r.take(4, what)
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint32(b)
	if r.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// Uint64 reads eight bytes at a multiple of eight.
func (r *Reader) Uint64() uint64 {
	b := r.take(8, "64-bit number")
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint64(b)
	if r.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// Int8 reads one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Int16 reads two bytes at an even offset.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Int32 reads four bytes at a multiple of four.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Int64 reads eight bytes at a multiple of eight.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 reads four bytes at a multiple of four.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads eight bytes at a multiple of eight.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// String reads a string into dst. It allocates nothing if dst is equal already. A length of zero, which some writers use for the empty string, is accepted.
func (r *Reader) String(dst *string, bound uint32) {
	n := r.uint32("string length")
	if r.err != nil {
		return
	}
	if n == 0 {
		*dst = ""
		return
	}
	if uint64(n) > uint64(len(r.src)-r.off) {
		r.fail("string", uint64(n))
		return
	}
	b := r.src[r.off : r.off+int(n)-1]
	if nul := r.src[r.off+len(b)]; nul != 0 {
		r.failf(r.off+len(b), "string ends with byte %#02x, not with NUL", nul)
		return
	}
	if uint64(len(b)) > uint64(bound) {
		r.failf(r.off, "string of %d, its type allows %d", len(b), bound)
		return
	}
	r.off += int(n)
	if *dst != string(b) {
		*dst = string(b)
	}
}

// Length reads the count of a sequence whose elements take at least size bytes each. It returns zero after an error, and never a count that needs more bytes than
// are left.
func (r *Reader) Length(size int, bound uint32) int {
	n := r.uint32("sequence length")
	left := len(r.src) - r.off
	switch {
	case r.err != nil:
		return 0
	case n > bound:
		r.failf(r.off-4, "sequence of %d, its type allows %d", n, bound)
		return 0
	case uint64(n)*uint64(size) > uint64(left):
		r.failf(r.off-4, "sequence of %d elements of at least %d bytes each, %d bytes are left", n, size, left)
		return 0
	}
	return int(n)
}

// Empty reads the byte that stands for a message without fields. Some writers leave it out, which is accepted.
func (r *Reader) Empty() {
	if r.err == nil && r.off < len(r.src) {
		r.off++
	}
}

// formatError says where and how a message is malformed.
type formatError struct {
	typeName string // ROS type of the message
	offset   int    // bytes from the beginning, including the 4-byte header
	text     string
}

// Error implements error.
func (e *formatError) Error() string {
	return fmt.Sprintf("cdr: %s: at byte %d: %s", e.typeName, e.offset, e.text)
}
