package bag

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"strconv"
	"strings"
)

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
	conn, err := s.conn()
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
				return &Problem{Kind: Damaged, Text: "the rest cannot be read: " + err.Error()}
			}
			break
		}
		if err := c.rows.Scan(&c.id, &r.log, &c.data); err != nil {
			return &Problem{Kind: Damaged, Text: "a message: " + err.Error()}
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
