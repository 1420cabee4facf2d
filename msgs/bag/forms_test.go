package bag

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// form is a form of bag that rosbag2 writes and this package reads.
type form struct {
	storage     string
	compression Compression
	distro      string // humble or jazzy
}

// ours stands for what our own writer writes.
var ours = form{MCAP, ChunkZstd, "ours"}

func (f form) String() string { return fmt.Sprintf("%s/%s/%s", f.storage, f.compression, f.distro) }

// forms returns every storage with every compression, each as two distributions write it.
func forms() (all []form) {
	for _, distro := range []string{"humble", "jazzy"} {
		for _, c := range []Compression{Uncompressed, ChunkZstd, ChunkLZ4, FileZstd} {
			all = append(all, form{MCAP, c, distro})
		}
		for _, c := range []Compression{Uncompressed, MessageZstd, FileZstd} {
			all = append(all, form{SQLite, c, distro})
		}
	}
	return all
}

// versions returns those of metadata.yaml and of SQLite's schema.
func (f form) versions() (metadata, schema int) {
	if f.distro == "jazzy" {
		return 9, 4
	}
	return 5, 3
}

// formFile is a file of a bag in the making.
type formFile interface {
	topic(id int, t Topic) error
	message(id int, s sample) error
	close() error
}

// write writes a bag without our writer, in files of perFile messages each (0: one file), and returns its folder. It has a metadata.yaml.
func (f form) write(tb testing.TB, topics []Topic, all iter.Seq[sample], perFile int64) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "bag")
	if err := os.Mkdir(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	version, _ := f.versions()
	w := &Writer{topics: slices.Clone(topics), ids: map[string]int{}, meta: metadata{Version: version, Storage: f.storage}} // for its counts
	if version >= 8 {
		w.meta.Distro = f.distro
	}
	var out formFile
	end := func() {
		if out == nil {
			return
		}
		if err := out.close(); err != nil {
			tb.Fatal(err)
		}
		if f.compression == FileZstd {
			p := &w.meta.Paths[len(w.meta.Paths)-1]
			packFile(tb, filepath.Join(dir, *p))
			*p += ".zstd"
		}
	}
	begin := func() {
		end()
		name := fmt.Sprintf("bag_%d%s", len(w.meta.Files), map[string]string{MCAP: ".mcap", SQLite: ".db3"}[f.storage])
		out = f.create(tb, filepath.Join(dir, name))
		w.meta.Paths, w.meta.Files = append(w.meta.Paths, name), append(w.meta.Files, metadataFile{Path: name})
		for i, t := range topics {
			w.ids[t.Name] = i + 1
			if err := out.topic(i+1, t); err != nil {
				tb.Fatal(err)
			}
		}
	}
	begin()
	for s := range all {
		if perFile > 0 && w.meta.Files[len(w.meta.Files)-1].Count == perFile {
			begin()
		}
		if err := out.message(w.ids[s.topic], s); err != nil {
			tb.Fatal(err)
		}
		w.topics[w.ids[s.topic]-1].Count++
		w.meta.Files[len(w.meta.Files)-1].add(s.log)
	}
	end()
	for i := range w.topics {
		w.topics[i].Format = "cdr"
	}
	w.total()
	if version >= 9 {
		for i := range w.meta.Topics {
			w.meta.Topics[i].Topic.Hash = &topics[i].Hash
		}
	}
	if err := w.meta.write(dir); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// of writes samples with their topics in one file.
func (f form) of(tb testing.TB, all []sample) string {
	tb.Helper()
	return f.write(tb, sampleTopics(), slices.Values(all), 0)
}

func (f form) create(tb testing.TB, path string) formFile {
	tb.Helper()
	if f.storage == SQLite {
		return newSQLiteForm(tb, path, f)
	}
	o, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	compression := map[Compression]mcap.CompressionFormat{ChunkZstd: mcap.CompressionZSTD, ChunkLZ4: mcap.CompressionLZ4}[f.compression]
	m := newMCAPForm(tb, o, &mcap.WriterOptions{Chunked: true, ChunkSize: 4000, IncludeCRC: true, Compression: compression}, f.distro)
	m.closer = o
	return m
}

// mcapForm writes by foxglove's own writer.
type mcapForm struct {
	w      *mcap.Writer
	closer io.Closer
}

func newMCAPForm(tb testing.TB, o io.Writer, options *mcap.WriterOptions, distro string) *mcapForm {
	tb.Helper()
	w, err := mcap.NewWriter(o, options)
	if err != nil {
		tb.Fatal(err)
	}
	record := map[string]string{"ROS_DISTRO": distro}
	if distro == "jazzy" {
		record = map[string]string{"serialized_metadata": "version: 9\nros_distro: jazzy\n"}
	}
	if err := errors.Join(w.WriteHeader(&mcap.Header{Profile: "ros2"}), w.WriteMetadata(&mcap.Metadata{Name: "rosbag2", Metadata: record})); err != nil {
		tb.Fatal(err)
	}
	return &mcapForm{w: w}
}

func (m *mcapForm) topic(id int, t Topic) error {
	metadata := map[string]string{"offered_qos_profiles": qosText(t.QoS), "topic_type_hash": t.Hash}
	return errors.Join(m.w.WriteSchema(&mcap.Schema{ID: uint16(id), Name: t.Type, Encoding: t.Encoding, Data: []byte(t.Definition)}),
		m.w.WriteChannel(&mcap.Channel{ID: uint16(id), SchemaID: uint16(id), Topic: t.Name, MessageEncoding: "cdr", Metadata: metadata}))
}

func (m *mcapForm) message(id int, s sample) error {
	return m.w.WriteMessage(&mcap.Message{ChannelID: uint16(id), LogTime: uint64(s.log), PublishTime: uint64(s.publish), Data: s.data})
}

func (m *mcapForm) close() error {
	err := m.w.Close()
	if m.closer != nil {
		err = errors.Join(err, m.closer.Close())
	}
	return err
}

// sqliteForm writes the tables of rosbag2's SQLite storage.
type sqliteForm struct {
	db     *sql.DB
	tx     *sql.Tx
	insert *sql.Stmt
	schema int
	pack   *zstd.Encoder
}

func newSQLiteForm(tb testing.TB, path string, f form) *sqliteForm {
	tb.Helper()
	db, err := sql.Open("sqlite", "file://"+path+"?_pragma=synchronous(OFF)")
	if err != nil {
		tb.Fatal(err)
	}
	s := &sqliteForm{db: db}
	_, s.schema = f.versions()
	if f.compression == MessageZstd {
		if s.pack, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
			tb.Fatal(err)
		}
	}
	if s.tx, err = db.Begin(); err != nil {
		tb.Fatal(err)
	}
	tables := []string{
		"CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL)",
		fmt.Sprintf("INSERT INTO schema VALUES (%d, '%s')", s.schema, f.distro),
		"CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL)",
		"CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL)",
		"CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
		"CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
	}
	if s.schema >= 4 {
		tables = append(tables, "ALTER TABLE topics ADD COLUMN type_description_hash TEXT NOT NULL DEFAULT ''",
			"CREATE TABLE message_definitions(id INTEGER PRIMARY KEY,topic_type TEXT NOT NULL,encoding TEXT NOT NULL,encoded_message_definition TEXT NOT NULL,"+
				"type_description_hash TEXT NOT NULL)")
	}
	for _, t := range tables {
		if _, err := s.tx.Exec(t); err != nil {
			tb.Fatal(err)
		}
	}
	if s.insert, err = s.tx.Prepare("INSERT INTO messages (timestamp, topic_id, data) VALUES (?, ?, ?)"); err != nil {
		tb.Fatal(err)
	}
	return s
}

func (s *sqliteForm) topic(id int, t Topic) error {
	_, err := s.tx.Exec("INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles) VALUES (?, ?, ?, 'cdr', ?)", id, t.Name, t.Type, qosText(t.QoS))
	if err != nil || s.schema < 4 {
		return err
	}
	if _, err := s.tx.Exec("UPDATE topics SET type_description_hash = ? WHERE id = ?", t.Hash, id); err != nil || t.Definition == "" {
		return err
	}
	_, err = s.tx.Exec("INSERT INTO message_definitions (topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, ?)",
		t.Type, t.Encoding, t.Definition, t.Hash)
	return err
}

func (s *sqliteForm) message(id int, m sample) error {
	data := m.data
	if s.pack != nil {
		data = s.pack.EncodeAll(data, nil)
	}
	_, err := s.insert.Exec(m.log, id, data)
	return err
}

func (s *sqliteForm) close() error {
	return errors.Join(s.insert.Close(), s.tx.Commit(), s.db.Close())
}

// packFile replaces a file by path.zstd.
func packFile(tb testing.TB, path string) {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := zstd.NewWriter(nil, zstd.WithWindowSize(16<<10)) // small blocks, so that a part of one that is cut can be read
	if err != nil {
		tb.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path+".zstd", e.EncodeAll(b, nil), 0o666), os.Remove(path)); err != nil {
		tb.Fatal(err)
	}
}

// mcapBytes returns an MCAP file whose chunks have the compression.
func mcapBytes(tb testing.TB, c Compression, all []sample) []byte {
	tb.Helper()
	dir := ""
	if c == ChunkZstd {
		dir = write(tb, 0, 4000, all)
	} else {
		dir = form{MCAP, c, "humble"}.of(tb, all)
	}
	b, err := os.ReadFile(filepath.Join(dir, "bag_0.mcap"))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// looseMCAP returns an MCAP file whose messages are in no chunks, as rosbag2's profile "fastwrite" makes it.
func looseMCAP(tb testing.TB, all []sample) []byte {
	tb.Helper()
	var b bytes.Buffer
	m := newMCAPForm(tb, &b, &mcap.WriterOptions{}, "humble")
	ids := map[string]int{}
	var err error
	for i, t := range sampleTopics() {
		ids[t.Name] = i + 1
		err = errors.Join(err, m.topic(i+1, t))
	}
	for _, s := range all {
		err = errors.Join(err, m.message(ids[s.topic], s))
	}
	if err := errors.Join(err, m.close()); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
