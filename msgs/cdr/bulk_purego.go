//go:build purego

package cdr

import "encoding/binary"

func sizeOf[T Number]() int {
	var v T
	return binary.Size(v)
}

// appendNumbers appends s in big-endian order if big is set, else in little-endian order.
func appendNumbers[T Number](dst []byte, s []T, big bool) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	dst, err := binary.Append(dst, order, s)
	if err != nil {
		panic(err) // numbers have a fixed size
	}
	return dst
}

// copyNumbers fills dst from src, which has exactly the bytes for it.
func copyNumbers[T Number](dst []T, src []byte, big bool) {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	if _, err := binary.Decode(src, order, dst); err != nil {
		panic(err) // the caller has counted the bytes
	}
}
