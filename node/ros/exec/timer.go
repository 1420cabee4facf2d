// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"sync/atomic"
	"time"
)

// Timer runs a function once or periodically, in the time of its executor.
type Timer struct {
	fn      func()
	period  int64 // ns; 0 for a single tick
	stopped atomic.Bool
}

// Stop ends the timer: its function does not run any more. It may be called only from callbacks
// of the executor.
func (t *Timer) Stop() { t.stopped.Store(true) }

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
