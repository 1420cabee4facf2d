package bag

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var sqliteMagic = []byte("SQLite format 3\x00")

// sqliteFile is an SQLite file of schema 1 to 4.
type sqliteFile struct {
	c         contents
	db        *sql.DB
	limit     int
	ids       map[int64]int // topics.id to index into c.topics
	columns   map[string]bool
	usable    bool
	described int    // bytes of topics and definitions
	remove    string // a temporary file
}

var _ storage = (*sqliteFile)(nil)

// openSQLite opens an SQLite file. Damaged contents become problems; an error means that the file cannot be read.
func openSQLite(ctx context.Context, path string, limit int) (*sqliteFile, error) {
	dsn, note, err := sqliteName(path)
	if err != nil {
		return nil, err
	}
	s := &sqliteFile{limit: limit, ids: map[int64]int{}, c: contents{storage: SQLite, compression: Uncompressed}}
	if note != "" {
		s.c.problem(Damaged, 0, note)
	}
	err = s.connect(ctx, dsn)
	if isCorrupt(err) { // SQLite refuses a file that is shorter than it should be, unless it is asked to repair the schema
		err = errors.Join(s.db.Close(), s.connect(ctx, dsn+"&_pragma=writable_schema(1)"))
		s.c.problem(Damaged, 0, "the file is cut off or damaged; the part before that is read")
	}
	if err != nil {
		var e *sqlite.Error
		if !errors.As(err, &e) {
			return nil, errors.Join(err, s.db.Close())
		}
		s.c.problem(Damaged, 0, err.Error())
	}
	return s, nil
}

func (s *sqliteFile) connect(ctx context.Context, dsn string) (err error) {
	if s.db, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	s.db.SetMaxIdleConns(0) // a bag may have more files than a process may open
	return s.with(ctx, s.describe)
}

func isCorrupt(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CORRUPT
}

// sqliteName returns the name that opens the file without changing its folder, and a note if that leaves something out.
func sqliteName(path string) (dsn, note string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)", "busy_timeout(5000)"}}
	head := make([]byte, 20)
	f, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	_, err = io.ReadFull(f, head)
	if err := errors.Join(ignoreShort(err), f.Close()); err != nil {
		return "", "", err
	}
	log, err := os.Stat(path + "-wal")
	pending := err == nil && log.Size() > 0
	const walVersion = 2 // of the file format, for reading
	if head[19] == walVersion && !pending {
		q.Set("immutable", "1") // else a log would be made beside it
	}
	dsn = "file://" + (&url.URL{Path: path}).EscapedPath() + "?"
	if journal, err := os.Stat(path + "-journal"); err == nil && journal.Size() > 0 || pending {
		if why := tryOpen(dsn + q.Encode()); why != nil {
			q.Set("immutable", "1")
			note = fmt.Sprintf("the journal beside the file, with what was being written when the program stopped, cannot be read: %v", why)
		}
	}
	return dsn + q.Encode(), note, nil
}

func ignoreShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func tryOpen(dsn string) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	var n int
	return errors.Join(db.QueryRow("SELECT COUNT(*) FROM sqlite_schema").Scan(&n), db.Close())
}

func (s *sqliteFile) contents() *contents { return &s.c }

func (s *sqliteFile) close() error {
	err := s.db.Close()
	if s.remove != "" {
		err = errors.Join(err, os.Remove(s.remove))
	}
	return err
}

func (s *sqliteFile) conn(ctx context.Context) (*sql.Conn, error) {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := sqlite.Limit(c, sqlite3.SQLITE_LIMIT_LENGTH, s.limit); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (s *sqliteFile) with(ctx context.Context, f func(context.Context, *sql.Conn) error) error {
	c, err := s.conn(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(ctx, c), c.Close())
}

// each calls f for each row of a query after it was scanned into dst.
func each(ctx context.Context, c *sql.Conn, query string, dst []any, f func() error) error {
	rows, err := c.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dst...); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// describe reads the tables, and everything else that is cheap to read.
func (s *sqliteFile) describe(ctx context.Context, c *sql.Conn) error {
	s.c.topics, s.c.byKey, s.c.unsized, s.usable, s.described = nil, nil, false, false, 0
	tables := map[string]bool{}
	var name, statement string
	// A view or a virtual table in place of a table could be made to run forever.
	err := each(ctx, c, "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL", []any{&name, &statement}, func() error {
		tables[name] = !strings.HasPrefix(strings.ToUpper(statement), "CREATE VIRTUAL")
		return nil
	})
	if err != nil {
		return err
	}
	if !tables["topics"] || !tables["messages"] {
		s.c.problem(Damaged, 0, "the tables topics and messages are missing")
		return nil
	}
	s.columns = map[string]bool{}
	if err := each(ctx, c, "SELECT name FROM pragma_table_info('topics')", []any{&name}, func() error { s.columns[name] = true; return nil }); err != nil {
		return err
	}
	if tables["schema"] {
		var version int
		err := each(ctx, c, "SELECT schema_version, ros_distro FROM schema LIMIT 1", []any{&version, &s.c.distro}, func() error { return nil })
		if err != nil {
			return err
		}
		if version > 4 {
			s.c.problem(BadMetadata, 0, fmt.Sprintf("the schema has version %d; versions 1 to 4 are known", version))
		}
	}
	if err := s.describeTopics(ctx, c, tables["message_definitions"]); err != nil {
		return err
	}
	s.usable = true
	if err := s.describeMessages(ctx, c); err != nil {
		s.c.unsized = true
		return err
	}
	return nil
}

func (s *sqliteFile) column(name string) string {
	if s.columns[name] {
		return name
	}
	return "''"
}

func (s *sqliteFile) describeTopics(ctx context.Context, c *sql.Conn, definitions bool) error {
	types := map[string]Topic{}
	var d Topic
	if definitions {
		err := each(ctx, c, "SELECT topic_type, encoding, encoded_message_definition, type_description_hash FROM message_definitions ORDER BY id",
			[]any{&d.Type, &d.Encoding, &d.Definition, &d.Hash}, func() error {
				types[d.Type] = d
				return s.describedBy(len(d.Type) + len(d.Definition) + len(d.Hash))
			})
		if err != nil {
			return err
		}
	}
	var t Topic
	var id int64
	var qos string
	query := fmt.Sprintf("SELECT id, name, type, serialization_format, %s, %s FROM topics ORDER BY id", s.column("offered_qos_profiles"), s.column("type_description_hash"))
	return each(ctx, c, query, []any{&id, &t.Name, &t.Type, &t.Format, &qos, &t.Hash}, func() error {
		if err := s.describedBy(len(t.Name) + len(t.Type) + len(qos)); err != nil {
			return err
		}
		d := types[t.Type]
		t.Encoding, t.Definition = d.Encoding, d.Definition
		if t.Hash == "" {
			t.Hash = d.Hash
		}
		var err error
		if t.QoS, err = parseQoSText(qos); err != nil {
			s.c.problem(BadMetadata, 0, fmt.Sprintf("%s: %v", t.Name, err))
		}
		s.ids[id] = s.c.addTopic(t)
		return nil
	})
}

// describedBy counts a row that describes messages, and errors when there are too many.
func (s *sqliteFile) describedBy(bytes int) error {
	const row = 256 // bytes that it takes beside its texts
	if s.described += row + bytes; s.described > maxDescribed {
		return fmt.Errorf("topics and definitions take %d bytes or more; at most %d are read", s.described, maxDescribed)
	}
	return nil
}

// describeMessages finds the first and the last message in the index, and their compression. The count is right unless rows were deleted, which rosbag2 never does;
// count checks.
func (s *sqliteFile) describeMessages(ctx context.Context, c *sql.Conn) error {
	var n, first, last sql.NullInt64
	if err := c.QueryRowContext(ctx,
		"SELECT (SELECT MAX(id) FROM messages), (SELECT MIN(timestamp) FROM messages), (SELECT MAX(timestamp) FROM messages)").Scan(&n, &first, &last); err != nil {
		return err
	}
	s.c.count, s.c.start, s.c.end = n.Int64, first.Int64, last.Int64
	var start []byte
	return each(ctx, c, "SELECT substr(data, 1, 4) FROM messages ORDER BY id LIMIT 1", []any{&start}, func() error {
		if bytes.Equal(start, zstdMagic) {
			s.c.compression = MessageZstd
		}
		return nil
	})
}

// count counts the messages of each topic.
func (s *sqliteFile) count(ctx context.Context) error {
	if !s.usable {
		return nil
	}
	var id, n, sum, orphans int64
	err := s.with(ctx, func(ctx context.Context, c *sql.Conn) error {
		return each(ctx, c, "SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id", []any{&id, &n}, func() error {
			i, ok := s.ids[id]
			if !ok {
				orphans += n
				return nil
			}
			s.c.topics[i].Count += n
			sum += n
			return nil
		})
	})
	if orphans > 0 {
		s.c.problem(NoType, 0, fmt.Sprintf("%d messages belong to unknown topics and are skipped", orphans))
	}
	if err != nil {
		s.c.problem(Damaged, 0, "the messages cannot be counted: "+err.Error())
		return nil
	}
	s.c.count = sum
	return nil
}

type sqliteCursor struct {
	*sqliteFile
	conn *sql.Conn
	rows *sql.Rows
	sel  selection
	id   int64
	data sql.RawBytes
	over bool
}

func (s *sqliteFile) open(sel selection) (cursor, error) {
	if !s.usable {
		return &sqliteCursor{over: true}, nil
	}
	conn, err := s.conn(context.Background())
	if err != nil {
		return nil, err
	}
	var ids []string
	all := true
	for id, i := range s.ids {
		if sel.topics[i] {
			ids = append(ids, strconv.FormatInt(id, 10))
		} else {
			all = false
		}
	}
	query := "SELECT topic_id, timestamp, data FROM messages WHERE timestamp BETWEEN ? AND ?"
	if !all {
		query += " AND topic_id IN (" + strings.Join(ids, ",") + ")"
	}
	rows, err := conn.QueryContext(context.Background(), query+" ORDER BY timestamp, id", sel.first, sel.last)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &sqliteCursor{sqliteFile: s, conn: conn, rows: rows, sel: sel}, nil
}

func (c *sqliteCursor) next(r *record) error {
	for !c.over {
		if !c.rows.Next() {
			c.over = true
			if err := c.rows.Err(); err != nil {
				return &Problem{Kind: Damaged, Text: "the rest of the file cannot be read: " + err.Error()}
			}
			break
		}
		if err := c.rows.Scan(&c.id, &r.log, &c.data); err != nil {
			return &Problem{Kind: Damaged, Text: "a message cannot be read: " + err.Error()}
		}
		i, ok := c.ids[c.id]
		if !ok {
			continue
		}
		r.topic, r.publish, r.data = i, r.log, c.data
		return nil
	}
	return io.EOF
}

func (c *sqliteCursor) close() error {
	c.over = true
	if c.rows == nil {
		return nil
	}
	return errors.Join(c.rows.Close(), c.conn.Close())
}
