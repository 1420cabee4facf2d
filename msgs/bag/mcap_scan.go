package bag

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// looseSpan is how many bytes of records outside of chunks are read at once.
const looseSpan = 1 << 20

func crcOf(parts ...[]byte) uint32 {
	var c uint32
	for _, p := range parts {
		c = crc32.Update(c, crc32.IEEETable, p)
	}
	return c
}

// scanner reads an MCAP file from its start to where it ends or cannot be followed any further.
type scanner struct {
	*mcapFile
	r      *bufio.Reader
	at     int64 // of the next record
	buf    []byte
	out    []byte
	unpack unpacker
	loose  span // the last run of records outside of chunks; length 0 is none
}

// scan finds the messages without an index, up to where the file is cut off. It errors when the file cannot be read.
func (m *mcapFile) scan() error {
	m.reset()
	m.scanned = true
	s := &scanner{mcapFile: m, r: bufio.NewReaderSize(io.NewSectionReader(m.r, 0, m.size), 1<<16), unpack: unpacker{limit: m.limit}}
	defer s.unpack.close()
	magic, err := s.r.Peek(len(mcap.Magic))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(magic, mcap.Magic) {
		if bytes.HasPrefix(mcap.Magic, magic) {
			m.c.problem(Cut, m.size, fmt.Sprintf("the file is cut off after %d bytes", m.size))
		} else {
			m.c.problem(Damaged, m.size, "the file does not start like an MCAP file")
		}
		return nil
	}
	s.at = int64(len(mcap.Magic))
	if _, err := s.r.Discard(len(mcap.Magic)); err != nil {
		return err
	}
	for {
		more, err := s.step()
		if err != nil {
			return err
		}
		if !more {
			s.endLoose()
			return nil
		}
	}
}

// step takes in the next record and reports whether there may be another one.
func (s *scanner) step() (more bool, err error) {
	head, err := s.r.Peek(recordHeader)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	left := s.size - s.at
	if left == 0 {
		s.c.problem(Cut, 0, "the file ends without a footer")
		return false, nil
	}
	if left < recordHeader {
		s.cut(left, "the header of a record")
		return false, nil
	}
	op, length := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
	left -= recordHeader
	whole := length <= uint64(left)
	switch {
	case op == mcap.OpFooter || op == mcap.OpDataEnd:
		return false, nil // the index follows, which the caller could not use
	case op == mcap.OpReserved || op > mcap.OpDataEnd && !whole:
		s.c.problem(Damaged, left+recordHeader, fmt.Sprintf("there is no record at byte %d", s.at))
		return false, nil
	case op == mcap.OpChunk:
		err = s.chunk(length, left)
	case whole && op == mcap.OpMessage:
		err = s.message(int64(length))
	case whole:
		err = s.other(op, int64(length))
	default:
		s.cut(left+recordHeader, "a "+op.String()+" record")
	}
	s.at += recordHeader + int64(min(length, uint64(left)))
	return whole, err
}

func (s *scanner) cut(lost int64, in string) {
	s.c.problem(Cut, lost, fmt.Sprintf("the file is cut off after %d bytes, in %s", s.size, in))
}

// body reads the rest of a record, of which n bytes are there, or passes over it when it is too large.
func (s *scanner) body(n int64) (b []byte, ok bool, err error) {
	if _, err = s.r.Discard(recordHeader); err != nil {
		return nil, false, err
	}
	if n > int64(s.limit)-recordHeader {
		s.c.problem(Damaged, n, fmt.Sprintf("the record at byte %d has %d bytes; at most %d are read", s.at, n, s.limit))
		return nil, false, s.discard(n)
	}
	s.buf, err = readInto(s.buf[:0], s.r, uint64(n))
	return s.buf, true, err
}

func (s *scanner) discard(n int64) error {
	_, err := io.CopyN(io.Discard, s.r, n)
	return err
}

// other takes in a record that is neither a chunk nor a message.
func (s *scanner) other(op mcap.OpCode, n int64) error {
	switch op {
	case mcap.OpSchema, mcap.OpChannel, mcap.OpMetadata:
	default: // attachments, indexes, and what later versions may add
		return s.discard(recordHeader + n)
	}
	b, ok, err := s.body(n)
	if err != nil || !ok {
		return err
	}
	if err := s.describe(op, b); err != nil {
		s.c.problem(Damaged, n, fmt.Sprintf("a %s record at byte %d: %v", op, s.at, err))
	}
	if s.loose.length > 0 {
		s.loose.length += recordHeader + n
	}
	return nil
}

// message takes in a message outside of chunks.
func (s *scanner) message(n int64) error {
	if n < messageHeader || n > int64(s.limit)-recordHeader {
		s.endLoose()
		_, _, err := s.body(n)
		if n < messageHeader {
			s.c.problem(Damaged, n, fmt.Sprintf("a message at byte %d: %v", s.at, errShort))
		}
		return err
	}
	b, err := s.r.Peek(recordHeader + messageHeader)
	if err != nil {
		return err
	}
	t := messageLogTime(b[recordHeader:])
	if s.seen(b[recordHeader:]) {
		s.counted(1, t, t)
	}
	if s.loose.length > 0 && (s.loose.length+recordHeader+n > int64(s.limit) || s.loose.length >= looseSpan || s.loose.at+s.loose.length != s.at) {
		s.endLoose()
	}
	if s.loose.length == 0 {
		s.loose = span{at: s.at, first: t, last: t}
	}
	s.loose.length += recordHeader + n
	s.loose.first, s.loose.last = min(s.loose.first, t), max(s.loose.last, t)
	_, err = s.r.Discard(int(recordHeader + n))
	return err
}

func (s *scanner) endLoose() {
	if s.loose.length > 0 {
		s.spans = append(s.spans, s.loose)
		s.loose = span{}
	}
}

// seen counts a message for its topic and reports whether it has one.
func (s *scanner) seen(body []byte) bool {
	i, ok := s.channels[messageChannel(body)]
	if !ok {
		s.orphans++
		return false
	}
	s.c.topics[i].Count++
	return true
}

// chunk takes in a chunk, of which left bytes at most are there.
func (s *scanner) chunk(length uint64, left int64) error {
	s.endLoose()
	cut := length > uint64(left)
	n := int64(min(length, uint64(left)))
	b, ok, err := s.body(n)
	if err != nil || !ok {
		return err
	}
	c, err := parseChunk(b)
	if err != nil {
		if cut {
			s.cut(recordHeader+n, "a chunk")
			return nil
		}
		s.c.problem(Damaged, n, fmt.Sprintf("a chunk at byte %d: %v", s.at, err))
		return nil
	}
	if !cut && c.length > uint64(len(c.records)) {
		s.c.problem(Damaged, int64(c.size), fmt.Sprintf("a chunk at byte %d: %v", s.at, errShort))
		return nil
	}
	records, err := s.unpack.unpack(s.out[:0], c)
	if c.compression != "" {
		s.out = records // else it is a part of s.buf
	}
	used, count, walkErr := s.walk(records, span{at: s.at, length: recordHeader + n, chunk: true})
	s.c.compression = chunkCompression(c.compression)
	switch {
	case cut:
		s.cut(int64(min(c.size-min(uint64(used), c.size), 1<<62)), fmt.Sprintf("a chunk of %d bytes; %d of its messages were read", c.size, count))
	case err != nil:
		s.c.problem(Damaged, int64(min(c.size, uint64(s.limit)))-int64(used), fmt.Sprintf("at byte %d: %v", s.at, err))
	case walkErr != nil:
		s.c.problem(Damaged, int64(len(records)-used), fmt.Sprintf("in a chunk at byte %d: %v", s.at, walkErr))
	}
	return nil
}

// walk takes in a chunk's records and returns how many bytes and messages there are before the first that is not whole.
func (s *scanner) walk(records []byte, sp span) (used, count int, err error) {
	rest := records
	for len(rest) > 0 {
		op, body, r, ok := nextRecord(rest)
		if !ok || op == mcap.OpReserved {
			err = errNoRecord
			break
		}
		switch op {
		case mcap.OpSchema, mcap.OpChannel:
			if err := s.describe(op, body); err != nil {
				s.c.problem(Damaged, int64(len(body)), fmt.Sprintf("a %s record in a chunk at byte %d: %v", op, sp.at, err))
			}
		case mcap.OpMessage:
			if len(body) < messageHeader {
				s.c.problem(Damaged, int64(len(body)), fmt.Sprintf("a message in a chunk at byte %d: %v", sp.at, errShort))
				break
			}
			if s.seen(body) {
				t := messageLogTime(body)
				s.counted(1, t, t)
				if count == 0 {
					sp.first, sp.last = t, t
				}
				sp.first, sp.last = min(sp.first, t), max(sp.last, t)
				count++
			}
		}
		rest = r
	}
	if count > 0 {
		s.spans = append(s.spans, sp)
	}
	return len(records) - len(rest), count, err
}
