package bag

import (
	"container/heap"
	"context"
)

// contents is what one file holds.
type contents struct {
	storage     string
	compression Compression
	distro      string
	topics      []Topic // with the counts of this file
	count       int64
	start, end  int64 // of the log times, when count is not 0
	unsized     bool  // count, start and end could not be found
	problems    []Problem
	byKey       map[topicKey]int
}

// topicKey is what tells topics apart: publishers may disagree on the type of a name.
type topicKey struct{ name, typ, format string }

func (t *Topic) key() topicKey { return topicKey{t.Name, t.Type, t.Format} }

// addTopic returns the index of the topic, which is new unless one of its name, type and format is there.
func (c *contents) addTopic(t Topic) int {
	if i, ok := c.byKey[t.key()]; ok {
		return i
	}
	if c.byKey == nil {
		c.byKey = map[topicKey]int{}
	}
	c.byKey[t.key()] = len(c.topics)
	c.topics = append(c.topics, t)
	return len(c.topics) - 1
}

// maxProblems is how many problems of a file are kept by themselves; the last one stands for the rest.
const maxProblems = 100

func (c *contents) problem(k Kind, lost int64, text string) {
	if n := len(c.problems); n == maxProblems {
		last := &c.problems[n-1]
		last.Text, last.Lost = "there is more of the same", last.Lost+lost
		return
	}
	c.problems = append(c.problems, Problem{Kind: k, Lost: lost, Text: text})
}

// selection is which messages of a file are asked for.
type selection struct {
	topics      []bool // by index into contents.topics
	first, last int64  // log times, both included
}

// record is one message of a file.
type record struct {
	topic        int // index into contents.topics
	log, publish int64
	data         []byte // valid until the cursor's next call
}

// cursor goes through selected messages in the order of their log times, those with the same one in the order in which they were written.
type cursor interface {
	// next sets r. It returns io.EOF after the last message; after a *Problem it can be called again.
	next(r *record) error
	close() error
}

// storage is an open file of a bag. Its cursors are independent of each other, and opening one is safe for concurrent use.
type storage interface {
	contents() *contents
	// count fills in the topics' counts, where opening the file did not.
	count(ctx context.Context) error
	open(s selection) (cursor, error)
	close() error
}

// ordered is what a queue holds.
type ordered[T any] interface{ before(T) bool }

var (
	_ ordered[*source]   = (*source)(nil)
	_ ordered[*openSpan] = (*openSpan)(nil)
)

// queue is a heap.Interface of what is to be read next, the first in front.
type queue[T ordered[T]] []T

var _ heap.Interface = (*queue[*source])(nil)

func (q queue[T]) Len() int           { return len(q) }
func (q queue[T]) Less(i, j int) bool { return q[i].before(q[j]) }
func (q queue[T]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue[T]) Push(x any)        { *q = append(*q, x.(T)) }
func (q *queue[T]) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	clear((*q)[last:])
	*q = (*q)[:last]
	return x
}
