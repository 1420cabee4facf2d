// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"
)

// waiter waits for messages on its own thread and runs rclgo's callbacks. All rcl objects
// are opened and closed on that thread between two waits: rclgo's wait set must not change
// during a wait, opening is not safe from several threads, and rcl's errors are per thread.
type waiter struct {
	set *rclgo.WaitSet

	mu      sync.Mutex
	changes []func()
	stop    context.CancelFunc // ends the current wait
	ended   bool
	done    chan struct{}
}

// retryPeriod is the pause after a failed wait.
const retryPeriod = time.Second

func newWaiter() *waiter {
	w := &waiter{stop: func() {}, done: make(chan struct{})}
	go w.run()
	return w
}

func (w *waiter) run() {
	runtime.LockOSThread()
	defer close(w.done)
	for {
		w.mu.Lock()
		changes, ended := w.changes, w.ended
		w.changes = nil
		ctx, stop := context.WithCancel(context.Background())
		w.stop = stop
		w.mu.Unlock()
		for _, change := range changes {
			change()
		}
		if ended {
			stop()
			return
		}
		w.wait(ctx)
		stop()
	}
}

// wait runs callbacks for received messages until ctx ends.
func (w *waiter) wait(ctx context.Context) {
	if w.set == nil { // before the context is opened and after it is closed
		<-ctx.Done()
		return
	}
	err := w.set.Run(ctx)
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	slog.Error("waiting for messages failed and is tried again", "error", plain("rcl_wait", err).Error(), "in_s", retryPeriod.Seconds())
	select {
	case <-ctx.Done():
	case <-time.After(retryPeriod):
	}
}

// do runs change on the thread between two waits and waits for it. rclgo's callbacks must
// not call do.
func (w *waiter) do(change func()) {
	done := make(chan struct{})
	w.mu.Lock()
	w.changes = append(w.changes, func() {
		defer close(done)
		change()
	})
	w.stop()
	w.mu.Unlock()
	<-done
}

// end runs change as the last one.
func (w *waiter) end(change func()) {
	w.mu.Lock()
	w.changes = append(w.changes, change)
	w.ended = true
	w.stop()
	w.mu.Unlock()
	<-w.done
}
