package exec

import (
	"context"
	"fmt"
	"math"
	"time"

	"ugp_explorer/node/ros/internal/ring"
)

// Simulated is a discrete-event executor: time stands still while callbacks run and
// then moves to the next event. Events run in the order of their times, and those of
// the same time in the order in which they were posted, so a run depends only on its
// inputs. Work given to Async runs at once, and done is posted.
//
// A Simulated executor and all its nodes must be used by one goroutine; after Pace, others may
// Post.
type Simulated struct {
	now        int64
	seq        uint64
	ready      ring.Queue[event] // due now, in order
	heap       eventHeap         // due later
	atInstant  int               // callbacks run since time moved or Run began
	onShutdown hooks[func()]
	onJump     hooks[func(Jump)]
	stop       bool
	stopErr    error
	down       bool
	pace       *tempo // nil: time passes as fast as it can
}

var _ Executor = (*Simulated)(nil)

// instantLimit is the number of callbacks that may run at one time. More than that
// means that nodes answer each other endlessly.
const instantLimit = 1 << 20

// NewSimulated returns an executor whose clock starts at start, ns.
func NewSimulated(start int64) *Simulated { return &Simulated{now: start} }

// Now returns the virtual time, ns.
func (s *Simulated) Now() int64 { return s.now }

// OnJump implements Executor. fn is called after each Jump.
func (s *Simulated) OnJump(fn func(Jump)) (cancel func()) {
	id := s.onJump.add(fn)
	return func() { s.onJump.remove(id) }
}

// Jump sets the clock to t, ns, without running the events until then. Timers keep
// their remaining time, as when /clock jumps.
func (s *Simulated) Jump(t int64) {
	jump := Jump{From: s.now, To: t}
	d := t - s.now
	s.heap.shift(d)
	s.ready.Each(func(e *event) { e.at += d })
	s.now, s.atInstant = t, 0
	for _, h := range s.onJump.list {
		s.Deliver(func() { h.fn(jump) })
	}
}

// Post implements Executor.
func (s *Simulated) Post(fn func()) bool {
	if s.pace != nil {
		return s.pace.post(fn)
	}
	s.Deliver(fn)
	return !s.down
}

// Deliver implements Executor.
func (s *Simulated) Deliver(fn func()) {
	if !s.down {
		s.ready.Push(event{at: s.now, fn: fn})
	}
}

func (s *Simulated) arm(t *Timer, wait time.Duration) {
	s.push(event{at: s.now + int64(max(wait, 0)), fn: t.fn, timer: t, gen: t.gen.Load()})
}

func (s *Simulated) push(e event) {
	if e.at <= s.now {
		s.ready.Push(e)
		return
	}
	s.seq++
	e.seq = s.seq
	s.heap.push(e)
}

// After implements Executor.
func (s *Simulated) After(d time.Duration, fn func()) *Timer { return newTimer(s, d, 0, fn) }

// Every implements Executor.
func (s *Simulated) Every(period time.Duration, fn func()) *Timer {
	mustBePositive(period)
	return newTimer(s, period, period, fn)
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

// OnShutdown implements Executor.
func (s *Simulated) OnShutdown(fn func()) (cancel func()) {
	id := s.onShutdown.add(fn)
	return func() { s.onShutdown.remove(id) }
}

// Stop implements Executor.
func (s *Simulated) Stop(err error) { s.stop, s.stopErr = true, err }

// Run implements Executor. If nothing is due any more, it returns ErrIdle, or nil if
// until is nil.
func (s *Simulated) Run(ctx context.Context, until func() bool) error {
	if s.down {
		return ErrShutDown
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
		case s.stop:
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
		if at > s.now {
			s.now, s.atInstant = at, 0
			for len(s.heap) > 0 && s.heap[0].at <= at { // in front of everything that will be posted now
				s.ready.Push(s.heap.pop())
			}
		} else if s.atInstant++; s.atInstant > instantLimit {
			return s.shutDown(fmt.Errorf("ros: %d callbacks ran at time %d ns: nodes answer each other endlessly", instantLimit, s.now))
		}
		if err := Safely(s.popReady()); err != nil {
			return s.shutDown(err)
		}
	}
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

// Close implements Executor.
func (s *Simulated) Close() error {
	if s.down {
		return nil
	}
	return s.shutDown(nil)
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

// popReady returns the next callback, or nil if nothing is due now. It schedules the
// next tick of a periodic timer.
func (s *Simulated) popReady() func() {
	for s.ready.Len() > 0 {
		e := s.ready.Pop()
		if !e.live() {
			continue
		}
		if t := e.timer; t != nil && t.period > 0 {
			s.push(event{at: tickAfter(e.at, t.period, s.now), fn: t.fn, timer: t, gen: e.gen})
		}
		return e.fn
	}
	return nil
}

func (s *Simulated) shutDown(err error) error {
	fns := s.onShutdown.list
	s.onShutdown.list = nil
	err = shutDown(err, fns, s.popReady)
	s.down, s.ready, s.heap = true, ring.Queue[event]{}, nil
	if s.pace != nil {
		s.pace.close()
	}
	return err
}
