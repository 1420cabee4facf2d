// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bagwriter

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// mcapMagic begins and ends a file.
const mcapMagic = "\x89MCAP0\r\n"

// Opcodes of the records that are written, see https://mcap.dev/spec.
const (
	opHeader byte = 1 + iota
	opFooter
	opSchema
	opChannel
	opMessage
	opChunk
	opMessageIndex
	opChunkIndex
	_ // attachment
	_ // attachment index
	opStatistics
	opMetadata
	opMetadataIndex
	opSummaryOffset
	opDataEnd
)

const (
	recordHeader  = 1 + 8         // opcode and length
	messageHeader = 2 + 4 + 8 + 8 // channel, sequence, log and publish time
)

// record returns a record of these fields: numbers, bytes as they are, and strings with their length in front.
func record(op byte, fields ...any) []byte {
	b := make([]byte, recordHeader)
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), f...)
		case []byte:
			b = append(b, f...)
		default:
			var err error
			if b, err = binary.Append(b, binary.LittleEndian, f); err != nil {
				panic("bagwriter: " + err.Error()) // not a number
			}
		}
	}
	b[0] = op
	binary.LittleEndian.PutUint64(b[1:], uint64(len(b)-recordHeader))
	return b
}

// pairs returns a map of strings as a field of a record.
func pairs(m map[string]string) string {
	var b []byte
	for _, key := range slices.Sorted(maps.Keys(m)) {
		b = append(b, record(0, key, m[key])[recordHeader:]...)
	}
	return string(b)
}

// mcapWriter writes one MCAP file. Its chunks end when flush is called, too. Schemas and channels stand in front of the chunks that need them and not inside, so that a
// damaged chunk costs only its messages.
type mcapWriter struct {
	f    *os.File
	at   uint64 // bytes written
	crc  uint32 // of them, later of the summary
	zstd *zstd.Encoder

	chunk  []byte   // messages of the current chunk
	within span     // of its log times
	index  [][]byte // where its messages are, by channel: log time and place of each
	packed []byte

	// What the summary at the end of the file says.
	schemas                               map[string]uint16 // ids
	schemaRecords, channels, chunks       []byte            // records
	channelCount, chunkCount              uint32
	counts                                []uint64 // messages by channel
	whole                                 span
	metadataAt, metadataLen, messageCount uint64
}

// span is from the first log time to the last, ns.
type span struct{ start, end uint64 }

// nothing is the span without a message.
var nothing = span{start: math.MaxUint64}

func (s *span) add(log uint64) { s.start, s.end = min(s.start, log), max(s.end, log) }

// mcapWindow is how far back the compression looks for repetitions, bytes. A chunk is seldom longer.
const mcapWindow = 1 << 20

func newMCAPWriter(path string) (*mcapWriter, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	m := &mcapWriter{f: f, schemas: map[string]uint16{}, within: nothing, whole: nothing}
	// A chunk is compressed alone; the default window of 8 MB would take 16 MB of memory.
	m.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(mcapWindow))
	err = errors.Join(err, m.put([]byte(mcapMagic), record(opHeader, "ros2", "ugp_explorer")))
	distribution := record(opMetadata, metadataRecord, pairs(map[string]string{"ROS_DISTRO": distro}))
	m.metadataAt, m.metadataLen = m.at, uint64(len(distribution))
	if err := errors.Join(err, m.put(distribution)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return m, nil
}

// metadataRecord is the name of the record that says which distribution wrote the file.
const metadataRecord = "rosbag2"

// put writes records.
func (m *mcapWriter) put(records ...[]byte) error {
	for _, r := range records {
		if _, err := m.f.Write(r); err != nil {
			return err
		}
		m.at += uint64(len(r))
		m.crc = crc32.Update(m.crc, crc32.IEEETable, r)
	}
	return nil
}

// addTopic adds a topic that has its id.
func (m *mcapWriter) addTopic(t *Topic) error {
	schema, ok := m.schemas[t.Type]
	if !ok {
		encoding := ""
		if t.definition != "" {
			encoding = "ros2msg"
		}
		schema = uint16(len(m.schemas) + 1)
		r := record(opSchema, schema, t.Type, encoding, t.definition)
		if err := m.put(r); err != nil {
			return err
		}
		m.schemas[t.Type] = schema
		m.schemaRecords = append(m.schemaRecords, r...)
	}
	r := record(opChannel, t.id, schema, t.Name, "cdr", pairs(map[string]string{"offered_qos_profiles": qosText(t.QoS), "topic_type_hash": t.Hash}))
	m.channels = append(m.channels, r...)
	m.channelCount++
	return m.put(r)
}

func (m *mcapWriter) write(id uint16, log, publish int64, data []byte) error {
	for len(m.index) <= int(id) {
		m.index, m.counts = append(m.index, nil), append(m.counts, 0)
	}
	x := binary.LittleEndian.AppendUint64(m.index[id], uint64(log))
	m.index[id] = binary.LittleEndian.AppendUint64(x, uint64(len(m.chunk)))
	b := append(m.chunk, opMessage)
	b = binary.LittleEndian.AppendUint64(b, uint64(messageHeader+len(data)))
	b = binary.LittleEndian.AppendUint16(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.counts[id]))
	b = binary.LittleEndian.AppendUint64(b, uint64(log))
	b = binary.LittleEndian.AppendUint64(b, uint64(publish))
	m.chunk = append(b, data...)
	m.within.add(uint64(log))
	m.whole.add(uint64(log))
	m.counts[id]++
	m.messageCount++
	if len(m.chunk) >= chunkBytes {
		return m.flush()
	}
	return nil
}

// flush ends the current chunk and hands it to the operating system.
func (m *mcapWriter) flush() error {
	if len(m.chunk) == 0 {
		return nil
	}
	m.packed = m.zstd.EncodeAll(m.chunk, m.packed[:0])
	const compression = "zstd"
	unpackedSize, size := uint64(len(m.chunk)), uint64(len(m.packed))
	head := record(opChunk, m.within.start, m.within.end, unpackedSize, crc32.ChecksumIEEE(m.chunk), compression, size)
	binary.LittleEndian.PutUint64(head[1:], uint64(len(head)-recordHeader)+size)
	start := m.at
	if err := m.put(head, m.packed); err != nil {
		return err
	}
	end := m.at
	var offsets []byte // of the indexes, by channel
	for id, x := range m.index {
		if len(x) == 0 {
			continue
		}
		offsets = binary.LittleEndian.AppendUint16(offsets, uint16(id))
		offsets = binary.LittleEndian.AppendUint64(offsets, m.at)
		if err := m.put(record(opMessageIndex, uint16(id), string(x))); err != nil {
			return err
		}
		m.index[id] = x[:0]
	}
	m.chunks = append(m.chunks, record(opChunkIndex, m.within.start, m.within.end, start, end-start, string(offsets), m.at-end, compression, size, unpackedSize)...)
	m.chunkCount++
	m.chunk, m.within = m.chunk[:0], nothing
	return nil
}

// close ends the file, whole and on the disk.
func (m *mcapWriter) close() error {
	return errors.Join(m.flush(), m.end(), m.f.Sync(), m.f.Close())
}

// end writes the summary, from which readers find topics and chunks.
func (m *mcapWriter) end() error {
	if err := m.put(record(opDataEnd, m.crc)); err != nil {
		return err
	}
	m.crc = 0
	summary := m.at
	var counts []byte
	for id, n := range m.counts {
		if n > 0 {
			counts = binary.LittleEndian.AppendUint16(counts, uint16(id))
			counts = binary.LittleEndian.AppendUint64(counts, n)
		}
	}
	if m.messageCount == 0 {
		m.whole = span{}
	}
	var attachments, metadata uint32 = 0, 1
	statistics := record(opStatistics, m.messageCount, uint16(len(m.schemas)), m.channelCount, attachments, metadata, m.chunkCount, m.whole.start, m.whole.end, string(counts))
	var offsets []byte
	for _, group := range [][]byte{
		m.schemaRecords, m.channels, statistics, m.chunks, record(opMetadataIndex, m.metadataAt, m.metadataLen, metadataRecord),
	} {
		if len(group) == 0 {
			continue
		}
		offsets = append(offsets, record(opSummaryOffset, group[0], m.at, uint64(len(group)))...)
		if err := m.put(group); err != nil {
			return err
		}
	}
	footer := record(opFooter, summary, m.at, uint32(0))
	if err := m.put(offsets, footer[:len(footer)-4]); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(footer[len(footer)-4:], m.crc)
	return m.put(footer[len(footer)-4:], []byte(mcapMagic))
}
