// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxChunk is the largest chunk, message or other record that is read, in bytes of memory. Larger ones are reported and skipped. rosbag2's chunks have 768 KiB to 4 MiB
// and grow with single messages.
const maxChunk = 256 << 20

// recordHeader is the opcode and the length that precede every record.
const recordHeader = 1 + 8

// eachRecord calls f for each whole record at the beginning of b and returns how many bytes those have.
func eachRecord(b []byte, f func(op mcap.OpCode, body []byte)) (used int) {
	for len(b)-used >= recordHeader {
		op, length, rest := mcap.OpCode(b[used]), binary.LittleEndian.Uint64(b[used+1:]), b[used+recordHeader:]
		if op == mcap.OpReserved || length > uint64(len(rest)) {
			break
		}
		f(op, rest[:length])
		used += recordHeader + int(length)
	}
	return used
}

// messageHeader is what precedes the data of a message: channel, sequence, log and publish time.
const messageHeader = 2 + 4 + 8 + 8

func messageChannel(body []byte) uint16 { return binary.LittleEndian.Uint16(body) }
func messageLogTime(body []byte) int64  { return int64(binary.LittleEndian.Uint64(body[6:])) }

var (
	errShort    = errors.New("the record is shorter than its fields")
	errNoRecord = errors.New("not a complete record")
)

// unpacker uncompresses chunks. Not safe for concurrent use.
type unpacker struct {
	limit int
	zstd  *zstd.Decoder
	lz4   *lz4.Reader
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// record returns the records of a chunk record, which stand in b itself or in out, a buffer that it grows and returns. Of a chunk that is cut off, as the last one of a file
// may be, it returns the readable beginning, and nothing of a damaged chunk, because nobody can tell where the damage begins.
func (u *unpacker) record(out, b []byte) (records, grown []byte, err error) {
	if len(b) < recordHeader || mcap.OpCode(b[0]) != mcap.OpChunk {
		return nil, out, errNoRecord
	}
	cut := binary.LittleEndian.Uint64(b[1:]) > uint64(len(b)-recordHeader)
	const fixed = 8 + 8 + 8 + 4 + 4 // start, end, size, CRC, length of the compression's name
	if b = b[recordHeader:]; len(b) < fixed {
		return nil, out, errShort
	}
	size, crc, name := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint32(b[24:]), uint64(binary.LittleEndian.Uint32(b[28:]))
	if b = b[fixed:]; name+8 > uint64(len(b)) {
		return nil, out, errShort
	}
	compression, length := mcap.CompressionFormat(b[:name]), binary.LittleEndian.Uint64(b[name:])
	b = b[name+8:]
	switch {
	case size > uint64(u.limit):
		return nil, out, fmt.Errorf("the chunk has %d bytes; at most %d are read", size, u.limit)
	case !cut && length > uint64(len(b)):
		return nil, out, errShort
	}
	b = b[:min(length, uint64(len(b)))]
	if compression == mcap.CompressionNone {
		records = b
		if !cut && size != length {
			return nil, out, fmt.Errorf("the chunk has %d bytes but claims %d", length, size)
		}
	} else {
		out, err = u.unpack(out[:0], compression, b, size)
		records = out
	}
	switch {
	case cut:
		return records, out, nil
	case err != nil:
		return nil, out, fmt.Errorf("the chunk cannot be uncompressed: %w", err)
	case crc != 0 && crc32.ChecksumIEEE(records) != crc: // 0 is unknown
		return nil, out, errors.New("the checksum of the chunk is wrong")
	}
	return records, out, nil
}

// unpack appends size uncompressed bytes to dst, or as many as b holds, with an error.
func (u *unpacker) unpack(dst []byte, compression mcap.CompressionFormat, b []byte, size uint64) ([]byte, error) {
	var r io.Reader
	switch compression {
	case mcap.CompressionZSTD:
		if u.zstd == nil {
			var err error
			if u.zstd, err = newZstd(u.limit); err != nil {
				return dst, err
			}
		}
		if err := u.zstd.Reset(bytes.NewReader(b)); err != nil {
			return dst, err
		}
		r = u.zstd
	case mcap.CompressionLZ4:
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(bytes.NewReader(b))
		r = u.lz4
	default:
		return dst, fmt.Errorf("unknown compression %.32q", compression)
	}
	return readInto(dst, r, size)
}

// readInto appends size bytes of r to dst. The buffer grows with what has come, not with what size claims.
func readInto(dst []byte, r io.Reader, size uint64) ([]byte, error) {
	for uint64(len(dst)) < size {
		if len(dst) == cap(dst) {
			dst = append(dst, make([]byte, min(size-uint64(len(dst)), uint64(max(len(dst), 1<<20))))...)[:len(dst)]
		}
		n, err := r.Read(dst[len(dst):min(uint64(cap(dst)), size)])
		dst = dst[:len(dst)+n]
		if err != nil && uint64(len(dst)) < size {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return dst, err
		}
	}
	return dst, nil
}
