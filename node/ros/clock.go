package ros

import (
	"sync/atomic"
	"time"
)

// rosClock is the time source of a RealTime executor. Besides ROS time, which
// may jump, it has the time of the timer queue: the monotonic clock, so that a
// step of the wall clock delays nothing, or simulated time.
type rosClock struct {
	start  time.Time
	sim    atomic.Bool
	simNow atomic.Int64 // 0 before the first SetTime, as in rcl
	onJump hooks[func(Jump)]
}

func (c *rosClock) simulated() bool { return c.sim.Load() }

func (c *rosClock) now() int64 {
	if c.sim.Load() {
		return c.simNow.Load()
	}
	return time.Now().UnixNano()
}

func (c *rosClock) queueTime() int64 {
	if c.sim.Load() {
		return c.simNow.Load()
	}
	return int64(time.Since(c.start))
}

// SimTimeUser is an executor whose time can come from outside, as from /clock.
type SimTimeUser interface {
	UseSimTime(on bool)
	SetTime(t int64)
}

var _ SimTimeUser = (*RealTime)(nil)

// UseSimTime changes between the wall clock and the time that SetTime is given,
// which is 0 before the first.
func (r *RealTime) UseSimTime(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clock.sim.Load() == on {
		return
	}
	from, queue := r.clock.now(), r.clock.queueTime()
	r.clock.sim.Store(on)
	r.jumped(from, queue)
}

// SetTime sets the simulated time, ns. Going back, and the first time after
// none, is a jump. It has no effect on the wall clock.
func (r *RealTime) SetTime(t int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := r.clock.simNow.Swap(t)
	if !r.clock.sim.Load() {
		return
	}
	if t < from || from == 0 && t != 0 {
		r.jumped(from, from)
	}
	r.rouse()
}

// jumped moves the timers along and tells who wants to know. r.mu is held.
func (r *RealTime) jumped(from, queue int64) {
	d := r.clock.queueTime() - queue
	r.heap.shift(d)
	r.ready.each(func(e *event) { e.at += d })
	jump := Jump{From: from, To: r.clock.now()}
	for _, h := range r.clock.onJump.list {
		r.push(event{fn: func() { h.fn(jump) }})
	}
	r.rouse()
}

// OnJump implements Clock.
func (r *RealTime) OnJump(fn func(Jump)) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := r.clock.onJump.add(fn)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.clock.onJump.remove(id)
	}
}
