package bag

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
	"go.yaml.in/yaml/v3"
)

// span is a piece of an MCAP file that is read at once: a chunk record, or neighbouring records outside of chunks.
type span struct {
	at, length  int64 // in the file
	first, last int64 // log times
	chunk       bool
}

// mcapFile is an MCAP file with the places of its messages: from its index or, if that is missing, from reading the file once.
type mcapFile struct {
	c         contents
	r         io.ReaderAt
	size      int64
	limit     int // of a record
	budget    int // of what a cursor holds
	closer    io.Closer
	schemas   map[uint16]schema
	channels  map[uint16]int // index into c.topics
	described int            // bytes of schemas and channels
	spans     []span         // by their first log times, then their places
	scanned   bool           // damage is known and in c.problems
	orphans   int64          // messages of channels that no record describes
}

type schema struct{ name, encoding, text string }

// maxDescribed bounds what a file's schemas and channels may hold; a definition has some kilobytes.
const maxDescribed = 64 << 20

var _ storage = (*mcapFile)(nil)

// openMCAP reads the index of an MCAP file of the given size, or makes one. It errors only when the file cannot be read at all. It closes closer, if any, at the end.
func openMCAP(r io.ReaderAt, size int64, limit int, closer io.Closer) (*mcapFile, error) {
	m := &mcapFile{r: r, size: size, limit: limit, budget: openBytes, closer: closer}
	why := m.readSummary()
	if why != "" {
		m.c.problem(NoIndex, 0, why+"; the whole file was read once instead")
		if err := m.scan(); err != nil {
			return nil, err
		}
	}
	m.c.storage = MCAP
	slices.SortFunc(m.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.at, b.at))
	})
	if m.orphans > 0 {
		m.c.problem(NoType, 0, fmt.Sprintf("%d messages belong to unknown channels and are skipped", m.orphans))
	}
	return m, nil
}

// reset forgets the contents of an index that turned out to be wrong.
func (m *mcapFile) reset() {
	m.c = contents{compression: Uncompressed, problems: m.c.problems}
	m.schemas, m.channels, m.described, m.spans, m.orphans = map[uint16]schema{}, map[uint16]int{}, 0, nil, 0
}

func (m *mcapFile) contents() *contents         { return &m.c }
func (m *mcapFile) count(context.Context) error { return nil }

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
		if _, ok := m.schemas[s.ID]; ok {
			return nil
		}
		m.schemas[s.ID] = schema{s.Name, s.Encoding, string(s.Data)}
		m.described += len(body)
	case mcap.OpChannel:
		c, err := mcap.ParseChannel(body)
		if err != nil {
			return err
		}
		if _, ok := m.channels[c.ID]; ok {
			return nil
		}
		t := Topic{Name: c.Topic, Format: c.MessageEncoding, Hash: c.Metadata["topic_type_hash"]}
		if t.QoS, err = parseQoSText(c.Metadata["offered_qos_profiles"]); err != nil {
			m.c.problem(BadMetadata, 0, fmt.Sprintf("%s: %v", c.Topic, err))
		}
		s := m.schemas[c.SchemaID]
		t.Type, t.Encoding, t.Definition = s.name, s.encoding, s.text
		m.described += len(body)
		m.channels[c.ID] = m.c.addTopic(t)
	case mcap.OpMetadata:
		md, err := mcap.ParseMetadata(body)
		if err != nil {
			return err
		}
		if md.Name == "rosbag2" {
			m.describeBag(md.Metadata)
		}
	}
	return nil
}

// describeBag reads rosbag2's own record: the distribution by itself before Jazzy, inside of the bag's metadata from then on.
func (m *mcapFile) describeBag(md map[string]string) {
	if d := md["ROS_DISTRO"]; d != "" {
		m.c.distro = d
	}
	var y metadata
	if s := md["serialized_metadata"]; s != "" && len(s) <= maxMetadata && yaml.Unmarshal([]byte(s), &y) == nil && y.Distro != "" {
		m.c.distro = y.Distro
	}
}

// counted adds n messages between two log times to the totals of the file.
func (m *mcapFile) counted(n, first, last int64) {
	if n == 0 {
		return
	}
	if m.c.count == 0 {
		m.c.start, m.c.end = first, last
	}
	m.c.count += n
	m.c.start, m.c.end = min(m.c.start, first), max(m.c.end, last)
}

func chunkCompression(name string) Compression {
	switch mcap.CompressionFormat(name) {
	case mcap.CompressionZSTD:
		return ChunkZstd
	case mcap.CompressionLZ4:
		return ChunkLZ4
	}
	return Uncompressed
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

// summaryFooter is the last record with the magic after it.
const summaryFooter = recordHeader + 8 + 8 + 4

// readSummary fills in m from the index at the end of the file and returns why it cannot, or "".
func (m *mcapFile) readSummary() (why string) {
	m.reset()
	defer func() {
		if why != "" {
			m.reset()
		}
	}()
	tail := int64(summaryFooter + len(mcap.Magic))
	if m.size < tail+int64(len(mcap.Magic)) {
		return "the file has no footer"
	}
	b, err := m.readAt(nil, m.size-tail, tail)
	if err != nil {
		return err.Error()
	}
	if !bytes.Equal(b[summaryFooter:], mcap.Magic) || mcap.OpCode(b[0]) != mcap.OpFooter {
		return "the file has no footer"
	}
	op, body, _, ok := nextRecord(b[:summaryFooter])
	footer, err := mcap.ParseFooter(body)
	if !ok || op != mcap.OpFooter || err != nil {
		return "the footer is damaged"
	}
	if footer.SummaryStart == 0 || footer.SummaryStart > uint64(m.size-tail) {
		return "the footer names no index"
	}
	at := int64(footer.SummaryStart)
	if b, err = m.readAt(nil, at, m.size-tail-at); err != nil {
		return err.Error()
	}
	return m.parseSummary(b, footer)
}

func (m *mcapFile) parseSummary(b []byte, footer *mcap.Footer) (why string) {
	if footer.SummaryCRC != 0 && !m.summaryCRC(b, footer) {
		return "the checksum of the index is wrong"
	}
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
		case mcap.OpMetadataIndex:
			err = m.describeIndexed(body)
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

// summaryCRC checks the checksum, which goes from the start of the summary to the footer's own.
func (m *mcapFile) summaryCRC(b []byte, footer *mcap.Footer) bool {
	f, err := m.readAt(nil, m.size-int64(summaryFooter+len(mcap.Magic)), summaryFooter-4)
	return err == nil && crcOf(b, f) == footer.SummaryCRC
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
		m.counted(int64(n), first, last)
		m.spans = append(m.spans, span{at: int64(c.ChunkStartOffset), length: int64(c.ChunkLength), first: first, last: last, chunk: true})
		m.c.compression = chunkCompression(string(c.Compression))
	}
	return n, true
}

func (m *mcapFile) describeIndexed(body []byte) error {
	i, err := mcap.ParseMetadataIndex(body)
	if err != nil || i.Name != "rosbag2" || i.Length > math.MaxInt64 || i.Offset > math.MaxInt64 {
		return err
	}
	b, err := m.readAt(nil, int64(i.Offset), int64(i.Length))
	if err != nil {
		return err
	}
	op, record, _, ok := nextRecord(b)
	if !ok || op != mcap.OpMetadata {
		return fmt.Errorf("there is no metadata record at byte %d", i.Offset)
	}
	return m.describe(op, record)
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
