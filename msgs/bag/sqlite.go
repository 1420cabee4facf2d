package bag

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var sqliteMagic = []byte("SQLite format 3\x00")

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// sqliteFile is an SQLite file of schema 1 to 4.
type sqliteFile struct {
	c     contents
	db    *sql.DB
	limit int
	ids   map[int64]int // topics.id to index into c.topics; nil if the tables cannot be read
}

var _ storage = (*sqliteFile)(nil)

// openSQLite opens an SQLite file. Damaged contents become problems; an error means that the file cannot be read.
func openSQLite(ctx context.Context, path string, limit int) (*sqliteFile, error) {
	dsn, note, err := sqliteName(path)
	if err != nil {
		return nil, err
	}
	s := &sqliteFile{limit: limit}
	if note != "" {
		s.c.problem(0, "%s", note)
	}
	var e *sqlite.Error
	err = s.connect(ctx, dsn)
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CORRUPT { // SQLite refuses a file that is shorter than it should be, unless it is asked to repair the schema
		err = errors.Join(s.db.Close(), s.connect(ctx, dsn+"&_pragma=writable_schema(1)"))
		s.c.problem(0, "the file is cut off or damaged; the part before that is read")
	}
	if err != nil {
		if !errors.As(err, &e) {
			return nil, errors.Join(err, s.db.Close())
		}
		s.c.problem(0, "%v", err)
	}
	return s, nil
}

func (s *sqliteFile) connect(ctx context.Context, dsn string) (err error) {
	if s.db, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	s.db.SetMaxIdleConns(0) // a bag may have more files than a process may open
	c, err := s.conn(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.describe(ctx, c), c.Close())
}

// sqliteName returns the name that opens the file without changing its folder, and a note if that leaves something out.
func sqliteName(path string) (dsn, note string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)", "busy_timeout(5000)"}}
	dsn = "file://" + (&url.URL{Path: path}).EscapedPath() + "?"
	pending := slices.ContainsFunc([]string{"-wal", "-journal"}, func(suffix string) bool {
		info, err := os.Stat(path + suffix)
		return err == nil && info.Size() > 0
	})
	if pending {
		db, err := sql.Open("sqlite", dsn+q.Encode())
		if err != nil {
			return "", "", err
		}
		var tables int
		why := errors.Join(db.QueryRow("SELECT COUNT(*) FROM sqlite_schema").Scan(&tables), db.Close())
		if why == nil {
			return dsn + q.Encode(), "", nil
		}
		note = fmt.Sprintf("the journal beside the file, with what was being written when the program stopped, cannot be read: %v", why)
	}
	q.Set("immutable", "1") // else a log may be made beside it
	return dsn + q.Encode(), note, nil
}

func (s *sqliteFile) contents() *contents { return &s.c }

func (s *sqliteFile) close() error { return s.db.Close() }

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

// each calls f for each row of a query after it was scanned into dst.
func each(ctx context.Context, c *sql.Conn, query string, dst []any, f func()) error {
	rows, err := c.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dst...); err != nil {
			return err
		}
		f()
	}
	return rows.Err()
}

// describe reads the tables, and counts the messages.
func (s *sqliteFile) describe(ctx context.Context, c *sql.Conn) error {
	s.c.topics, s.ids = nil, nil
	tables := map[string]bool{}
	var name string
	if err := each(ctx, c, "SELECT name FROM sqlite_schema WHERE type = 'table'", []any{&name}, func() { tables[name] = true }); err != nil {
		return err
	}
	if !tables["topics"] || !tables["messages"] {
		s.c.problem(0, "the tables topics and messages are missing")
		return nil
	}
	if err := s.describeTopics(ctx, c, tables["message_definitions"]); err != nil {
		return err
	}
	return s.count(ctx, c)
}

// describeTopics reads the topics, and from schema 4 on the definitions of their types.
func (s *sqliteFile) describeTopics(ctx context.Context, c *sql.Conn, definitions bool) error {
	types := map[string]Topic{}
	var d Topic
	if definitions {
		err := each(ctx, c, "SELECT topic_type, encoding, encoded_message_definition, type_description_hash FROM message_definitions ORDER BY id",
			[]any{&d.Type, &d.encoding, &d.definition, &d.hash}, func() { types[d.Type] = d })
		if err != nil {
			return err
		}
	}
	ids := map[int64]int{}
	var id int64
	var name, typ, format string
	err := each(ctx, c, "SELECT id, name, type, serialization_format FROM topics ORDER BY id", []any{&id, &name, &typ, &format}, func() {
		t := types[typ]
		t.Name, t.Type, t.Format = name, typ, format
		ids[id] = s.c.addTopic(t)
	})
	if err == nil {
		s.ids = ids
	}
	return err
}

// count counts the messages of each topic, and finds the first and the last of all.
func (s *sqliteFile) count(ctx context.Context, c *sql.Conn) error {
	var id, n, orphans int64
	var first, last sql.NullInt64
	err := c.QueryRowContext(ctx, "SELECT (SELECT MIN(timestamp) FROM messages), (SELECT MAX(timestamp) FROM messages)").Scan(&first, &last) // by the index
	if err != nil {
		return err
	}
	err = each(ctx, c, "SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id", []any{&id, &n}, func() {
		i, ok := s.ids[id]
		if !ok {
			orphans += n
			return
		}
		s.c.topics[i].Count += n
		s.c.counted(n, first.Int64, last.Int64)
	})
	if orphans > 0 {
		s.c.problem(0, "%d messages belong to unknown topics and are skipped", orphans)
	}
	if err != nil {
		s.c.problem(0, "the messages cannot be counted: %v", err)
	}
	return nil
}

func (s *sqliteFile) messages(sel selection) iter.Seq2[record, *Problem] {
	return func(yield func(record, *Problem) bool) {
		if s.ids == nil {
			return
		}
		damaged := func(err error, format string, args ...any) bool {
			return yield(record{}, &Problem{Text: fmt.Sprintf(format, args...) + ": " + err.Error()})
		}
		conn, err := s.conn(context.Background())
		if err != nil {
			damaged(err, "the file cannot be read")
			return
		}
		defer conn.Close()
		var wanted []string
		for id, i := range s.ids {
			if sel.topics[i] {
				wanted = append(wanted, strconv.FormatInt(id, 10))
			}
		}
		query := "SELECT topic_id, timestamp, data FROM messages WHERE timestamp BETWEEN ? AND ?"
		if len(wanted) < len(s.ids) {
			query += " AND topic_id IN (" + strings.Join(wanted, ",") + ")"
		}
		rows, err := conn.QueryContext(context.Background(), query+" ORDER BY timestamp, id", sel.first, sel.last)
		if err != nil {
			damaged(err, "the messages cannot be read")
			return
		}
		defer rows.Close()
		unpack, err := newZstd(s.limit)
		if err != nil {
			damaged(err, "the messages cannot be read")
			return
		}
		defer unpack.Close()
		var id int64
		var r record
		var data sql.RawBytes
		var buf []byte
		for rows.Next() {
			if err := rows.Scan(&id, &r.log, &data); err != nil {
				if !damaged(err, "a message cannot be read") {
					return
				}
				continue
			}
			topic, ok := s.ids[id]
			if !ok {
				continue
			}
			r.topic, r.data = topic, data
			if bytes.HasPrefix(data, zstdMagic) { // CDR starts with a zero
				if buf, err = unpack.DecodeAll(data, buf[:0]); err != nil {
					if !damaged(err, "the message on %s at %d ns cannot be uncompressed", s.c.topics[topic].Name, r.log) {
						return
					}
					continue
				}
				r.data = buf
			}
			if !yield(r, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			damaged(err, "the rest of the file cannot be read")
		}
	}
}
