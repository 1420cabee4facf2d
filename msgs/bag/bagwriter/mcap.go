package bagwriter

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// mcapWriter writes one MCAP file. It makes the chunks itself, because the library's writer cannot be told to end one. Schemas and channels stand in front of the
// chunks that need them and not inside, so that a damaged chunk costs only its messages. All methods except sync need the Writer's lock.
type mcapWriter struct {
	f          *os.File
	w          *mcap.Writer
	chunkBytes int
	schemas    map[string]uint16
	records    []byte // of the current chunk
	indexes    []*mcap.MessageIndex
	chunk      mcap.Chunk
	stats      mcap.Statistics
	zstd       *zstd.Encoder
	packed     []byte
}

// messageHeader is what precedes the data of a message: channel, sequence, log and publish time.
const messageHeader = 2 + 4 + 8 + 8

// mcapWindow is how far back the compression looks for repetitions, bytes. A chunk is seldom longer.
const mcapWindow = 1 << 20

func newMCAPWriter(path string, chunkBytes int) (*mcapWriter, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	m := &mcapWriter{f: f, chunkBytes: chunkBytes, schemas: map[string]uint16{}, stats: mcap.Statistics{ChannelMessageCounts: map[uint16]uint64{}}}
	if err := m.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return m, nil
}

func (m *mcapWriter) begin() (err error) {
	// A chunk is compressed alone; the default window of 8 MB would take 16 MB of memory.
	if m.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(mcapWindow)); err != nil {
		return err
	}
	if m.w, err = mcap.NewWriter(m.f, &mcap.WriterOptions{IncludeCRC: true}); err != nil {
		return err
	}
	if err := m.w.WriteHeader(&mcap.Header{Profile: "ros2", Library: "ugp_explorer"}); err != nil {
		return err
	}
	return m.w.WriteMetadata(&mcap.Metadata{Name: "rosbag2", Metadata: map[string]string{"ROS_DISTRO": distro}})
}

// addTopic adds a topic with an id from 1 on.
func (m *mcapWriter) addTopic(id int, t Topic) error {
	schema, ok := m.schemas[t.Type]
	if !ok {
		encoding := ""
		if t.definition != "" {
			encoding = "ros2msg"
		}
		schema = uint16(len(m.schemas) + 1)
		if err := m.w.WriteSchema(&mcap.Schema{ID: schema, Name: t.Type, Encoding: encoding, Data: []byte(t.definition)}); err != nil {
			return err
		}
		m.schemas[t.Type] = schema
	}
	metadata := map[string]string{"offered_qos_profiles": qosText(t.QoS), "topic_type_hash": t.Hash}
	return m.w.WriteChannel(&mcap.Channel{ID: uint16(id), SchemaID: schema, Topic: t.Name, MessageEncoding: "cdr", Metadata: metadata})
}

func (m *mcapWriter) write(id int, log, publish int64, data []byte) error {
	for len(m.indexes) <= id {
		m.indexes = append(m.indexes, &mcap.MessageIndex{ChannelID: uint16(len(m.indexes))})
	}
	m.indexes[id].Add(uint64(log), uint64(len(m.records)))
	b := append(m.records, byte(mcap.OpMessage))
	b = binary.LittleEndian.AppendUint64(b, uint64(messageHeader+len(data)))
	b = binary.LittleEndian.AppendUint16(b, uint16(id))
	b = binary.LittleEndian.AppendUint32(b, uint32(m.stats.ChannelMessageCounts[uint16(id)]))
	b = binary.LittleEndian.AppendUint64(b, uint64(log))
	b = binary.LittleEndian.AppendUint64(b, uint64(publish))
	m.records = append(b, data...)

	if m.chunk.UncompressedSize == 0 {
		m.chunk.MessageStartTime, m.chunk.MessageEndTime = math.MaxUint64, 0
	}
	if m.stats.MessageCount == 0 {
		m.stats.MessageStartTime = math.MaxUint64
	}
	m.chunk.UncompressedSize = uint64(len(m.records))
	m.chunk.MessageStartTime, m.chunk.MessageEndTime = min(m.chunk.MessageStartTime, uint64(log)), max(m.chunk.MessageEndTime, uint64(log))
	m.stats.MessageStartTime, m.stats.MessageEndTime = min(m.stats.MessageStartTime, uint64(log)), max(m.stats.MessageEndTime, uint64(log))
	m.stats.MessageCount++
	m.stats.ChannelMessageCounts[uint16(id)]++
	if len(m.records) >= m.chunkBytes {
		return m.flush()
	}
	return nil
}

// size returns about how many bytes the file has, the current chunk included.
func (m *mcapWriter) size() int64 { return int64(m.w.Offset()) + int64(len(m.records)) }

// flush ends the current chunk and hands it to the operating system.
func (m *mcapWriter) flush() error {
	if len(m.records) == 0 {
		return nil
	}
	m.packed = m.zstd.EncodeAll(m.records, m.packed[:0])
	m.chunk.Compression, m.chunk.UncompressedCRC, m.chunk.Records = string(mcap.CompressionZSTD), crc32.ChecksumIEEE(m.records), m.packed
	var indexes []*mcap.MessageIndex
	for _, x := range m.indexes {
		if !x.IsEmpty() {
			indexes = append(indexes, x)
		}
	}
	if err := m.w.WriteChunkWithIndexes(&m.chunk, indexes); err != nil {
		return err
	}
	for _, x := range indexes {
		x.Reset()
	}
	m.records, m.chunk = m.records[:0], mcap.Chunk{}
	return nil
}

// sync returns when everything that was flushed is on the disk. It may be called at any time, even after close.
func (m *mcapWriter) sync() error {
	if err := m.f.Sync(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil // close has synced the file
}

// close ends the file, whole and on the disk.
func (m *mcapWriter) close() error {
	err := m.flush()
	// The library counts only what goes through its WriteMessage.
	own := m.w.Statistics
	own.MessageCount, own.MessageStartTime, own.MessageEndTime, own.ChannelMessageCounts =
		m.stats.MessageCount, m.stats.MessageStartTime, m.stats.MessageEndTime, m.stats.ChannelMessageCounts
	return errors.Join(err, m.w.Close(), m.f.Sync(), m.f.Close())
}
