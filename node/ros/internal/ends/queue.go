// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ends

import (
	"sync"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ring"
)

// Message is a message that waits to be taken.
type Message struct {
	ros.Message
	Sender  any   // of a request, for the transport rclgo
	Expires int64 // by the clock of the subscription; 0 is never
	Loan    Loan  // the memory of CDR, which the queue returns; nil: the queue copies CDR
}

// Loan is memory of the transport.
type Loan interface{ Return() }

// Queue holds the newest messages, up to a limit, and reuses their memory. It is safe for
// concurrent use.
type Queue struct {
	Limit int // messages; set it first

	mu      sync.Mutex
	waiting ring.Queue[Message]
	bytes   int // of the messages that wait
	dropped uint64
	free    [][]byte
	kept    int // bytes in free
	closed  bool
}

// keptLimit bounds the memory that a queue keeps for messages to come, bytes.
// One message is always kept, however large.
const keptLimit = 1 << 18

// mostWaiting bounds the memory of the messages that wait, bytes. One message always may.
const mostWaiting = ros.MostMessage

// Push appends m, with a copy of its bytes unless they are on loan. It reports whether the number of messages grew;
// a full queue drops its oldest messages instead. It is full by their number, or their bytes.
func (q *Queue) Push(m Message) (grew bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		q.recycle(m)
		return false
	}
	before := q.waiting.Len()
	for n := q.waiting.Len(); n > 0 && (n == q.Limit || q.bytes+len(m.CDR) > mostWaiting); n-- {
		q.recycle(q.pop())
		q.dropped++
	}
	if m.Loan == nil {
		var buf []byte
		if last := len(q.free) - 1; last >= 0 {
			buf, q.free = q.free[last], q.free[:last]
			q.kept -= cap(buf)
		}
		m.CDR = append(buf[:0], m.CDR...)
	}
	q.waiting.Push(m)
	q.bytes += len(m.CDR)
	return q.waiting.Len() > before
}

func (q *Queue) pop() Message {
	m := q.waiting.Pop()
	q.bytes -= len(m.CDR)
	return m
}

// recycle returns the memory of m, or keeps it for a message to come.
func (q *Queue) recycle(m Message) {
	switch {
	case m.Loan != nil:
		m.Loan.Return()
	case !q.closed && (len(q.free) == 0 || q.kept+cap(m.CDR) <= keptLimit):
		q.free = append(q.free, m.CDR)
		q.kept += cap(m.CDR)
	}
}

// Take calls fn with the oldest message that has not expired at now, and returns the number of
// messages left, which is negative if there was none. now may be nil if no message expires.
func (q *Queue) Take(now func() int64, fn func(Message)) (left int) {
	m, left := q.next(now)
	if left >= 0 {
		fn(m)
		q.mu.Lock()
		defer q.mu.Unlock()
		q.recycle(m)
	}
	return left
}

func (q *Queue) next(now func() int64) (m Message, left int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.waiting.Len() > 0 {
		m = q.pop()
		if m.Expires == 0 || now() <= m.Expires {
			return m, q.waiting.Len()
		}
		q.recycle(m)
		q.dropped++
	}
	return Message{}, -1
}

// Each calls fn with every message, oldest first.
func (q *Queue) Each(fn func(*Message)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting.Each(fn)
}

// Drop counts a message as lost.
func (q *Queue) Drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped++
}

// Dropped returns the number of messages lost: dropped by a full queue, expired, or
// given to Drop.
func (q *Queue) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// Close drops all messages. Later ones are not queued.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.free, q.kept = true, nil, 0
	for q.waiting.Len() > 0 {
		q.recycle(q.pop())
	}
	q.waiting = ring.Queue[Message]{}
}
