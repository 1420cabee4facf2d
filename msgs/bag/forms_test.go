// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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

	"ugp_explorer/internal/testkit/must"
)

// Storages.
const (
	inMCAP   = "mcap"
	inSQLite = "sqlite3"
)

// compression is how a file of a bag is compressed.
type compression string

// The compressions that rosbag2 has.
const (
	uncompressed compression = "none"
	chunkZstd    compression = "chunk-zstd"   // MCAP
	chunkLZ4     compression = "chunk-lz4"    // MCAP
	messageZstd  compression = "message-zstd" // SQLite: rosbag2 refuses it for MCAP
	fileZstd     compression = "file-zstd"
)

// form is a form of bag that rosbag2 writes and this package reads.
type form struct {
	storage     string
	compression compression
	distro      string // humble or jazzy
}

// ours stands for what our own writer writes.
var ours = form{inMCAP, chunkZstd, "ours"}

func (f form) String() string { return fmt.Sprintf("%s/%s/%s", f.storage, f.compression, f.distro) }

// forms returns every storage with every compression, and both versions of SQLite's tables.
func forms() (all []form) {
	for _, c := range []compression{uncompressed, chunkZstd, chunkLZ4, fileZstd} {
		all = append(all, form{inMCAP, c, "humble"})
	}
	for _, c := range []compression{uncompressed, messageZstd, fileZstd} {
		all = append(all, form{inSQLite, c, "humble"})
	}
	return append(all, form{inSQLite, uncompressed, "jazzy"})
}

// schema returns the version of SQLite's tables.
func (f form) schema() int {
	if f.distro == "jazzy" {
		return 4
	}
	return 3
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
	must.OK(tb, os.Mkdir(dir, 0o777))
	var out formFile
	var paths []string
	ids := map[string]int{}
	end := func() {
		if out == nil {
			return
		}
		must.OK(tb, out.close())
		if f.compression == fileZstd {
			p := &paths[len(paths)-1]
			packFile(tb, filepath.Join(dir, *p))
			*p += ".zstd"
		}
	}
	begin := func() {
		end()
		name := fmt.Sprintf("bag_%d%s", len(paths), map[string]string{inMCAP: ".mcap", inSQLite: ".db3"}[f.storage])
		out = f.create(tb, filepath.Join(dir, name))
		paths = append(paths, name)
		for i, t := range topics {
			ids[t.Name] = i + 1
			must.OK(tb, out.topic(i+1, t))
		}
	}
	begin()
	n := int64(0)
	for s := range all {
		if perFile > 0 && n > 0 && n%perFile == 0 {
			begin()
		}
		must.OK(tb, out.message(ids[s.topic], s))
		n++
	}
	end()
	text := fmt.Sprintf("rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: %s\n  message_count: %d\n  relative_file_paths:\n", f.storage, n)
	for _, p := range paths {
		text += "    - " + p + "\n"
	}
	must.OK(tb, os.WriteFile(filepath.Join(dir, metadataName), []byte(text), 0o666))
	return dir
}

// of writes samples with their topics in one file.
func (f form) of(tb testing.TB, all []sample) string {
	tb.Helper()
	return f.write(tb, sampleTopics(), slices.Values(all), 0)
}

func (f form) create(tb testing.TB, path string) formFile {
	tb.Helper()
	if f.storage == inSQLite {
		return newSQLiteForm(tb, path, f)
	}
	o, err := os.Create(path)
	must.OK(tb, err)
	compression := map[compression]mcap.CompressionFormat{chunkZstd: mcap.CompressionZSTD, chunkLZ4: mcap.CompressionLZ4}[f.compression]
	m := newMCAPForm(tb, o, &mcap.WriterOptions{Chunked: true, ChunkSize: 4000, IncludeCRC: true, Compression: compression})
	m.closer = o
	return m
}

// mcapForm writes by foxglove's own writer.
type mcapForm struct {
	w      *mcap.Writer
	closer io.Closer
}

func newMCAPForm(tb testing.TB, o io.Writer, options *mcap.WriterOptions) *mcapForm {
	tb.Helper()
	w, err := mcap.NewWriter(o, options)
	must.OK(tb, err)
	must.OK(tb, w.WriteHeader(&mcap.Header{Profile: "ros2"}))
	return &mcapForm{w: w}
}

func (m *mcapForm) topic(id int, t Topic) error {
	metadata := map[string]string{"topic_type_hash": t.hash}
	return errors.Join(m.w.WriteSchema(&mcap.Schema{ID: uint16(id), Name: t.Type, Encoding: t.encoding, Data: []byte(t.definition)}),
		m.w.WriteChannel(&mcap.Channel{ID: uint16(id), SchemaID: uint16(id), Topic: t.Name, MessageEncoding: "cdr", Metadata: metadata}))
}

func (m *mcapForm) message(id int, s sample) error {
	return m.w.WriteMessage(&mcap.Message{ChannelID: uint16(id), LogTime: uint64(s.log), PublishTime: uint64(s.log), Data: s.data})
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
	must.OK(tb, err)
	s := &sqliteForm{db: db, schema: f.schema()}
	if f.compression == messageZstd {
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
	_, err := s.tx.Exec("INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles) VALUES (?, ?, ?, 'cdr', '')", id, t.Name, t.Type)
	if err != nil || s.schema < 4 {
		return err
	}
	if _, err := s.tx.Exec("UPDATE topics SET type_description_hash = ? WHERE id = ?", t.hash, id); err != nil || t.definition == "" {
		return err
	}
	_, err = s.tx.Exec("INSERT INTO message_definitions (topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, ?)",
		t.Type, t.encoding, t.definition, t.hash)
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
	must.OK(tb, err)
	e, err := zstd.NewWriter(nil, zstd.WithWindowSize(16<<10)) // small blocks, so that a part of one that is cut can be read
	must.OK(tb, err)
	must.OK(tb, errors.Join(os.WriteFile(path+".zstd", e.EncodeAll(b, nil), 0o666), os.Remove(path)))
}

// mcapBytes returns an MCAP file whose chunks have the compression.
func mcapBytes(tb testing.TB, c compression, all []sample) []byte {
	tb.Helper()
	dir := ""
	if c == chunkZstd {
		dir = write(tb, 0, 4000, all)
	} else {
		dir = form{inMCAP, c, "humble"}.of(tb, all)
	}
	b, err := os.ReadFile(filepath.Join(dir, "bag_0.mcap"))
	must.OK(tb, err)
	return b
}

// looseMCAP returns an MCAP file whose messages are in no chunks, as rosbag2's profile "fastwrite" makes it.
func looseMCAP(tb testing.TB, all []sample) []byte {
	tb.Helper()
	var b bytes.Buffer
	m := newMCAPForm(tb, &b, &mcap.WriterOptions{})
	ids := map[string]int{}
	var err error
	for i, t := range sampleTopics() {
		ids[t.Name] = i + 1
		err = errors.Join(err, m.topic(i+1, t))
	}
	for _, s := range all {
		err = errors.Join(err, m.message(ids[s.topic], s))
	}
	must.OK(tb, errors.Join(err, m.close()))
	return b.Bytes()
}
