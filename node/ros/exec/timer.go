package exec

import (
	"sync/atomic"
	"time"
)

// Timer runs a function once or periodically, in the time of its executor.
// Stop and Reset may be called only from callbacks of the executor.
type Timer struct {
	q      *queue
	fn     func()
	period int64         // ns; 0 for a single tick
	gen    atomic.Uint32 // counts Stop and Reset; events of an older generation are dead
}

func newTimer(q *queue, wait, period time.Duration, fn func()) *Timer {
	t := &Timer{q: q, fn: fn, period: int64(period)}
	q.arm(t, wait)
	return t
}

// Stop ends the timer: its function does not run any more, until Reset.
func (t *Timer) Stop() { t.gen.Add(1) }

// Reset starts the timer again: the next tick is d from now, and the period of a
// periodic timer becomes d. It panics if the timer is periodic and d is not positive.
func (t *Timer) Reset(d time.Duration) {
	if t.period > 0 {
		mustBePositive(d)
		t.period = int64(d)
	}
	t.gen.Add(1)
	t.q.arm(t, d)
}

func mustBePositive(period time.Duration) {
	if period <= 0 {
		panic("ros: the period of a timer must be positive")
	}
}

// tickAfter returns the next tick of a timer that last ticked at last: one period
// later or, if that is not after now, the first tick of the same phase that is.
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
