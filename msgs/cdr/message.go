// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package cdr reads and writes the serialized form of ROS 2 messages: classic CDR (XCDR1) behind a 4-byte encapsulation header, as DDS transmits it and bags
// store it.
//
// These are all the rules: a number is aligned to its own size, counted from the byte after the header; a string is a uint32 length that
// includes the final NUL, the bytes and the NUL; a sequence is a uint32 count and its elements; an array is its elements; a message without
// fields is one byte without a meaning. The Writer writes little endian; the Reader accepts either order, and up to three bytes of padding
// at the end, which DDS may add.
//
// The generated message types under msgs call a Writer and a Reader field by field, without reflection. A Reader never panics on any input and never allocates more
// than a small multiple of the input's size: it compares each length with the bytes that are left before it allocates.
package cdr

// Message is what a transport carries: a value with a ROS type name that can be written as CDR and read from it.
type Message interface {
	// TypeName returns the ROS name, as in "geometry_msgs/msg/PoseStamped".
	TypeName() string
	// AppendCDR appends the encapsulation header and the message, little endian, to dst and returns the extended slice.
	AppendCDR(dst []byte) []byte
	// UnmarshalCDR sets every field from src, which includes the header, in either byte order. It reuses the message's slices, and its strings if they are
	// equal, and keeps no reference to src. After an error the values of the fields are undefined.
	UnmarshalCDR(src []byte) error
}
