//go:build purego

package cdr

import "encoding/binary"

func sizeOf[T Number]() int {
	var v T
	return binary.Size(v)
}

// appendNumbers appends s in little-endian order.
func appendNumbers[T Number](dst []byte, s []T) []byte {
	dst, err := binary.Append(dst, binary.LittleEndian, s)
	if err != nil {
		panic(err) // numbers have a fixed size
	}
	return dst
}

// copyNumbers fills dst from src, which has exactly the bytes for it, in big-endian order if big is set.
func copyNumbers[T Number](dst []T, src []byte, big bool) {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	if _, err := binary.Decode(src, order, dst); err != nil {
		panic(err) // the caller has checked the size
	}
}
