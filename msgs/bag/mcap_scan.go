// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// loosePiece is how many bytes of messages outside of chunks are read at once.
const loosePiece = 1 << 20

// scan finds the messages, up to where the file is cut off or cannot be followed any further. It errors when the file cannot be read, or ctx ends.
func (m *mcapFile) scan(ctx context.Context) error {
	r := bufio.NewReaderSize(io.NewSectionReader(m.r, 0, m.size), 1<<16)
	if ok, err := m.begins(r); !ok {
		return err
	}
	unpack := unpacker{limit: m.limit}
	defer unpack.close()
	var buf, out []byte
	chunked := false
	for at := int64(len(mcap.Magic)); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		head, err := r.Peek(recordHeader)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(head) < recordHeader {
			if left := m.size - at; left > 0 {
				m.c.problem(left, "the file is cut off after %d bytes, in the header of a record", m.size)
			} else {
				m.c.problem(0, "the file ends without a footer")
			}
			return nil
		}
		op, length := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
		there := m.size - at - recordHeader // of the record's body and what follows
		whole := length <= uint64(there)
		n := recordHeader + int64(min(length, uint64(there)))
		switch {
		case op == mcap.OpFooter && at+n+int64(len(mcap.Magic)) == m.size:
			return nil
		case op == mcap.OpReserved || op > mcap.OpDataEnd && !whole:
			m.c.problem(there+recordHeader, "there is no record at byte %d", at)
			return nil
		case op != mcap.OpChunk && !whole:
			m.c.problem(n, "the file is cut off after %d bytes, in a %s record", m.size, op)
			return nil
		case op == mcap.OpChunk || op == mcap.OpMessage || op == mcap.OpSchema || op == mcap.OpChannel || op == mcap.OpStatistics:
			if n <= int64(m.limit) {
				if buf, err = readInto(buf[:0], r, uint64(n)); err != nil {
					return err
				}
				switch {
				case op == mcap.OpMessage && chunked: // another record whose opcode is damaged: no writer mixes them
					m.c.problem(n, "there is a message outside of the chunks at byte %d", at)
				case op == mcap.OpChunk:
					chunked = true
					out = m.scanChunk(&unpack, out, buf, at, whole)
				default:
					m.take(buf, piece{at: at, length: n})
				}
				break
			}
			m.c.problem(n, "the record at byte %d has %d bytes; at most %d are read", at, n, m.limit)
			fallthrough
		default: // attachments, indexes, and what later versions may add
			if _, err := io.CopyN(io.Discard, r, n); err != nil {
				return err
			}
		}
		if !whole {
			return nil
		}
		at += n
	}
}

// begins reads the first bytes of the file, and reports whether they are those of an MCAP file.
func (m *mcapFile) begins(r *bufio.Reader) (ok bool, err error) {
	magic, err := r.Peek(len(mcap.Magic))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return false, err
	case bytes.Equal(magic, mcap.Magic):
		_, err = r.Discard(len(magic))
		return err == nil, err
	case bytes.HasPrefix(mcap.Magic, magic):
		m.c.problem(m.size, "the file is cut off after %d bytes", m.size)
	default:
		m.c.problem(m.size, "the file does not start like an MCAP file")
	}
	return false, nil
}

// scanChunk takes in a chunk record, or as much of it as there is. It returns out, the buffer for uncompressed records, grown.
func (m *mcapFile) scanChunk(unpack *unpacker, out, b []byte, at int64, whole bool) []byte {
	records, out, err := unpack.record(out, b)
	used, count := m.take(records, piece{at: at, length: int64(len(b)), chunk: true})
	size := int64(len(b)) // uncompressed, where the record says so
	if len(b) >= recordHeader+24 {
		size = int64(min(binary.LittleEndian.Uint64(b[recordHeader+16:]), uint64(m.limit)))
	}
	lost := max(size-int64(used), 0)
	switch {
	case !whole:
		m.c.problem(lost, "the file is cut off after %d bytes, in a chunk of %d bytes; %d of its messages were read", m.size, size, count)
	case err != nil:
		m.c.problem(lost, "at byte %d: %v", at, err)
	case used < len(records):
		m.c.problem(lost, "in a chunk at byte %d: %v", at, errNoRecord)
	}
	return out
}

// take takes in records of a piece, and the piece if it has messages. It returns how many bytes and messages there are before the first record that is not whole.
func (m *mcapFile) take(records []byte, p piece) (used, count int) {
	used = eachRecord(records, func(op mcap.OpCode, body []byte) {
		switch op {
		case mcap.OpSchema, mcap.OpChannel:
			if err := m.describe(op, body); err != nil {
				m.c.problem(int64(len(body)), "a %s record at byte %d: %v", op, p.at, err)
			}
		case mcap.OpStatistics: // at the end of the file
			if stats, err := mcap.ParseStatistics(body); err == nil && stats.MessageCount != uint64(m.c.count+m.orphans) && len(m.c.problems) == 0 {
				m.c.problem(0, "the file is damaged: it counts %d messages and holds %d", stats.MessageCount, m.c.count+m.orphans)
			}
		case mcap.OpMessage:
			if len(body) < messageHeader {
				m.c.problem(int64(len(body)), "a message at byte %d: %v", p.at, errShort)
				return
			}
			i, ok := m.channels[messageChannel(body)]
			if !ok {
				m.orphans++
				return
			}
			t := messageLogTime(body)
			m.c.topics[i].Count++
			m.c.counted(1, t, t)
			if count++; count == 1 {
				p.first, p.last = t, t
			}
			p.first, p.last = min(p.first, t), max(p.last, t)
		}
	})
	if count == 0 {
		return used, count
	}
	if n := len(m.pieces); !p.chunk && n > 0 {
		if last := &m.pieces[n-1]; !last.chunk && last.at+last.length == p.at && last.length < loosePiece && last.length+p.length <= int64(m.limit) {
			last.length, last.first, last.last = last.length+p.length, min(last.first, p.first), max(last.last, p.last)
			return used, count
		}
	}
	m.pieces = append(m.pieces, p)
	return used, count
}
