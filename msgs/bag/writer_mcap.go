package bag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// mcapSink writes chunks by itself: the library's writer cannot be told to end one. Schemas and channels stand before the chunks that need them and not in them, so
// that a chunk that is damaged costs its messages only.
type mcapSink struct {
	f       *os.File
	w       *mcap.Writer
	cfg     Config
	schemas map[string]uint16
	records []byte // of the present chunk
	indexes []*mcap.MessageIndex
	chunk   mcap.Chunk
	stats   mcap.Statistics
	zstd    *zstd.Encoder
	lz4     *lz4.Writer
	packed  bytes.Buffer // by lz4
	encoded []byte       // by zstd
}

var _ sink = (*mcapSink)(nil)

func newMCAPSink(path string, cfg Config, meta *metadata) (*mcapSink, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	s := &mcapSink{f: f, cfg: cfg, schemas: map[string]uint16{}, stats: mcap.Statistics{ChannelMessageCounts: map[uint16]uint64{}}}
	if err := s.begin(meta); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *mcapSink) begin(meta *metadata) (err error) {
	switch s.cfg.Compression {
	case ChunkZstd:
		if s.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
			return err
		}
	case ChunkLZ4:
		s.lz4 = lz4.NewWriter(&s.packed)
		if err := s.lz4.Apply(lz4.BlockSizeOption(lz4.Block256Kb)); err != nil { // readers hold some of them; the library's own are of 4 MB
			return err
		}
	}
	if s.w, err = mcap.NewWriter(s.f, &mcap.WriterOptions{IncludeCRC: true}); err != nil {
		return err
	}
	if err := s.w.WriteHeader(&mcap.Header{Profile: "ros2", Library: "ugp_explorer"}); err != nil {
		return err
	}
	return s.describe(meta)
}

// describe writes rosbag2's own record: the distribution, and from Iron on the bag's metadata, in which rosbag2 looks up how QoS are written.
func (s *mcapSink) describe(meta *metadata) error {
	r := map[string]string{"ROS_DISTRO": s.cfg.Distro}
	if meta.Version >= 6 {
		b, err := meta.encode(false)
		if err != nil {
			return err
		}
		r["serialized_metadata"] = string(b)
	}
	return s.w.WriteMetadata(&mcap.Metadata{Name: "rosbag2", Metadata: r})
}

func (s *mcapSink) addTopic(id int, t Topic) error {
	key := t.Type + "\n" + t.Definition
	schema, ok := s.schemas[key]
	if !ok {
		schema = uint16(len(s.schemas) + 1)
		if err := s.w.WriteSchema(&mcap.Schema{ID: schema, Name: t.Type, Encoding: t.Encoding, Data: []byte(t.Definition)}); err != nil {
			return err
		}
		s.schemas[key] = schema
	}
	metadata := map[string]string{"offered_qos_profiles": qosText(t.QoS, formats[s.cfg.Distro].metadata), "topic_type_hash": t.Hash}
	return s.w.WriteChannel(&mcap.Channel{ID: uint16(id), SchemaID: schema, Topic: t.Name, MessageEncoding: t.Format, Metadata: metadata})
}

func (s *mcapSink) write(id int, log, publish int64, data []byte) error {
	for len(s.indexes) <= id {
		s.indexes = append(s.indexes, &mcap.MessageIndex{ChannelID: uint16(len(s.indexes))})
	}
	s.indexes[id].Add(uint64(log), uint64(len(s.records)))
	b := append(s.records, byte(mcap.OpMessage))
	b = binary.LittleEndian.AppendUint64(b, uint64(messageHeader+len(data)))
	b = binary.LittleEndian.AppendUint16(b, uint16(id))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.stats.ChannelMessageCounts[uint16(id)]))
	b = binary.LittleEndian.AppendUint64(b, uint64(log))
	b = binary.LittleEndian.AppendUint64(b, uint64(publish))
	s.records = append(b, data...)

	if s.chunk.UncompressedSize == 0 {
		s.chunk.MessageStartTime, s.chunk.MessageEndTime = math.MaxUint64, 0
	}
	if s.stats.MessageCount == 0 {
		s.stats.MessageStartTime = math.MaxUint64
	}
	s.chunk.UncompressedSize = uint64(len(s.records))
	s.chunk.MessageStartTime, s.chunk.MessageEndTime = min(s.chunk.MessageStartTime, uint64(log)), max(s.chunk.MessageEndTime, uint64(log))
	s.stats.MessageStartTime, s.stats.MessageEndTime = min(s.stats.MessageStartTime, uint64(log)), max(s.stats.MessageEndTime, uint64(log))
	s.stats.MessageCount++
	s.stats.ChannelMessageCounts[uint16(id)]++
	if len(s.records) >= s.cfg.ChunkBytes {
		return s.flush()
	}
	return nil
}

func (s *mcapSink) size() int64 { return int64(s.w.Offset()) + int64(len(s.records)) }

// flush ends the chunk.
func (s *mcapSink) flush() error {
	if len(s.records) == 0 {
		return nil
	}
	s.chunk.UncompressedCRC = crcOf(s.records)
	if err := s.pack(); err != nil {
		return err
	}
	var indexes []*mcap.MessageIndex
	for _, x := range s.indexes {
		if !x.IsEmpty() {
			indexes = append(indexes, x)
		}
	}
	if err := s.w.WriteChunkWithIndexes(&s.chunk, indexes); err != nil {
		return err
	}
	for _, x := range indexes {
		x.Reset()
	}
	s.records, s.chunk = s.records[:0], mcap.Chunk{}
	return nil
}

// pack compresses the chunk.
func (s *mcapSink) pack() error {
	switch s.cfg.Compression {
	case ChunkZstd:
		s.chunk.Compression = string(mcap.CompressionZSTD)
		s.encoded = s.zstd.EncodeAll(s.records, s.encoded[:0])
		s.chunk.Records = s.encoded
	case ChunkLZ4:
		s.chunk.Compression = string(mcap.CompressionLZ4)
		s.packed.Reset()
		s.lz4.Reset(&s.packed)
		_, err := s.lz4.Write(s.records)
		if err := errors.Join(err, s.lz4.Close()); err != nil {
			return fmt.Errorf("lz4: %w", err)
		}
		s.chunk.Records = s.packed.Bytes()
	default:
		s.chunk.Records = s.records
	}
	return nil
}

func (s *mcapSink) sync() error {
	if err := s.f.Sync(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil // close has synced it
}

func (s *mcapSink) close(meta *metadata) error {
	err := s.flush()
	if meta.Version >= 6 {
		err = errors.Join(err, s.describe(meta))
	}
	// The library counts what goes through its WriteMessage.
	own := s.w.Statistics
	own.MessageCount, own.MessageStartTime, own.MessageEndTime, own.ChannelMessageCounts =
		s.stats.MessageCount, s.stats.MessageStartTime, s.stats.MessageEndTime, s.stats.ChannelMessageCounts
	return errors.Join(err, s.w.Close(), s.f.Sync(), s.f.Close())
}
