// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/foxglove/mcap/go/mcap"
)

// The library parses records, but its Reader and its Lexer are not used. With an index they do not look at the checksums of chunks, and end at the first chunk that is
// damaged; of a chunk that is cut off they say nothing; and they panic where a chunk lies about its lengths. Every file is read once when it is opened, so that an index is
// not needed, and all damage is known before the first message is played.

// mcapFile is an MCAP file with the places of its messages.
type mcapFile struct {
	c        contents
	r        io.ReaderAt
	size     int64
	limit    int // of a record
	schemas  map[uint16]*mcap.Schema
	channels map[uint16]int // index into c.topics
	pieces   []piece        // by their first log times, then their places
	orphans  int64          // messages of channels that no record describes
}

// piece is a part of an MCAP file that is read at once: a chunk record, or neighbouring messages outside of chunks.
type piece struct {
	at, length  int64 // in the file
	first, last int64 // log times
	chunk       bool
}

var _ storage = (*mcapFile)(nil)

// openMCAP reads an MCAP file of the given size once. It errors when the file cannot be read at all, or ctx ends.
func openMCAP(ctx context.Context, r io.ReaderAt, size int64, limit int) (*mcapFile, error) {
	m := &mcapFile{r: r, size: size, limit: limit, schemas: map[uint16]*mcap.Schema{}, channels: map[uint16]int{}}
	if err := m.scan(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(m.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.at, b.at))
	})
	if m.orphans > 0 {
		m.c.problem(0, "%d messages belong to unknown channels and are skipped", m.orphans)
	}
	return m, nil
}

func (m *mcapFile) contents() *contents { return &m.c }

func (m *mcapFile) close() error {
	if c, ok := m.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// describe parses a record that describes messages. It returns an error if it cannot.
func (m *mcapFile) describe(op mcap.OpCode, body []byte) error {
	switch op {
	case mcap.OpSchema:
		s, err := mcap.ParseSchema(body)
		if err != nil {
			return err
		}
		if m.schemas[s.ID] == nil {
			s.Data = bytes.Clone(s.Data)
			m.schemas[s.ID] = s
		}
	case mcap.OpChannel:
		c, err := mcap.ParseChannel(body)
		if err != nil {
			return err
		}
		if _, ok := m.channels[c.ID]; ok {
			return nil
		}
		t := Topic{Name: c.Topic, Format: c.MessageEncoding, hash: c.Metadata["topic_type_hash"]}
		if s := m.schemas[c.SchemaID]; s != nil {
			t.Type, t.encoding, t.definition = s.Name, s.Encoding, string(s.Data)
		}
		m.channels[c.ID] = m.c.addTopic(t)
	}
	return nil
}

// due is a message of a piece that has been read.
type due struct {
	record
	at int64 // of the piece, by which messages of the same time are sorted
}

func (m *mcapFile) messages(sel selection) iter.Seq2[record, *Problem] {
	return func(yield func(record, *Problem) bool) {
		unpack := unpacker{limit: m.limit}
		defer unpack.close()
		var ready []due // in order of time
		var raw, out []byte
		// until yields the messages before a time and reports whether the loop continues.
		until := func(end int64) bool {
			n := 0
			for n < len(ready) && (ready[n].log < end || end == math.MaxInt64) {
				if !yield(ready[n].record, nil) {
					return false
				}
				n++
			}
			ready = append(ready[:0], ready[n:]...)
			return true
		}
		for _, p := range m.pieces {
			if p.first > sel.last || p.last < sel.first {
				continue
			}
			if !until(p.first) {
				return
			}
			if len(ready) > 0 {
				raw, out = nil, nil // messages in them are to come
			}
			raw = slices.Grow(raw[:0], int(p.length))[:p.length]
			if _, err := m.r.ReadAt(raw, p.at); err != nil && err != io.EOF { // of the last bytes it may say so, too
				if !yield(record{}, &Problem{Lost: p.length, Text: fmt.Sprintf("at byte %d: %v", p.at, err)}) {
					return
				}
				continue
			}
			records := raw
			if p.chunk {
				records, out, _ = unpack.record(out, raw) // damage is in the problems of the file
			}
			eachRecord(records, func(op mcap.OpCode, body []byte) {
				if op != mcap.OpMessage || len(body) < messageHeader {
					return
				}
				t := messageLogTime(body)
				if i, ok := m.channels[messageChannel(body)]; ok && sel.topics[i] && t >= sel.first && t <= sel.last {
					ready = append(ready, due{record{i, t, body[messageHeader:]}, p.at})
				}
			})
			byTime := func(a, b due) int { return cmp.Or(cmp.Compare(a.log, b.log), cmp.Compare(a.at, b.at)) }
			if !slices.IsSortedFunc(ready, byTime) {
				slices.SortStableFunc(ready, byTime)
			}
		}
		until(math.MaxInt64)
	}
}
