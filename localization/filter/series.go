// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

// series keeps values in the order of their stamps, in memory allocated once. When that is full the oldest
// quarter is dropped.
type series[T any] struct {
	buf    []T
	lo, hi int
}

func newSeries[T any](capacity int) series[T] { return series[T]{buf: make([]T, capacity)} }

func (s *series[T]) len() int    { return s.hi - s.lo }
func (s *series[T]) at(i int) *T { return &s.buf[s.lo+i] } // 0 is the oldest
func (s *series[T]) newest() *T  { return &s.buf[s.hi-1] }
func (s *series[T]) clear()      { s.lo, s.hi = 0, 0 }

// reserve makes room for n more values, so that the cost of moving per value stays small. Indices change.
func (s *series[T]) reserve(n int) {
	if s.hi+n > len(s.buf) {
		s.lo = max(s.lo, len(s.buf)/4)
		s.hi = copy(s.buf, s.buf[s.lo:s.hi])
		s.lo = 0
	}
}

// insert puts v at index i. The caller has reserved the room.
func (s *series[T]) insert(i int, v *T) {
	copy(s.buf[s.lo+i+1:s.hi+1], s.buf[s.lo+i:s.hi])
	s.hi++
	*s.at(i) = *v
}
