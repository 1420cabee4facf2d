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

// waiter waits for what comes in, with rclgo's callbacks, on a thread of its own.
// Everything in rcl that is opened or closed is so on that thread, between two
// waits: rclgo's wait set must not change while it waits, opening is not safe
// from several threads, and rcl's errors are the thread's.
type waiter struct {
	set *rclgo.WaitSet
	log *slog.Logger

	mu      sync.Mutex
	changes []func()
	stop    context.CancelFunc // ends the wait that goes on
	ended   bool
	done    chan struct{}
}

// retryPeriod is how long a waiter whose wait failed leaves it alone.
const retryPeriod = time.Second

func newWaiter(log *slog.Logger) *waiter {
	w := &waiter{log: log, stop: func() {}, done: make(chan struct{})}
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

// wait has what comes in called back until ctx ends.
func (w *waiter) wait(ctx context.Context) {
	if w.set == nil { // as long as there is no context, and after it
		<-ctx.Done()
		return
	}
	err := w.set.Run(ctx)
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	w.log.Error("waiting for messages failed, it is tried again", "error", plain("rcl_wait", err).Error(), "in_s", retryPeriod.Seconds())
	select {
	case <-ctx.Done():
	case <-time.After(retryPeriod):
	}
}

// do has change run on the thread, between two waits, and waits for it. What
// rclgo calls back must not call it.
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

// end has change run as the last one.
func (w *waiter) end(change func()) {
	w.mu.Lock()
	w.changes = append(w.changes, change)
	w.ended = true
	w.stop()
	w.mu.Unlock()
	<-w.done
}
