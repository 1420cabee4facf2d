package bag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The library's parsers read all records but chunks and messages. Its Lexer is not used: it cannot say where a record starts, returns nothing of a chunk that is cut off,
// and does not check the length of the compression's name in the file.

// MaxChunk is the largest chunk, message or other record that is read, in bytes of memory. Larger ones are reported and skipped. rosbag2's chunks have 768 KiB to 4 MiB
// and grow with single messages.
const MaxChunk = 256 << 20

// recordHeader is the opcode and the length that precede every record.
const recordHeader = 1 + 8

// nextRecord splits the first record off b; ok is false when b does not hold it whole.
func nextRecord(b []byte) (op mcap.OpCode, body, rest []byte, ok bool) {
	if len(b) < recordHeader {
		return 0, nil, b, false
	}
	n := binary.LittleEndian.Uint64(b[1:])
	if n > uint64(len(b)-recordHeader) {
		return 0, nil, b, false
	}
	return mcap.OpCode(b[0]), b[recordHeader : recordHeader+n], b[recordHeader+n:], true
}

// messageHeader is what precedes the data of a message: channel, sequence, log and publish time.
const messageHeader = 2 + 4 + 8 + 8

func messageChannel(body []byte) uint16 { return binary.LittleEndian.Uint16(body) }
func messageLogTime(body []byte) int64  { return int64(binary.LittleEndian.Uint64(body[6:])) }
func messagePublishTime(body []byte) int64 {
	return int64(binary.LittleEndian.Uint64(body[14:]))
}

var (
	errShort    = errors.New("the record is shorter than its fields")
	errNoRecord = errors.New("not a complete record")
)

// chunk is a chunk record; records are a part of the record, all that there is of it.
type chunk struct {
	size        uint64 // uncompressed
	crc         uint32 // of the uncompressed records; 0 is unknown
	compression string
	length      uint64 // of records, when they are whole
	records     []byte
}

func parseChunk(b []byte) (c chunk, err error) {
	const fixed = 8 + 8 + 8 + 4 + 4 // start, end, size, CRC, length of the compression's name
	if len(b) < fixed {
		return c, errShort
	}
	c.size = binary.LittleEndian.Uint64(b[16:])
	c.crc = binary.LittleEndian.Uint32(b[24:])
	name := uint64(binary.LittleEndian.Uint32(b[28:]))
	b = b[fixed:]
	if name+8 > uint64(len(b)) {
		return c, errShort
	}
	c.compression = string(b[:name])
	c.length = binary.LittleEndian.Uint64(b[name:])
	b = b[name+8:]
	c.records = b[:min(c.length, uint64(len(b)))]
	return c, nil
}

// unpacker uncompresses chunks into buffers that it is given. The zero value is ready. Not safe for concurrent use.
type unpacker struct {
	limit int // 0 is MaxChunk
	zstd  *zstd.Decoder
	lz4   *lz4.Reader
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
		u.zstd = nil
	}
}

func (u *unpacker) max() int {
	if u.limit > 0 {
		return u.limit
	}
	return MaxChunk
}

// unpack appends the chunk's records to dst, which is empty, and returns it; it returns uncompressed records as they are in c. It returns the readable beginning of a chunk
// that is cut off, and nothing of a damaged chunk, because nobody can tell where the damage begins.
func (u *unpacker) unpack(dst []byte, c chunk) ([]byte, error) {
	if c.size > uint64(u.max()) {
		return nil, fmt.Errorf("the chunk has %d bytes; at most %d are read", c.size, u.max())
	}
	cut := uint64(len(c.records)) < c.length
	var err error
	switch mcap.CompressionFormat(c.compression) {
	case mcap.CompressionNone:
		if !cut && c.size != c.length {
			return nil, fmt.Errorf("the chunk has %d bytes but claims %d", c.length, c.size)
		}
		dst = c.records
	case mcap.CompressionZSTD:
		dst, err = u.unzstd(dst, c, cut)
	case mcap.CompressionLZ4:
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(bytes.NewReader(c.records))
		dst, err = readInto(dst, u.lz4, c.size)
	default:
		return nil, fmt.Errorf("the chunk has the unknown compression %.32q", c.compression)
	}
	if cut {
		return dst, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the chunk cannot be uncompressed: %w", err)
	}
	if c.crc != 0 && crc32.ChecksumIEEE(dst) != c.crc {
		return nil, errors.New("the checksum of the chunk is wrong")
	}
	return dst, nil
}

func (u *unpacker) unzstd(dst []byte, c chunk, cut bool) ([]byte, error) {
	if u.zstd == nil {
		d, err := newZstd(u.max(), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, err
		}
		u.zstd = d
	}
	if cut { // block by block
		if err := u.zstd.Reset(bytes.NewReader(c.records)); err != nil {
			return nil, err
		}
		return readInto(dst, u.zstd, c.size)
	}
	dst, err := u.zstd.DecodeAll(c.records, slices.Grow(dst, int(c.size)))
	if err == nil && uint64(len(dst)) != c.size {
		err = fmt.Errorf("%d bytes instead of %d", len(dst), c.size)
	}
	return dst, err
}

// newZstd returns a decoder that works in the caller's goroutine and whose data and window have at most limit bytes.
func newZstd(limit int, more ...zstd.DOption) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, append(more, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(limit)),
		zstd.WithDecoderMaxWindow(uint64(max(limit, zstd.MinWindowSize))))...)
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
