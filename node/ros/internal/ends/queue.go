// Package inbox has the queue in which a transport keeps received messages until a
// node takes them.
package inbox

import (
	"sync"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ring"
)

// Message is a message that waits to be taken. About is what the transport knows
// about it.
type Message[T any] struct {
	Data    []byte
	About   T
	Expires int64 // by the clock of the subscription; 0 is never
}

// Queue holds the newest messages, up to a limit, and reuses their memory. Call Init
// first. It is safe for concurrent use.
type Queue[T any] struct {
	mu      sync.Mutex
	waiting ring.Queue[Message[T]]
	limit   int
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

// Init sets the limit to the number of messages that an endpoint with qos holds.
func (q *Queue[T]) Init(qos ros.QoS) { q.limit = qos.Depth }

// Push appends m with a copy of data. It reports whether the number of messages grew;
// a full queue drops its oldest messages instead. It is full by their number, or their bytes.
func (q *Queue[T]) Push(m Message[T], data []byte) (grew bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	before := q.waiting.Len()
	for n := q.waiting.Len(); n > 0 && (n == q.limit || q.bytes+len(data) > mostWaiting); n-- {
		q.recycle(q.pop().Data)
		q.dropped++
	}
	var buf []byte
	if last := len(q.free) - 1; last >= 0 {
		buf, q.free = q.free[last], q.free[:last]
		q.kept -= cap(buf)
	}
	m.Data = append(buf[:0], data...)
	q.waiting.Push(m)
	q.bytes += len(data)
	return q.waiting.Len() > before
}

func (q *Queue[T]) pop() Message[T] {
	m := q.waiting.Pop()
	q.bytes -= len(m.Data)
	return m
}

func (q *Queue[T]) recycle(buf []byte) {
	if len(q.free) == 0 || q.kept+cap(buf) <= keptLimit {
		q.free = append(q.free, buf)
		q.kept += cap(buf)
	}
}

// Pop removes the oldest message that has not expired, and returns it with the number
// of messages left, which is negative if there was none. Give the message to Done
// afterwards. now may be nil if no message expires.
func (q *Queue[T]) Pop(now func() int64) (m Message[T], left int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.waiting.Len() > 0 {
		m = q.pop()
		if m.Expires == 0 || now() <= m.Expires {
			return m, q.waiting.Len()
		}
		q.recycle(m.Data)
		q.dropped++
	}
	return Message[T]{}, -1
}

// Done returns the memory of a message to the queue.
func (q *Queue[T]) Done(m Message[T]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.recycle(m.Data)
	}
}

// Drop counts a message as lost.
func (q *Queue[T]) Drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped++
}

// Dropped returns the number of messages lost: dropped by a full queue, expired, or
// given to Drop.
func (q *Queue[T]) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// Close drops all messages. Later ones are not queued.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.waiting, q.free, q.kept = true, ring.Queue[Message[T]]{}, nil, 0
}
