// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ring is a queue that reuses its memory.
package ring

// Queue is a first-in, first-out queue. It keeps its memory, so that a queue in
// steady use allocates nothing. The zero value is empty. It is not safe for
// concurrent use.
type Queue[T any] struct {
	buf     []T // length is a power of two
	head, n int
}

// Len returns the number of elements.
func (q *Queue[T]) Len() int { return q.n }

// Push appends v as the newest element.
func (q *Queue[T]) Push(v T) {
	if q.n == len(q.buf) {
		grown := make([]T, max(16, 2*len(q.buf)))
		k := copy(grown, q.buf[q.head:])
		copy(grown[k:], q.buf[:q.head])
		q.buf, q.head = grown, 0
	}
	q.buf[(q.head+q.n)&(len(q.buf)-1)] = v
	q.n++
}

// Front returns the oldest element in place. The queue must not be empty.
func (q *Queue[T]) Front() *T { return &q.buf[q.head] }

// Pop removes the oldest element and returns it. The queue must not be empty.
func (q *Queue[T]) Pop() T {
	var zero T
	v := q.buf[q.head]
	q.buf[q.head] = zero
	q.head = (q.head + 1) & (len(q.buf) - 1)
	q.n--
	return v
}

// Each calls fn with every element, oldest first.
func (q *Queue[T]) Each(fn func(*T)) {
	for i := range q.n {
		fn(&q.buf[(q.head+i)&(len(q.buf)-1)])
	}
}
