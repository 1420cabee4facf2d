// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"strings"
	"sync"
)

const (
	// keptLines is how many lines of the log a page gets that is opened late.
	keptLines = 200
	// longestLine is how much of a line is shown, bytes.
	longestLine = 400
)

// logRing keeps the newest lines of the log. It is safe for concurrent use.
type logRing struct {
	mu    sync.Mutex
	lines []line // the newest last
	count int    // of all lines ever
}

func (r *logRing) add(l line) {
	if len(l.Text) > longestLine {
		l.Text = l.Text[:longestLine] + "…"
	}
	l.Text = strings.ToValidUTF8(l.Text, "�")
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.lines) == 2*keptLines {
		r.lines = append([]line(nil), r.lines[keptLines:]...) // earlier readers keep theirs
	}
	r.lines = append(r.lines, l)
	r.count++
}

// since returns the lines from index from on, or the newest that are kept, the index of the
// first, and the number of all.
func (r *logRing) since(from int) (lines []line, first, count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first = max(from, r.count-min(len(r.lines), keptLines))
	if first >= r.count {
		return nil, r.count, r.count
	}
	return r.lines[len(r.lines)-(r.count-first):], first, r.count
}
