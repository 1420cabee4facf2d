// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	mostBacklog = 1000        // lines that may wait to be written
	lastWords   = time.Second // how long the end of a program waits for its log to be written
)

// backlog writes a log that may be open without being read: somebody has pressed Ctrl-S in the
// terminal, or the program behind a pipe is stopped. Write never waits, so that the node continues.
// Lines that do not fit are dropped, and counted in the log when it is read again. backlog is safe
// for concurrent use.
type backlog struct {
	file    *os.File
	unread  func()        // called when nobody can read the log any more
	written chan struct{} // closed when all is written

	mu    sync.Mutex
	queue chan []byte // lines; nil stands for those that were lost
	lost  int         // lines, since nil was put into the queue
	ended bool
}

func newBacklog(file *os.File, unread func()) *backlog {
	b := &backlog{file: file, unread: unread, written: make(chan struct{}), queue: make(chan []byte, mostBacklog+1)}
	go b.write()
	return b
}

// Write queues a line, and never fails.
func (b *backlog) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.ended:
	case b.lost > 0:
		b.lost++
	case len(b.queue) < mostBacklog:
		b.queue <- bytes.Clone(line)
	default:
		b.queue <- nil
		b.lost = 1
	}
	return len(line), nil
}

// write writes what is queued, in order.
func (b *backlog) write() {
	defer close(b.written)
	for line := range b.queue {
		if line == nil {
			b.mu.Lock()
			line = fmt.Appendf(nil, "%d lines of the log were lost: nothing read the output\n", b.lost)
			b.lost = 0
			b.mu.Unlock()
		}
		if _, err := b.file.Write(line); errors.Is(err, syscall.EPIPE) {
			b.unread()
		}
	}
}

// end writes what is queued, unless that takes longer than lastWords. What is written later is
// dropped.
func (b *backlog) end() {
	b.mu.Lock()
	if !b.ended {
		b.ended = true
		close(b.queue)
	}
	b.mu.Unlock()
	select {
	case <-b.written:
	case <-time.After(lastWords):
	}
}

// Fd lets others find out whether the log is a terminal.
func (b *backlog) Fd() uintptr { return b.file.Fd() }
