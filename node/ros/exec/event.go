// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

// event is a callback that is due.
type event struct {
	at     int64  // time of its queue, ns
	seq    uint64 // order among events of the same time
	fn     func()
	timer  *Timer // of which this is a tick; nil for other events
	posted bool   // came through Post and counts against its limit
}

func (e *event) before(f *event) bool {
	return e.at < f.at || e.at == f.at && e.seq < f.seq
}

// live reports whether the event is still wanted. Ticks of a timer that was stopped since are not.
func (e *event) live() bool { return e.timer == nil || !e.timer.stopped.Load() }

// eventHeap is a binary heap ordered by (at, seq). container/heap would allocate
// memory for every event.
type eventHeap []event

func (h *eventHeap) push(e event) {
	s := append(*h, e)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
	*h = s
}

func (h *eventHeap) pop() event {
	s := *h
	top := s[0]
	n := len(s) - 1
	e := s[n]
	s[n] = event{}
	s = s[:n]
	*h = s
	if n == 0 {
		return top
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && s[c+1].before(&s[c]) {
			c++
		}
		if !s[c].before(&e) {
			break
		}
		s[i] = s[c]
		i = c
	}
	s[i] = e
	return top
}

// shift moves every event by d. Their order does not change.
func (h eventHeap) shift(d int64) {
	for i := range h {
		h[i].at += d
	}
}
