// Package cdr reads and writes the serialized form of ROS 2 messages: classic CDR (XCDR1) behind a 4-byte encapsulation header, as DDS carries it and as
// bags store it.
//
// The rules, all of them: numbers are aligned to their own size, counted from the byte after the header; a string is a uint32 length that counts
// the final NUL, then the bytes, then the NUL; a sequence is a uint32 count and its elements; an array is its elements; a message without a field is
// one byte that means nothing. Writers here write little endian; readers take either order, and up to three bytes of padding at the end, which DDS may add.
//
// The message types under msgs are generated to call a Writer and a Reader field by field, without reflection. A Reader never panics on what it is
// given and never allocates more than a small multiple of what is there: a length is compared with the bytes that are left before anything is made.
package cdr
