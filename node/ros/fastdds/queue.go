//go:build fastdds

package fastdds

import (
	"sync"

	"ugp_explorer/node/ros"
)

// message is one that waits to be taken.
type message struct {
	data    []byte
	info    ros.MessageInfo // of a topic
	id      ros.RequestID   // of a request; a reply has its Sequence
	expires int64           // by the clock of the subscription; 0 is never
}

// queue holds the messages that wait, the newest up to its limit. Their memory
// is used again.
type queue struct {
	mu      sync.Mutex
	ring    []message
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

func (q *queue) init(qos ros.QoS) {
	q.limit = qos.Depth
	if qos.History == ros.KeepAll {
		q.limit = ros.KeepAllLimit
	}
}

// push puts m with a copy of data last and reports whether one more waits now; a
// full queue drops its oldest instead.
func (q *queue) push(m message, data []byte) (grew bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	grew = true
	if q.n == q.limit {
		q.recycle(q.popFront().data)
		q.dropped++
		grew = false
	}
	if q.n == len(q.ring) {
		bigger := make([]message, min(max(4, 2*q.n), q.limit))
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
	m.data = append(buf[:0], data...)
	q.ring[(q.head+q.n)%len(q.ring)] = m
	q.n++
	return grew
}

func (q *queue) popFront() message {
	m := q.ring[q.head]
	q.ring[q.head] = message{}
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return m
}

func (q *queue) recycle(buf []byte) {
	if len(q.free) == 0 || q.kept+cap(buf) <= keptLimit {
		q.free = append(q.free, buf)
		q.kept += cap(buf)
	}
}

// pop takes out the oldest message that is still fresh and returns how many wait
// behind it, or a negative number when there is none. Its data go back to done.
// now is nil where nothing expires.
func (q *queue) pop(now func() int64) (m message, left int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.n > 0 {
		m = q.popFront()
		if m.expires == 0 || now() <= m.expires {
			return m, q.n
		}
		q.recycle(m.data)
		q.dropped++
	}
	return message{}, -1
}

// done gives the memory of a message back.
func (q *queue) done(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.recycle(m.data)
	}
}

func (q *queue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped++
}

// Dropped returns how many messages were lost to a full queue or a lifespan, or
// could not be of anyone's.
func (q *queue) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.ring, q.free, q.n, q.head, q.kept = true, nil, nil, 0, 0, 0
}
