// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"context"
	"fmt"
	"math"
)

// Simulated is a discrete-event executor: time stands still while callbacks run and
// then moves to the next event. Events run in the order of their times, and those of
// the same time in the order in which they were posted, so a run depends only on its
// inputs. Work given to Async runs at once, and done is posted.
//
// A Simulated executor and all its nodes must be used by one goroutine; after Pace, others may
// Post.
type Simulated struct {
	queue     // its lock is not needed here, and costs time in front of each callback
	now       int64
	atInstant int    // callbacks run since time moved or Run began
	pace      *tempo // nil: time passes as fast as it can
}

var _ Executor = (*Simulated)(nil)

// instantLimit is the number of callbacks that may run at one time. More than that
// means that nodes answer each other endlessly.
const instantLimit = 1 << 20

// NewSimulated returns an executor whose clock starts at start, ns.
func NewSimulated(start int64) *Simulated {
	s := &Simulated{now: start}
	s.time, s.rouse = s.Now, func() {}
	s.ended = func() {
		if s.pace != nil {
			s.pace.close()
		}
	}
	return s
}

// Now returns the virtual time, ns.
func (s *Simulated) Now() int64 { return s.now }

// Steady implements Executor: nobody sets a virtual clock.
func (s *Simulated) Steady() int64 { return s.now }

// Jump sets the clock to t, ns, without running the events until then. Timers keep
// their remaining time, as when /clock jumps.
func (s *Simulated) Jump(t int64) {
	jump := Jump{From: s.now, To: t}
	s.now, s.atInstant = t, 0
	s.jumped(jump, jump.To-jump.From)
}

// Post implements Executor.
func (s *Simulated) Post(fn func()) bool {
	if s.pace != nil {
		return s.pace.post(fn)
	}
	s.Deliver(fn)
	return !s.down
}

// Async runs work now and posts done; see Pace for people who watch.
func (s *Simulated) Async(work, done func()) {
	if s.down {
		return
	}
	if s.pace != nil {
		s.pace.run(work, done)
		return
	}
	work()
	if done != nil {
		s.Deliver(done)
	}
}

// Run implements Executor. If nothing is due any more, it returns ErrIdle, or nil if
// until is nil.
func (s *Simulated) Run(ctx context.Context, until func() bool) error {
	if s.down {
		return errShutDown
	}
	s.atInstant = 0
	done := ctx.Done()
	for {
		select {
		case <-done:
			return s.shutDown(context.Cause(ctx))
		default:
		}
		switch {
		case s.stop.Load():
			return s.shutDown(s.stopErr)
		case until != nil && until():
			return nil
		}
		at, ok := s.peek()
		if !ok && s.working() { // its end is due next
			at, ok = math.MaxInt64, true
		}
		if !ok {
			if until == nil {
				return nil
			}
			return ErrIdle
		}
		if s.pace != nil && !s.pace.reached(ctx, s, at) {
			continue
		}
		fn, err := s.next(at)
		if err == nil {
			err = Safely(fn)
		}
		if err != nil {
			return s.shutDown(err)
		}
	}
}

// next moves time to at, if that is later, and returns the next callback.
func (s *Simulated) next(at int64) (func(), error) {
	if at > s.now {
		s.now, s.atInstant = at, 0
		for len(s.heap) > 0 && s.heap[0].at <= at { // in front of everything that will be posted now
			s.ready.Push(s.heap.pop())
		}
	} else if s.atInstant++; s.atInstant > instantLimit {
		return nil, fmt.Errorf("ros: %d callbacks ran at time %d ns: nodes answer each other endlessly", instantLimit, s.now)
	}
	return s.popReady(), nil
}

// RunTo runs everything that is due up to the time t, ns, and then sets the clock to t.
func (s *Simulated) RunTo(ctx context.Context, t int64) error {
	err := s.Run(ctx, func() bool {
		at, ok := s.peek()
		return (!ok || at > t) && !s.working()
	})
	if err == nil && t > s.now {
		s.now, s.atInstant = t, 0
	}
	return err
}

// peek returns the time of the next live event. It removes dead ones before it.
func (s *Simulated) peek() (at int64, ok bool) {
	for s.ready.Len() > 0 {
		if s.ready.Front().live() {
			return s.now, true
		}
		s.ready.Pop()
	}
	for len(s.heap) > 0 {
		if s.heap[0].live() {
			return s.heap[0].at, true
		}
		s.heap.pop()
	}
	return 0, false
}
