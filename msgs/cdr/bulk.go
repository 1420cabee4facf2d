// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// This file contains the package's only use of unsafe: it views a slice of numbers as bytes, so that a sequence is one copy at the speed of memory. Numbers
// have no padding and no pointers, and bytes need no alignment, so every such view is valid.

var hostBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func sizeOf[T numeric]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// bytesOf returns the memory of s, which the caller keeps alive.
func bytesOf[T numeric](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*sizeOf[T]())
}

// appendNumbers appends s in little-endian order.
func appendNumbers[T numeric](dst []byte, s []T) []byte {
	at := len(dst)
	dst = append(dst, bytesOf(s)...)
	if hostBig {
		reverseEach(dst[at:], sizeOf[T]())
	}
	return dst
}

// copyNumbers fills dst from src, which has exactly the bytes for it, in big-endian order if big is set.
func copyNumbers[T numeric](dst []T, src []byte, big bool) {
	b := bytesOf(dst)
	copy(b, src)
	if big != hostBig {
		reverseEach(b, sizeOf[T]())
	}
}

// reverseEach reverses every group of size bytes.
func reverseEach(b []byte, size int) {
	if size == 1 {
		return
	}
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}
