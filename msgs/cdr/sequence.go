// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

// numeric is an element type whose CDR form is its form in memory, apart from the byte order.
type numeric interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// WriteSequence appends the count and the elements of s.
func WriteSequence[T numeric](w *Writer, s []T, bound uint32) {
	w.Length(len(s), bound)
	WriteArray(w, s)
}

// WriteArray appends the elements of s without a count.
func WriteArray[T numeric](w *Writer, s []T) {
	if len(s) == 0 {
		return
	}
	size := sizeOf[T]()
	w.align(size)
	w.buf = appendNumbers(w.buf, s)
}

// ReadSequence reads a sequence into s, or into a new slice if the capacity of s is too small, and returns it.
func ReadSequence[T numeric](r *Reader, s []T, bound uint32) []T {
	n := r.Length(sizeOf[T](), bound)
	s = Resize(s, n)
	ReadArray(r, s)
	return s
}

// ReadArray fills dst.
func ReadArray[T numeric](r *Reader, dst []T) {
	if len(dst) == 0 || r.err != nil {
		return
	}
	size := sizeOf[T]()
	at := r.off + (-(r.off - headerSize) & (size - 1))
	if left := len(r.src) - at; left < len(dst)*size {
		r.fail("array", uint64(at-r.off+len(dst)*size))
		return
	}
	r.off = at + len(dst)*size
	copyNumbers(dst, r.src[at:r.off], r.big)
}

// Resize returns s with length n. It keeps the elements of s, including those between its length and its capacity, so that the slices and strings inside
// them can be reused. n comes from Length, which has checked it.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	bigger := make([]T, n)
	copy(bigger, s[:cap(s)])
	return bigger
}
