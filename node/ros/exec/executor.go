// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Executor runs the callbacks of its nodes, one at a time, on the goroutine
// that called Run. [Simulated] and [RealTime] implement it.
type Executor interface {
	// Now returns the time, ns since the executor's epoch. A wall clock may be set.
	Now() int64
	// Steady returns a time that passes like Now and goes on while the wall clock is set: durations are
	// differences of it, ns. A jump of simulated time, see OnJump, is in both.
	Steady() int64
	// OnJump runs fn as a callback after the time was set back or its source
	// changed. Timers keep their remaining time. The function returned removes fn
	// again.
	OnJump(fn func(Jump)) (cancel func())
	// Run runs callbacks until one of these events, and returns:
	//   - until, called before each callback, returns true: nil, and Run may be
	//     called again; a nil until means never;
	//   - Stop was called: its argument;
	//   - ctx ended: its cause;
	//   - a callback panicked: a *panicError.
	// In the last three cases the executor shuts down. The functions given to
	// OnShutdown run once each, last first. Then the callbacks that are due
	// already run, such as the deliveries of what those functions published. Then
	// Run waits for the work of Async and returns. Any later Run returns
	// errShutDown.
	Run(ctx context.Context, until func() bool) error
	// Post queues fn behind the callbacks that are due already. It returns false,
	// and fn does not run, if the queue is full or the executor has shut down.
	Post(fn func()) bool
	// Deliver is Post without a limit, for callers that limit their callbacks
	// themselves. It is refused only after the shutdown.
	Deliver(fn func())
	// After runs fn once, d from now.
	After(d time.Duration, fn func()) *Timer
	// Every runs fn each period, the first time one period from now. Missed ticks
	// are left out; later ones keep the phase. It panics unless period is positive.
	Every(period time.Duration, fn func()) *Timer
	// Async runs work in parallel with the callbacks, and then done, which may be
	// nil, as a callback. work must not use the nodes. A panic in work ends Run
	// like one in a callback. After the shutdown nothing runs.
	Async(work, done func())
	// OnShutdown runs fn when the executor shuts down. The function returned
	// removes fn again.
	OnShutdown(fn func()) (cancel func())
	// Stop ends Run after the current callback.
	Stop(err error)
	// Close shuts down as Run does, unless that is done, and returns the panics
	// on the way. It must not be called from a callback or while Run runs.
	Close() error
}

// Jump is a step of the clock, as opposed to the passing of time. Both ends are in ns.
type Jump struct{ From, To int64 }

// errShutDown is returned by Run if the executor has shut down already.
var errShutDown = errors.New("ros: the executor has shut down")

// ErrIdle is returned by Run of a Simulated executor if nothing is due any more and
// until has not returned true.
var ErrIdle = errors.New("ros: nothing is due any more")

// panicError is a panic in a callback or in the work given to Async.
type panicError struct {
	Value any
	Stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("ros: a callback panicked: %v\n%s", e.Value, e.Stack)
}

// Unwrap returns the value of the panic if it is an error.
func (e *panicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Safely runs fn and returns its panic, if any, as a *panicError.
func Safely(fn func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, debug.Stack()}
		}
	}()
	fn()
	return nil
}
