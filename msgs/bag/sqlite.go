// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"cmp"
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
	rows  []row         // of a damaged file, what can be read; nil: its index is whole
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
	err = s.connect(ctx, dsn)
	if isCorrupt(err) { // SQLite refuses a file that is shorter than it should be, unless it is asked to repair the schema
		err = errors.Join(s.db.Close(), s.connect(ctx, dsn+"&_pragma=writable_schema(1)"))
		s.c.problem(0, "the file is cut off or damaged; what can be read is read")
	}
	if err != nil {
		if !errors.As(err, new(*sqlite.Error)) {
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

// count counts the messages of each topic, and finds the first and the last of all. Where pages are damaged it finds the rows that can be read.
func (s *sqliteFile) count(ctx context.Context, c *sql.Conn) error {
	var id, n, orphans int64
	var first, last sql.NullInt64
	counts := map[int64]int64{}                                                                                                              // by topics.id
	err := c.QueryRowContext(ctx, "SELECT (SELECT MIN(timestamp) FROM messages), (SELECT MAX(timestamp) FROM messages)").Scan(&first, &last) // by the index
	if err == nil {
		err = each(ctx, c, "SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id", []any{&id, &n}, func() { counts[id] = n })
	}
	if isCorrupt(err) {
		var lost int64
		clear(counts)
		if s.rows, lost, err = scan(ctx, c); len(s.rows) > 0 {
			first.Int64, last.Int64 = s.rows[0].at, s.rows[len(s.rows)-1].at
		}
		for _, r := range s.rows {
			counts[r.topic]++
		}
		s.c.problem(0, "pages are missing or damaged: %d messages can be read, %d between them and those behind the last of them are lost", len(s.rows), lost)
	}
	for id, n := range counts {
		if i, ok := s.ids[id]; ok {
			s.c.topics[i].Count += n
			s.c.counted(n, first.Int64, last.Int64)
		} else {
			orphans += n
		}
	}
	if orphans > 0 {
		s.c.problem(0, "%d messages belong to unknown topics and are skipped", orphans)
	}
	if err != nil && ctx.Err() == nil {
		s.c.problem(0, "the messages cannot be counted: %v", err)
		return nil
	}
	return err
}

func (s *sqliteFile) messages(sel selection) iter.Seq2[record, *Problem] {
	return func(yield func(record, *Problem) bool) {
		if s.ids == nil {
			return
		}
		ctx := context.Background()
		damaged := func(err error, format string, args ...any) {
			yield(record{}, &Problem{Text: fmt.Sprintf(format, args...) + ": " + err.Error()})
		}
		conn, err := s.conn(ctx)
		if err != nil {
			damaged(err, "the file cannot be read")
			return
		}
		defer conn.Close()
		unpack, err := newZstd(s.limit)
		if err != nil {
			damaged(err, "the messages cannot be read")
			return
		}
		defer unpack.Close()
		var buf []byte
		// give yields one message, or its damage, and reports whether the loop continues.
		give := func(id, at int64, data []byte) bool {
			topic, ok := s.ids[id]
			if !ok || !sel.topics[topic] {
				return true
			}
			if bytes.HasPrefix(data, zstdMagic) { // CDR starts with a zero
				if buf, err = unpack.DecodeAll(data, buf[:0]); err != nil {
					return yield(record{}, &Problem{Text: fmt.Sprintf("the message on %s at %d ns cannot be uncompressed: %v", s.c.topics[topic].Name, at, err)})
				}
				data = buf
			}
			return yield(record{topic, at, data}, nil)
		}
		if s.rows == nil {
			err = s.inOrder(ctx, conn, sel, give)
		} else {
			err = s.rescued(ctx, conn, sel, give)
		}
		if err != nil && !errors.Is(err, errStopped) {
			damaged(err, "a part of the file cannot be read")
		}
	}
}

// errStopped says that nobody wants more messages.
var errStopped = errors.New("bag: stopped")

// inOrder gives the messages of a whole file in the order of its index.
func (s *sqliteFile) inOrder(ctx context.Context, c *sql.Conn, sel selection, give func(topic, at int64, data []byte) bool) error {
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
	rows, err := c.QueryContext(ctx, query+" ORDER BY timestamp, id", sel.first, sel.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	var id, at int64
	var data sql.RawBytes
	var bad unreadable
	for rows.Next() {
		if err := rows.Scan(&id, &at, &data); err != nil {
			bad.add(err)
		} else if !give(id, at, data) {
			return errStopped
		}
	}
	return cmp.Or(rows.Err(), bad.err())
}

// unreadable counts messages that cannot be read, which may be many.
type unreadable struct {
	n    int
	last error
}

func (u *unreadable) add(err error) { u.n, u.last = u.n+1, err }

func (u *unreadable) err() error {
	if u.n == 0 {
		return nil
	}
	return fmt.Errorf("the data of %d messages cannot be read, of the last because of: %w", u.n, u.last)
}

// row is a message of a damaged file, without its data.
type row struct{ id, topic, at int64 }

// rescued gives the messages of a damaged file whose data can be read.
func (s *sqliteFile) rescued(ctx context.Context, c *sql.Conn, sel selection, give func(topic, at int64, data []byte) bool) error {
	query, err := c.PrepareContext(ctx, "SELECT data FROM messages WHERE id = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	var bad unreadable
	for _, r := range s.rows {
		if r.at < sel.first || r.at > sel.last {
			continue
		}
		if i, ok := s.ids[r.topic]; !ok || !sel.topics[i] {
			continue
		}
		var data []byte
		if err := query.QueryRowContext(ctx, r.id).Scan(&data); err != nil {
			bad.add(err)
		} else if !give(r.topic, r.at, data) {
			return errStopped
		}
	}
	return bad.err()
}

// scan finds the messages that can be read, by their ids, without the index of their times: the pages of both may be missing. It returns them in the order of
// their times, and how many ids are missing between them.
func scan(ctx context.Context, c *sql.Conn) (rows []row, lost int64, err error) {
	const most = int64(1) << 40 // more ids than that are not skipped: nothing follows
	next, skip := int64(0), int64(1)
	for {
		before := len(rows)
		var r row
		err = each(ctx, c, "SELECT id, topic_id, timestamp FROM messages NOT INDEXED WHERE id >= "+strconv.FormatInt(next, 10)+" ORDER BY id", []any{&r.id, &r.topic, &r.at}, func() {
			if n := len(rows); n > 0 {
				lost += r.id - rows[n-1].id - 1
			}
			rows = append(rows, r)
		})
		if !isCorrupt(err) || skip > most {
			break
		}
		if n := len(rows); n > before {
			next, skip = rows[n-1].id+1, 1
		}
		from := next
		for ; skip <= most; skip *= 2 { // a place that can be read again
			if next = from + skip; readable(ctx, c, next) {
				break
			}
		}
		for unread := from + skip/2; skip <= most && next-unread > 1; { // the first such place
			if middle := unread + (next-unread)/2; readable(ctx, c, middle) {
				next = middle
			} else {
				unread = middle
			}
		}
	}
	if isCorrupt(err) {
		err = nil
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
	return rows, lost, err
}

// readable reports whether the first message from an id on can be read, or there is none.
func readable(ctx context.Context, c *sql.Conn, id int64) bool {
	err := c.QueryRowContext(ctx, "SELECT id FROM messages NOT INDEXED WHERE id >= ? ORDER BY id LIMIT 1", id).Scan(&id)
	return err == nil || errors.Is(err, sql.ErrNoRows)
}

// isCorrupt reports whether SQLite found damage.
func isCorrupt(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CORRUPT
}
