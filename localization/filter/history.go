// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

type eventKind int

const (
	_ eventKind = iota // of the first event
	motionEvent
	positionEvent
	yawEvent
	changeEvent
)

// event is a motion or a correction of the filter, with the estimate after it.
type event struct {
	kind   eventKind
	stamp  int64
	motion motion            // motionEvent: the motion since the event before
	fix    Fix               // positionEvent; in a yawEvent see fuseYaw
	change func(e *estimate) // changeEvent
	after  estimate
}

func (e *event) when() int64 { return e.stamp }

// history keeps events. Only the estimate of the first event is used.
type history struct {
	series[event]
	origin int64 // stamp of the first event since the last reset
}

// reset drops all events and returns a new first one, whose estimate the caller fills in.
func (h *history) reset(stamp int64) *event {
	h.lo, h.hi, h.origin = 0, 1, stamp
	h.buf[0] = event{stamp: stamp}
	return &h.buf[0]
}

// newestMotion returns the motion of the newest step; the zero motion before the first.
func (h *history) newestMotion() *motion {
	i := h.len() - 1
	for i > 0 && h.at(i).kind != motionEvent {
		i--
	}
	return &h.at(i).motion
}

// series keeps values in the order of their stamps, in memory allocated once. When it is full, the oldest quarter is dropped.
type series[T any] struct {
	stamp  func(*T) int64
	buf    []T
	lo, hi int
}

func newSeries[T any](capacity int, stamp func(*T) int64) series[T] {
	return series[T]{stamp: stamp, buf: make([]T, capacity)}
}

func (s *series[T]) len() int    { return s.hi - s.lo }
func (s *series[T]) at(i int) *T { return &s.buf[s.lo+i] } // 0 is the oldest
func (s *series[T]) newest() *T  { return &s.buf[s.hi-1] }
func (s *series[T]) clear()      { s.lo, s.hi = 0, 0 }

// after returns the index of the oldest value after a stamp.
func (s *series[T]) after(stamp int64) int {
	i := s.len()
	for i > 0 && s.stamp(s.at(i-1)) > stamp {
		i--
	}
	return i
}

// reserve makes room for n more values. It moves many values at once, so that the cost per value stays small. Indices change.
func (s *series[T]) reserve(n int) {
	if s.hi+n > len(s.buf) {
		s.lo = max(s.lo, len(s.buf)/4)
		s.hi = copy(s.buf, s.buf[s.lo:s.hi])
		s.lo = 0
	}
}

// push adds the newest value.
func (s *series[T]) push(v *T) {
	s.reserve(1)
	s.insert(s.len(), v)
}

// insert puts v at index i. The caller has reserved the room.
func (s *series[T]) insert(i int, v *T) {
	copy(s.buf[s.lo+i+1:s.hi+1], s.buf[s.lo+i:s.hi])
	s.hi++
	*s.at(i) = *v
}
