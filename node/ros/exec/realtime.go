// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"context"
	"sync"
	"time"
)

// queueLimit is the largest number of callbacks from Post that may wait. Deliveries do not
// count: the depths of their subscriptions limit them.
const queueLimit = 1 << 14

// RealTime runs callbacks one at a time by the wall clock or, after UseSimTime, by
// the time given to SetTime. Post, Deliver, After, Every, Async, OnShutdown, OnJump,
// Stop, Now and Steady may be called from any goroutine.
type RealTime struct {
	queue // in queue time, see rosClock
	clock rosClock
	wake  chan struct{}
	works sync.WaitGroup
	alarm *time.Timer // wakes Run at the queue time armed

	source   Source
	armed    int64 // queue time of the alarm; 0: not set
	sleeping bool
}

var _ Executor = (*RealTime)(nil)

// Source delivers callbacks, such as those of a transport, and lets Run sleep until one arrives. An
// arrival wakes Run's goroutine directly, without another goroutine in between. Both methods may be
// called from any goroutine.
type Source interface {
	// Sleep waits until Wake is called or something arrives. Then it calls awake and queues the
	// callbacks of the arrivals. It returns false if it cannot wait: the source is closed, or
	// another executor sleeps there.
	Sleep(awake func()) bool
	// Wake ends Sleep, also one that is about to begin.
	Wake()
}

// nowhere is the Source of an executor without one.
type nowhere struct{}

func (nowhere) Sleep(func()) bool { return false }
func (nowhere) Wake()             {}

// SleepIn makes Run sleep in s from now on.
func (r *RealTime) SleepIn(s Source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wakeUp()
	r.source = s
}

// NewRealTime returns an executor on the wall clock.
func NewRealTime() *RealTime {
	r := &RealTime{wake: make(chan struct{}, 1), source: nowhere{}}
	r.clock.start = time.Now()
	r.time, r.rouse = r.clock.queueTime, r.wakeUp
	r.ended = func() {
		r.alarm.Stop()
		r.works.Wait()
	}
	r.alarm = time.AfterFunc(time.Hour, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.armed = 0
		r.wakeUp()
	})
	r.alarm.Stop()
	return r
}

// Now returns the time in ns: since the Unix epoch, or as last given to SetTime.
func (r *RealTime) Now() int64 { return r.clock.now() }

// Steady implements Executor.
func (r *RealTime) Steady() int64 { return r.clock.steady() }

// Post implements Executor.
func (r *RealTime) Post(fn func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down || r.posted >= queueLimit {
		return false
	}
	r.posted++
	r.push(event{fn: fn, posted: true})
	return true
}

// wakeUp wakes Run. r.mu is held.
func (r *RealTime) wakeUp() {
	if r.sleeping {
		r.sleeping = false
		r.wake <- struct{}{} // never blocks: filled only when sleeping is reset
		r.source.Wake()
	}
}

// awake ends the sleep of Run.
func (r *RealTime) awake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.sleeping { // roused: the token may not be taken yet
		select {
		case <-r.wake:
		default:
		}
	}
	r.sleeping = false
}

// Async runs work on its own goroutine. The shutdown waits for work and does not run
// done any more.
func (r *RealTime) Async(work, done func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		return
	}
	r.works.Go(func() { // down is not set yet, so nobody waits yet
		if err := Safely(work); err != nil {
			r.Stop(err)
		} else if done != nil {
			r.Deliver(done)
		}
	})
}

// Run implements Executor.
func (r *RealTime) Run(ctx context.Context, until func() bool) error {
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wakeUp()
	})()
	awake := r.awake
	for {
		if ctx.Err() != nil {
			return r.shutDown(context.Cause(ctx))
		}
		if r.stop.Load() {
			return r.shutDown(r.stopErr)
		}
		if until != nil && until() {
			return nil
		}
		fn, source, err := r.next(ctx)
		switch {
		case err != nil:
			return err
		case fn != nil:
			if err := Safely(fn); err != nil {
				return r.shutDown(err)
			}
			continue
		case source == nil:
			continue
		}
		if !source.Sleep(awake) {
			<-r.wake
			awake()
		}
	}
}

// next returns the callback that is due. If there is none, it returns where Run goes to sleep,
// unless Stop was called or ctx ended.
func (r *RealTime) next(ctx context.Context) (fn func(), sleepIn Source, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		return nil, nil, errShutDown
	}
	now := r.clock.queueTime()
	for len(r.heap) > 0 && (r.heap[0].at <= now || !r.heap[0].live()) {
		if e := r.heap.pop(); e.live() {
			r.ready.Push(e)
		}
	}
	if fn := r.popReady(); fn != nil {
		return fn, nil, nil
	}
	if r.stop.Load() || ctx.Err() != nil { // since Run checked
		return nil, nil, nil
	}
	r.sleeping = true
	if len(r.heap) > 0 && !r.clock.sim.Load() && r.armed != r.heap[0].at {
		// The same alarm is not set again: that would wake the runtime's poller each time.
		r.armed = r.heap[0].at
		r.alarm.Reset(r.clock.wall(r.armed - now))
	}
	return nil, r.source, nil
}
