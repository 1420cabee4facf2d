package ros

import (
	"sync/atomic"
	"time"
)

// Timer runs a function once or periodically, in the time of its executor.
// Stop and Reset are for callbacks of the executor.
type Timer struct {
	ex     Executor
	fn     func()
	period int64         // ns, 0 when it ticks once
	gen    atomic.Uint32 // counts Stop and Reset: events of an older generation are dead
}

func newTimer(ex Executor, wait, period time.Duration, fn func()) *Timer {
	t := &Timer{ex: ex, fn: fn, period: int64(period)}
	ex.arm(t, wait)
	return t
}

// Stop ends the timer: fn runs no more. It may be started again with Reset.
func (t *Timer) Stop() { t.gen.Add(1) }

// Reset starts the timer anew: the next tick is d from now, and a periodic
// timer goes on with period d. It panics when d is not positive and the timer
// is periodic.
func (t *Timer) Reset(d time.Duration) {
	if t.period > 0 {
		mustBePositive(d)
		t.period = int64(d)
	}
	t.gen.Add(1)
	t.ex.arm(t, d)
}

func mustBePositive(period time.Duration) {
	if period <= 0 {
		panic("ros: the period of a timer must be positive")
	}
}

// tickAfter returns the first tick after now of a timer that last ticked at
// last: one period later, or, when that is past, the next in the same phase.
func tickAfter(last, period, now int64) int64 {
	next := last + period
	if next <= now {
		next += (now - next) / period * period
		if next <= now {
			next += period
		}
	}
	return next
}
