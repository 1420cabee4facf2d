// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"ugp_explorer/node/ros/internal/ring"
)

// queue is what both executors share: the callbacks that are due now and later, and the end.
type queue struct {
	time  func() int64 // by which events are ordered, ns
	rouse func()       // wakes Run; mu is held
	ended func()       // called when the queue is shut down

	mu         sync.Mutex
	ready      ring.Queue[event] // due now, in order
	heap       eventHeap         // due later
	seq        uint64
	posted     int // events in ready that came through Post
	onJump     hooks[func(Jump)]
	onShutdown hooks[func()]
	stop       atomic.Bool
	stopErr    error // written before stop
	down       bool
}

// OnJump implements Executor.
func (q *queue) OnJump(fn func(Jump)) (cancel func()) { return q.onJump.add(&q.mu, fn) }

// OnShutdown implements Executor.
func (q *queue) OnShutdown(fn func()) (cancel func()) { return q.onShutdown.add(&q.mu, fn) }

// Deliver implements Executor.
func (q *queue) Deliver(fn func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.push(event{fn: fn})
}

// push makes an event due now. q.mu is held.
func (q *queue) push(e event) {
	if !q.down {
		q.ready.Push(e)
		q.rouse()
	}
}

// After implements Executor.
func (q *queue) After(d time.Duration, fn func()) *Timer { return q.start(&Timer{fn: fn}, d) }

// Every implements Executor.
func (q *queue) Every(period time.Duration, fn func()) *Timer {
	mustBePositive(period)
	return q.start(&Timer{fn: fn, period: int64(period)}, period)
}

// start schedules the first tick of t after wait.
func (q *queue) start(t *Timer, wait time.Duration) *Timer {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.time()
	q.schedule(t, now, now+int64(max(wait, 0)))
	return t
}

func (q *queue) schedule(t *Timer, now, at int64) {
	e := event{at: at, fn: t.fn, timer: t}
	switch {
	case at <= now:
		q.push(e)
	case !q.down:
		q.seq++
		e.seq = q.seq
		q.heap.push(e)
		q.rouse()
	}
}

// popReady returns the next callback that is due already, nil if there is none. It schedules
// the next tick of a periodic timer. q.mu is held.
func (q *queue) popReady() func() {
	for q.ready.Len() > 0 {
		e := q.ready.Pop()
		if e.posted {
			q.posted--
		}
		if !e.live() {
			continue
		}
		if e.timer != nil && e.timer.period > 0 {
			now := q.time() // asked once: a tick later than that is not due yet, and does not run in a shutdown
			q.schedule(e.timer, now, tickAfter(e.at, e.timer.period, now))
		}
		return e.fn
	}
	return nil
}

// jumped shifts the timers by the jump of queue time, and posts the functions given to OnJump.
// q.mu is held.
func (q *queue) jumped(jump Jump, by int64) {
	q.heap.shift(by)
	q.ready.Each(func(e *event) { e.at += by })
	for _, h := range q.onJump.list {
		q.push(event{fn: func() { h.fn(jump) }})
	}
}

// Stop implements Executor. Only the first call counts.
func (q *queue) Stop(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.stop.Load() {
		q.stopErr = err
		q.stop.Store(true)
		q.rouse()
	}
}

// Close implements Executor.
func (q *queue) Close() error {
	if err := q.shutDown(nil); err != errShutDown {
		return err
	}
	return nil
}

// shutdownBudget is how many callbacks may still run after the shutdown functions:
// enough to deliver a robot's last messages, but not endless for nodes that answer
// each other.
const shutdownBudget = 10_000

// shutDown runs the functions of OnShutdown, last first, then the callbacks that are due, and
// returns err joined with the panics on the way.
func (q *queue) shutDown(err error) error {
	q.mu.Lock()
	if q.down {
		q.mu.Unlock()
		return errShutDown
	}
	fns := q.onShutdown.list
	q.onShutdown.list = nil
	q.mu.Unlock()
	var panics []error
	for i := len(fns) - 1; i >= 0; i-- {
		panics = append(panics, Safely(fns[i].fn))
	}
	for range shutdownBudget {
		q.mu.Lock()
		fn := q.popReady()
		q.mu.Unlock()
		if fn == nil {
			break
		}
		panics = append(panics, Safely(fn))
	}
	if more := errors.Join(panics...); more != nil {
		err = errors.Join(err, more)
	}
	q.mu.Lock()
	q.down, q.ready, q.heap = true, ring.Queue[event]{}, nil
	q.mu.Unlock()
	q.ended()
	return err
}

// hooks is a list of functions, each of which can be removed again.
type hooks[F any] struct {
	next int
	list []hook[F]
}

type hook[F any] struct {
	id int
	fn F
}

// add appends fn, with mu held, and returns what removes it.
func (h *hooks[F]) add(mu *sync.Mutex, fn F) (remove func()) {
	mu.Lock()
	defer mu.Unlock()
	h.next++
	id := h.next
	h.list = append(h.list, hook[F]{id, fn})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		for i, e := range h.list {
			if e.id == id {
				h.list = append(h.list[:i:i], h.list[i+1:]...)
				return
			}
		}
	}
}
