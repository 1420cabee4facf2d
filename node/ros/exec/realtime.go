package exec

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ugp_explorer/node/ros/internal/ring"
)

// RealTimeConfig configures a RealTime executor.
type RealTimeConfig struct {
	// QueueLimit is the number of callbacks from Post that may wait, at least 1.
	// Deliveries do not count: the depths of their subscriptions limit them.
	QueueLimit int
}

// DefaultRealTimeConfig allows 16384 waiting callbacks.
func DefaultRealTimeConfig() RealTimeConfig { return RealTimeConfig{QueueLimit: 1 << 14} }

// RealTime runs callbacks one at a time by the wall clock or, after UseSimTime, by
// the time given to SetTime. Post, Deliver, After, Every, Async, OnShutdown, OnJump,
// Stop and Now may be called from any goroutine.
type RealTime struct {
	limit int
	clock rosClock
	wake  chan struct{}
	works sync.WaitGroup
	alarm *time.Timer // wakes Run at the queue time armed

	mu         sync.Mutex
	armed      int64 // queue time of the alarm; 0: not set
	ready      ring.Queue[event]
	heap       eventHeap // in queue time, see rosClock
	seq        uint64
	posted     int // events in ready that came through Post
	sleeping   bool
	onShutdown hooks[func()]
	stop       atomic.Bool
	stopErr    error // written before stop
	down       bool
}

var _ Executor = (*RealTime)(nil)

// NewRealTime returns an executor on the wall clock.
func NewRealTime(cfg RealTimeConfig) (*RealTime, error) {
	if cfg.QueueLimit < 1 {
		return nil, fmt.Errorf("ros: RealTimeConfig.QueueLimit is %d, want 1 or more", cfg.QueueLimit)
	}
	r := &RealTime{limit: cfg.QueueLimit, wake: make(chan struct{}, 1)}
	r.clock.start = time.Now()
	r.alarm = time.AfterFunc(time.Hour, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.armed = 0
		r.rouse()
	})
	r.alarm.Stop()
	return r, nil
}

// Now returns the time in ns: since the Unix epoch, or as last given to SetTime.
func (r *RealTime) Now() int64 { return r.clock.now() }

// Post implements Executor.
func (r *RealTime) Post(fn func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down || r.posted >= r.limit {
		return false
	}
	r.posted++
	r.push(event{fn: fn, posted: true})
	return true
}

// Deliver implements Executor.
func (r *RealTime) Deliver(fn func()) {
	r.mu.Lock()
	r.push(event{fn: fn})
	r.mu.Unlock()
}

func (r *RealTime) push(e event) {
	if r.down {
		return
	}
	r.ready.Push(e)
	r.rouse()
}

// rouse wakes Run. The caller holds r.mu.
func (r *RealTime) rouse() {
	if r.sleeping {
		r.sleeping = false
		r.wake <- struct{}{} // never blocks: filled only when sleeping is reset
	}
}

func (r *RealTime) arm(t *Timer, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.schedule(t, r.clock.queueTime()+int64(max(wait, 0)), t.gen.Load())
}

func (r *RealTime) schedule(t *Timer, at int64, gen uint32) {
	if r.down {
		return
	}
	r.seq++
	r.heap.push(event{at: at, seq: r.seq, fn: t.fn, timer: t, gen: gen})
	r.rouse()
}

// After implements Executor.
func (r *RealTime) After(d time.Duration, fn func()) *Timer { return newTimer(r, d, 0, fn) }

// Every implements Executor.
func (r *RealTime) Every(period time.Duration, fn func()) *Timer {
	mustBePositive(period)
	return newTimer(r, period, period, fn)
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

// OnShutdown implements Executor.
func (r *RealTime) OnShutdown(fn func()) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := r.onShutdown.add(fn)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.onShutdown.remove(id)
	}
}

// Stop implements Executor. Only the first call counts.
func (r *RealTime) Stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stop.Load() {
		r.stopErr = err
		r.stop.Store(true)
		r.rouse()
	}
}

// Run implements Executor.
func (r *RealTime) Run(ctx context.Context, until func() bool) error {
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
		fn, asleep, err := r.next()
		switch {
		case err != nil:
			return err
		case fn != nil:
			if err := Safely(fn); err != nil {
				return r.shutDown(err)
			}
			continue
		case !asleep:
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		}
		r.mu.Lock()
		if !r.sleeping { // roused: the token may have come after the end of ctx
			select {
			case <-r.wake:
			default:
			}
		}
		r.sleeping = false
		r.mu.Unlock()
	}
}

// Close implements Executor.
func (r *RealTime) Close() error {
	if err := r.shutDown(nil); err != ErrShutDown {
		return err
	}
	return nil
}

// next returns the callback that is due. If there is none, Run goes to sleep, unless
// Stop was called.
func (r *RealTime) next() (fn func(), asleep bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		return nil, false, ErrShutDown
	}
	now := r.clock.queueTime()
	for len(r.heap) > 0 && (r.heap[0].at <= now || !r.heap[0].live()) {
		if e := r.heap.pop(); e.live() {
			r.ready.Push(e)
		}
	}
	if fn := r.popReady(); fn != nil {
		return fn, false, nil
	}
	if r.stop.Load() { // since Run checked
		return nil, false, nil
	}
	r.sleeping = true
	if len(r.heap) > 0 && !r.clock.sim.Load() && r.armed != r.heap[0].at {
		// The same alarm is not set again: that would wake the runtime's poller each time.
		r.armed = r.heap[0].at
		r.alarm.Reset(r.clock.wall(r.armed - now))
	}
	return nil, true, nil
}

// popReady returns the next callback that is due already. The caller holds r.mu.
func (r *RealTime) popReady() func() {
	for r.ready.Len() > 0 {
		e := r.ready.Pop()
		if e.posted {
			r.posted--
		}
		if e.timer == nil {
			return e.fn
		}
		if !e.live() {
			continue
		}
		if e.timer.period > 0 {
			r.schedule(e.timer, tickAfter(e.at, e.timer.period, r.clock.queueTime()), e.gen)
		}
		return e.fn
	}
	return nil
}

func (r *RealTime) shutDown(err error) error {
	r.mu.Lock()
	if r.down {
		r.mu.Unlock()
		return ErrShutDown
	}
	fns := r.onShutdown.list
	r.onShutdown.list = nil
	r.mu.Unlock()
	err = shutDown(err, fns, func() func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.popReady()
	})
	r.mu.Lock()
	r.down, r.ready, r.heap = true, ring.Queue[event]{}, nil
	r.alarm.Stop()
	r.mu.Unlock()
	r.works.Wait()
	return err
}
