package bag

import (
	"context"
	"database/sql"
	"errors"
	"net/url"

	"github.com/klauspost/compress/zstd"
)

// sqliteSink writes in WAL mode, as rosbag2 does with its profile "resilient", with a transaction from flush to flush. A file that was closed has no log beside it.
type sqliteSink struct {
	db      *sql.DB
	conn    *sql.Conn
	insert  *sql.Stmt
	version int // of the schema
	cfg     Config
	bytes   int64
	open    bool // a transaction
	types   map[string]bool
	zstd    *zstd.Encoder
	packed  []byte
}

var _ sink = (*sqliteSink)(nil)

var sqliteTables = map[int][]string{
	3: {
		"CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL)",
		"CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL)",
		"CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL)",
		"CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
		"CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
	},
	4: {
		"CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL)",
		"CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL)",
		"CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL," +
			"type_description_hash TEXT NOT NULL)",
		"CREATE TABLE message_definitions(id INTEGER PRIMARY KEY,topic_type TEXT NOT NULL,encoding TEXT NOT NULL,encoded_message_definition TEXT NOT NULL," +
			"type_description_hash TEXT NOT NULL)",
		"CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
		"CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
	},
}

func newSQLiteSink(path string, cfg Config) (_ *sqliteSink, err error) {
	s := &sqliteSink{cfg: cfg, version: formats[cfg.Distro].sqlite, types: map[string]bool{}}
	// FULL, and not rosbag2's NORMAL, so that what was committed outlives the power supply.
	q := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(4000)"}}
	if s.db, err = sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode()); err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

func (s *sqliteSink) begin() (err error) {
	if s.cfg.Compression == MessageZstd {
		if s.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithSingleSegment(true)); err != nil {
			return err
		}
	}
	if s.conn, err = s.db.Conn(context.Background()); err != nil {
		return err
	}
	for _, t := range sqliteTables[s.version] {
		if err := s.exec(t); err != nil {
			return err
		}
	}
	if err := s.exec("INSERT INTO schema (schema_version, ros_distro) VALUES (?, ?)", s.version, s.cfg.Distro); err != nil {
		return err
	}
	s.insert, err = s.conn.PrepareContext(context.Background(), "INSERT INTO messages (timestamp, topic_id, data) VALUES (?, ?, ?)")
	return err
}

func (s *sqliteSink) exec(query string, args ...any) error {
	_, err := s.conn.ExecContext(context.Background(), query, args...)
	return err
}

// transact opens a transaction unless there is one.
func (s *sqliteSink) transact() error {
	if s.open {
		return nil
	}
	s.open = true
	return s.exec("BEGIN")
}

func (s *sqliteSink) addTopic(id int, t Topic) error {
	if err := s.transact(); err != nil {
		return err
	}
	qos := qosText(t.QoS, formats[s.cfg.Distro].metadata)
	if s.version < 4 {
		return s.exec("INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles) VALUES (?, ?, ?, ?, ?)", id, t.Name, t.Type, t.Format, qos)
	}
	if t.Definition != "" && !s.types[t.Type] {
		s.types[t.Type] = true
		if err := s.exec("INSERT INTO message_definitions (topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, ?)",
			t.Type, t.Encoding, t.Definition, t.Hash); err != nil {
			return err
		}
	}
	return s.exec("INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles, type_description_hash) VALUES (?, ?, ?, ?, ?, ?)",
		id, t.Name, t.Type, t.Format, qos, t.Hash)
}

func (s *sqliteSink) write(id int, log, _ int64, data []byte) error {
	if err := s.transact(); err != nil {
		return err
	}
	if s.zstd != nil {
		s.packed = s.zstd.EncodeAll(data, s.packed[:0])
		data = s.packed
	}
	s.bytes += int64(len(data)) + 40 // the row's other columns and its place in the index
	_, err := s.insert.Exec(log, id, data)
	return err
}

func (s *sqliteSink) size() int64 { return s.bytes }

// flush commits, which is durable.
func (s *sqliteSink) flush() error {
	if !s.open {
		return nil
	}
	s.open = false
	return s.exec("COMMIT")
}

func (s *sqliteSink) sync() error { return nil }

func (s *sqliteSink) close(meta *metadata) error {
	var err error
	if s.version >= 4 {
		var b []byte
		if b, err = meta.encode(false); err == nil {
			err = errors.Join(s.transact(), s.exec("INSERT INTO metadata (metadata_version, metadata) VALUES (?, ?)", meta.Version, string(b)))
		}
	}
	err = errors.Join(err, s.flush())
	// Takes the log in and marks the file as one without, which can be read where nothing can be written.
	return errors.Join(err, s.exec("PRAGMA journal_mode=DELETE"), s.insert.Close(), s.conn.Close(), s.db.Close())
}
