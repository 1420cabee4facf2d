// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

// pace says when a sensor measures: on the first tick at or after each period.
type pace struct {
	period     int64 // ns
	last, next int64 // ns
	started    bool
}

// due reports whether a measurement is due at time now (ns), and returns the time since the last
// one, s. The first tick begins the first period.
func (p *pace) due(now int64) (dt float64, ok bool) {
	if !p.started {
		p.started, p.last, p.next = true, now, now+p.period
	}
	if now < p.next {
		return 0, false
	}
	dt = float64(now-p.last) * 1e-9
	p.last = now
	p.next += p.period * ((now-p.next)/p.period + 1)
	return dt, true
}

// delayed is a message with the time at which it is delivered.
type delayed[T any] struct {
	due int64 // ns
	msg T
}

// delayQueue holds messages until they are due. Messages leave it in the order in which
// they entered. Its memory is reused.
type delayQueue[T any] struct{ items []delayed[T] }

func (q *delayQueue[T]) push(due int64, msg T) {
	q.items = append(q.items, delayed[T]{due, msg})
}

// pop returns the oldest message when it is due by now.
func (q *delayQueue[T]) pop(now int64) (msg T, ok bool) {
	if len(q.items) == 0 || q.items[0].due > now {
		return msg, false
	}
	msg = q.items[0].msg
	copy(q.items, q.items[1:])
	q.items = q.items[:len(q.items)-1]
	return msg, true
}
