package bag

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// The library parses records, but its Reader and its Lexer are not used. With an index they do not look at the checksums of chunks, and end at the first chunk that is
// damaged; of a chunk that is cut off they say nothing; and they panic where a chunk lies about its lengths.

// mcapFile is an MCAP file with the places of its messages: from its index or, if that is missing, from reading the file once.
type mcapFile struct {
	c         contents
	r         io.ReaderAt
	size      int64
	limit     int // of a record
	closer    io.Closer
	schemas   map[uint16]*mcap.Schema
	channels  map[uint16]int // index into c.topics
	described int            // bytes of schemas and channels
	pieces    []piece        // by their first log times, then their places
	scanned   bool           // damage is known and in c.problems
	orphans   int64          // messages of channels that no record describes
}

// piece is a part of an MCAP file that is read at once: a chunk record, or neighbouring messages outside of chunks.
type piece struct {
	at, length  int64 // in the file
	first, last int64 // log times
	chunk       bool
}

// maxDescribed bounds what a file's schemas and channels may hold; a definition has some kilobytes.
const maxDescribed = 64 << 20

var _ storage = (*mcapFile)(nil)

// openMCAP reads the index of an MCAP file of the given size, or makes one. It errors only when the file cannot be read at all.
func openMCAP(r io.ReaderAt, size int64, limit int) (*mcapFile, error) {
	m := &mcapFile{r: r, size: size, limit: limit}
	if why := m.readSummary(); why != "" {
		m.reset()
		m.c.problem(0, "%s; the whole file was read once instead", why)
		m.scanned = true
		if err := m.scan(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(m.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.at, b.at))
	})
	if m.orphans > 0 {
		m.c.problem(0, "%d messages belong to unknown channels and are skipped", m.orphans)
	}
	return m, nil
}

// reset forgets the contents of an index that turned out to be wrong.
func (m *mcapFile) reset() {
	m.c, m.schemas, m.channels, m.described, m.pieces = contents{}, map[uint16]*mcap.Schema{}, map[uint16]int{}, 0, nil
}

func (m *mcapFile) contents() *contents { return &m.c }

func (m *mcapFile) close() error {
	if m.closer == nil {
		return nil
	}
	return m.closer.Close()
}

// describe parses a record that describes messages. It returns an error if it cannot.
func (m *mcapFile) describe(op mcap.OpCode, body []byte) error {
	if m.described+len(body) > maxDescribed {
		return fmt.Errorf("schemas and channels take %d bytes or more; at most %d are read", m.described+len(body), maxDescribed)
	}
	switch op {
	case mcap.OpSchema:
		s, err := mcap.ParseSchema(body)
		if err != nil {
			return err
		}
		if m.schemas[s.ID] == nil {
			s.Data = bytes.Clone(s.Data)
			m.schemas[s.ID] = s
			m.described += len(body)
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
		m.described += len(body)
		m.channels[c.ID] = m.c.addTopic(t)
	}
	return nil
}

// readAt reads length bytes at an offset into buf, which it grows.
func (m *mcapFile) readAt(buf []byte, at, length int64) ([]byte, error) {
	if length < 0 || length > int64(m.limit) || at < 0 || at > m.size-length {
		return buf, fmt.Errorf("cannot read %d bytes at byte %d: the file has %d bytes, and at most %d are read at once", length, at, m.size, m.limit)
	}
	buf = slices.Grow(buf[:0], int(length))[:length]
	_, err := m.r.ReadAt(buf, at)
	if err == io.EOF {
		err = nil // ReadAt may say so of the last bytes too; the size was checked
	}
	return buf, err
}

// summaryFooter is the length of the last record, after which the magic stands.
const summaryFooter = recordHeader + 8 + 8 + 4

// readSummary fills in m from the index at the end of the file and returns why it cannot, or "".
func (m *mcapFile) readSummary() (why string) {
	m.reset()
	tail := int64(summaryFooter + len(mcap.Magic))
	if m.size < tail+int64(len(mcap.Magic)) {
		return "the file has no footer"
	}
	end, err := m.readAt(nil, m.size-tail, tail)
	if err != nil {
		return err.Error()
	}
	op, body, magic, ok := nextRecord(end)
	if op != mcap.OpFooter || !bytes.Equal(end[summaryFooter:], mcap.Magic) {
		return "the file has no footer"
	}
	footer, err := mcap.ParseFooter(body)
	if !ok || len(magic) != len(mcap.Magic) || err != nil {
		return "the footer is damaged"
	}
	if footer.SummaryStart == 0 || footer.SummaryStart > uint64(m.size-tail) {
		return "the footer names no index"
	}
	at := int64(footer.SummaryStart)
	b, err := m.readAt(nil, at, m.size-tail-at)
	if err != nil {
		return err.Error()
	}
	// The checksum goes from the start of the summary to its own place.
	if footer.SummaryCRC != 0 && crc32.Update(crc32.ChecksumIEEE(b), crc32.IEEETable, end[:summaryFooter-4]) != footer.SummaryCRC {
		return "the checksum of the index is wrong"
	}
	return m.parseSummary(b)
}

func (m *mcapFile) parseSummary(b []byte) (why string) {
	var stats *mcap.Statistics
	var indexed uint64
	for rest := b; len(rest) > 0; {
		op, body, r, ok := nextRecord(rest)
		if !ok {
			return "the index is damaged"
		}
		rest = r
		var err error
		switch op {
		case mcap.OpStatistics:
			stats, err = mcap.ParseStatistics(body)
		case mcap.OpChunkIndex:
			var c *mcap.ChunkIndex
			if c, err = mcap.ParseChunkIndex(body); err == nil {
				n, ok := m.addChunk(c)
				if !ok {
					return "the index names chunks outside the file"
				}
				indexed += n
			}
		default:
			err = m.describe(op, body)
		}
		if err != nil {
			return "the index is damaged: " + err.Error()
		}
	}
	switch {
	case stats == nil:
		return "the index has no statistics"
	case indexed != stats.MessageCount:
		return fmt.Sprintf("the index leads to %d of %d messages", indexed, stats.MessageCount)
	}
	return m.believe(stats)
}

// addChunk adds a chunk and returns the number of its messages in the index. The number follows from the length of the message indexes: each has a header, a channel and a
// length, then a time and an offset per message.
func (m *mcapFile) addChunk(c *mcap.ChunkIndex) (n uint64, ok bool) {
	channels := uint64(len(c.MessageIndexOffsets)) * (recordHeader + 2 + 4)
	if c.ChunkLength < recordHeader || c.ChunkLength > uint64(m.size) || c.ChunkStartOffset > uint64(m.size)-c.ChunkLength {
		return 0, false
	}
	if c.MessageIndexLength < channels || c.MessageIndexLength > uint64(m.size) || (c.MessageIndexLength-channels)%16 != 0 {
		return 0, true
	}
	n = (c.MessageIndexLength - channels) / 16
	if n > 0 {
		first, last := int64(c.MessageStartTime), int64(c.MessageEndTime)
		m.c.counted(int64(n), first, last)
		m.pieces = append(m.pieces, piece{int64(c.ChunkStartOffset), int64(c.ChunkLength), first, last, true})
	}
	return n, true
}

// believe checks that the index describes every channel with messages, and takes the counts from it.
func (m *mcapFile) believe(stats *mcap.Statistics) (why string) {
	var sum uint64
	for id, n := range stats.ChannelMessageCounts {
		i, ok := m.channels[id]
		if !ok && n > 0 {
			return fmt.Sprintf("the index does not describe channel %d", id)
		}
		if n > stats.MessageCount {
			return fmt.Sprintf("the index counts %d messages in channel %d, but %d in total", n, id, stats.MessageCount)
		}
		if ok {
			m.c.topics[i].Count += int64(n)
		}
		sum += n
	}
	if sum != stats.MessageCount {
		return fmt.Sprintf("the index counts %d of %d messages by channel", sum, stats.MessageCount)
	}
	var untyped []string
	for _, t := range m.c.topics {
		if t.Type == "" && t.Count > 0 {
			untyped = append(untyped, t.Name)
		}
	}
	if untyped != nil && len(m.schemas) == 0 {
		return "the index lacks the types of " + strings.Join(untyped, ", ")
	}
	return ""
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
		// until yields the messages before a time and reports whether the loop goes on.
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
			var records []byte
			var err error
			if raw, err = m.readAt(raw, p.at, p.length); err == nil {
				records = raw
				if p.chunk {
					records, out, err = unpack.record(out, raw, m.scanned)
				}
				used := eachRecord(records, func(op mcap.OpCode, body []byte) {
					if op != mcap.OpMessage || len(body) < messageHeader {
						return
					}
					t := messageLogTime(body)
					if i, ok := m.channels[messageChannel(body)]; ok && sel.topics[i] && t >= sel.first && t <= sel.last {
						ready = append(ready, due{record{i, t, body[messageHeader:]}, p.at})
					}
				})
				if err == nil && used < len(records) {
					err = errNoRecord
				}
			}
			byTime := func(a, b due) int { return cmp.Or(cmp.Compare(a.log, b.log), cmp.Compare(a.at, b.at)) }
			if !slices.IsSortedFunc(ready, byTime) {
				slices.SortStableFunc(ready, byTime)
			}
			// Damage of a file that was read once is known.
			if err != nil && !m.scanned && !yield(record{}, &Problem{Lost: p.length, Text: fmt.Sprintf("at byte %d: %v", p.at, err)}) {
				return
			}
		}
		until(math.MaxInt64)
	}
}
