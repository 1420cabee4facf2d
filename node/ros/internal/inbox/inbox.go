// Package inbox is where a transport keeps what came in until a node takes it.
package inbox

import (
	"sync"

	"ugp_explorer/node/ros"
)

// Message is one that waits to be taken. About is what the transport tells of it.
type Message[T any] struct {
	Data    []byte
	About   T
	Expires int64 // by the clock of the subscription; 0 is never
}

// Queue holds the messages that wait, the newest up to its limit. Their memory
// is used again. It is for any goroutine, and must be initialised.
type Queue[T any] struct {
	mu      sync.Mutex
	ring    []Message[T]
	head, n int
	limit   int
	dropped uint64
	free    [][]byte
	kept    int // bytes in free
	closed  bool
}

// keptLimit bounds the memory that a queue keeps for messages to come, bytes.
// One message is always kept, however large.
const keptLimit = 1 << 18

// Init has the queue hold as much as an endpoint with qos does.
func (q *Queue[T]) Init(qos ros.QoS) {
	q.limit = qos.Depth
	if qos.History == ros.KeepAll {
		q.limit = ros.KeepAllLimit
	}
}

// Push puts m with a copy of data last and reports whether one more waits now; a
// full queue drops its oldest instead.
func (q *Queue[T]) Push(m Message[T], data []byte) (grew bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	grew = true
	if q.n == q.limit {
		q.recycle(q.popFront().Data)
		q.dropped++
		grew = false
	}
	if q.n == len(q.ring) {
		bigger := make([]Message[T], min(max(4, 2*q.n), q.limit))
		for i := range q.n {
			bigger[i] = q.ring[(q.head+i)%q.n]
		}
		q.ring, q.head = bigger, 0
	}
	var buf []byte
	if last := len(q.free) - 1; last >= 0 {
		buf, q.free = q.free[last], q.free[:last]
		q.kept -= cap(buf)
	}
	m.Data = append(buf[:0], data...)
	q.ring[(q.head+q.n)%len(q.ring)] = m
	q.n++
	return grew
}

func (q *Queue[T]) popFront() Message[T] {
	m := q.ring[q.head]
	q.ring[q.head] = Message[T]{}
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return m
}

func (q *Queue[T]) recycle(buf []byte) {
	if len(q.free) == 0 || q.kept+cap(buf) <= keptLimit {
		q.free = append(q.free, buf)
		q.kept += cap(buf)
	}
}

// Pop takes out the oldest message that is still fresh and returns how many wait
// behind it, or a negative number when there is none. Its data go back to Done.
// now is nil where nothing expires.
func (q *Queue[T]) Pop(now func() int64) (m Message[T], left int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.n > 0 {
		m = q.popFront()
		if m.Expires == 0 || now() <= m.Expires {
			return m, q.n
		}
		q.recycle(m.Data)
		q.dropped++
	}
	return Message[T]{}, -1
}

// Done gives the memory of a message back.
func (q *Queue[T]) Done(m Message[T]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.recycle(m.Data)
	}
}

// Drop counts one message more that was lost.
func (q *Queue[T]) Drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped++
}

// Dropped returns how many messages were lost to a full queue or a lifespan, or
// could not be of anyone's.
// Drop counts one message more that was lost.
func (q *Queue[T]) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// Close lets go of all that waits; nothing is queued any more.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.ring, q.free, q.n, q.head, q.kept = true, nil, nil, 0, 0, 0
}
