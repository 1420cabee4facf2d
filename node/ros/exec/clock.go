// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// rosClock is the time source of a RealTime executor. It returns ROS time, which may
// jump, and queue time, by which timers are ordered: the monotonic clock, so that a
// step of the wall clock delays no timer, or simulated time.
type rosClock struct {
	start  time.Time
	pace   atomic.Pointer[pace] // nil: that of the wall clock
	sim    atomic.Bool
	simNow atomic.Int64 // 0 before the first SetTime, as in rcl
}

// pace is a time that passes faster or slower than the wall clock.
type pace struct {
	from       time.Time // start
	ros, queue int64     // times at the start, ns
	speed      float64
}

func (p *pace) passed() int64 { return int64(p.speed * float64(time.Since(p.from))) }

func (c *rosClock) now() int64 {
	if c.sim.Load() {
		return c.simNow.Load()
	}
	if p := c.pace.Load(); p != nil {
		return p.ros + p.passed()
	}
	return time.Now().UnixNano()
}

// steady is now without what the wall clock was set by since the start.
func (c *rosClock) steady() int64 {
	if c.sim.Load() || c.pace.Load() != nil {
		return c.now()
	}
	return c.start.UnixNano() + int64(time.Since(c.start))
}

func (c *rosClock) queueTime() int64 {
	if c.sim.Load() {
		return c.simNow.Load()
	}
	if p := c.pace.Load(); p != nil {
		return p.queue + p.passed()
	}
	return int64(time.Since(c.start))
}

// wall returns the wall time in which queue time passes by d, at most one hour for a
// changed pace.
func (c *rosClock) wall(d int64) time.Duration {
	if p := c.pace.Load(); p != nil {
		return time.Duration(math.Ceil(min(float64(d)/p.speed, float64(time.Hour))))
	}
	return time.Duration(d)
}

// SetSpeed makes time pass speed times as fast as the wall clock from now on. It is
// meant for the node that publishes /clock, and has no effect on simulated time.
func (r *RealTime) SetSpeed(speed float64) error {
	if !(speed > 0) || math.IsInf(speed, 1) {
		return fmt.Errorf("ros: the speed of time is %g, want more than 0 and finite", speed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if speed == 1 && r.clock.pace.Load() == nil {
		return nil
	}
	r.clock.pace.Store(&pace{from: time.Now(), ros: r.clock.now(), queue: r.clock.queueTime(), speed: speed})
	r.armed = 0
	r.wakeUp()
	return nil
}

// UseSimTime makes the time that of SetTime from now on, which is 0 before its first call.
func (r *RealTime) UseSimTime() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clock.sim.Load() {
		return
	}
	from, queue := r.clock.now(), r.clock.queueTime()
	r.clock.sim.Store(true)
	r.moved(from, queue)
}

// SetTime sets the simulated time, ns. A step back is a jump, and so is the first
// time. It has no effect while the wall clock is used.
func (r *RealTime) SetTime(t int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := r.clock.simNow.Swap(t)
	if !r.clock.sim.Load() {
		return
	}
	if t < from || from == 0 && t != 0 {
		r.moved(from, from)
	}
	r.wakeUp()
}

// moved reports a jump of the clock from a time and a queue time. r.mu is held.
func (r *RealTime) moved(from, queue int64) {
	r.jumped(Jump{From: from, To: r.clock.now()}, r.clock.queueTime()-queue)
	r.armed = 0
	r.wakeUp()
}
