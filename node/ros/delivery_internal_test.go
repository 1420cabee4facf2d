// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"context"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros/exec"
)

// dueExecutor counts the deliveries that are due.
type dueExecutor struct {
	*exec.Simulated
	due, most int
}

func (ex *dueExecutor) Deliver(fn func()) {
	ex.due++
	ex.most = max(ex.most, ex.due)
	ex.Simulated.Deliver(func() {
		ex.due--
		fn()
	})
}

// sloppy is an end with messages that wait.
type sloppy struct {
	End
	left, taken int
}

func (s *sloppy) Take(func(Message)) int {
	if s.left == 0 {
		return -1
	}
	s.left--
	s.taken++
	return s.left
}

// A transport may report several messages with one call of Ready, or call it more
// often than there are messages: all messages are taken, and no more callbacks are
// due than the queue is deep.
func TestDeliveryOfSloppyTransports(t *testing.T) {
	for _, c := range []struct{ messages, readies int }{{1, 1}, {5, 1}, {5, 5}, {3, 100}, {0, 4}, {5, 2}} {
		ex := &dueExecutor{Simulated: exec.NewSimulated(0)}
		end := &sloppy{left: c.messages}
		d := &delivery{opened: opened{end: end}, node: &Node{ex: ex}, limit: 5}
		d.run = d.runOne
		for range c.readies {
			d.ready()
		}
		must.OK(t, ex.Run(context.Background(), nil))
		if ex.most > 5 {
			t.Errorf("%d callbacks were due for a queue of 5", ex.most)
		}
		if end.taken != c.messages || ex.due != 0 || d.pending.Load() != 0 {
			t.Errorf("%d of %d messages were taken after %d calls of Ready, %d callbacks pending", end.taken, c.messages, c.readies, d.pending.Load())
		}
		d.ready() // the first message after that
		end.left = 1
		if err := ex.Run(context.Background(), nil); err != nil || end.taken != c.messages+1 {
			t.Errorf("the message after that was not taken: %v", err)
		}
		d.ready()
		d.closed, end.left = true, 1
		if err := ex.Run(context.Background(), nil); err != nil || end.left != 1 {
			t.Errorf("a message was taken after the end: %v", err)
		}
	}
}
