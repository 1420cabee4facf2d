package ros

import (
	"context"
	"testing"

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

// A transport may report several messages with one call of Ready, or call it more
// often than there are messages: all messages are taken, and no more callbacks are
// due than the queue is deep.
func TestDeliveryOfSloppyTransports(t *testing.T) {
	for _, c := range []struct{ messages, readies int }{{1, 1}, {5, 1}, {5, 5}, {3, 100}, {0, 4}, {5, 2}} {
		ex := &dueExecutor{Simulated: exec.NewSimulated(0)}
		d := newDelivery(&Node{ex: ex}, DefaultQoS().WithDepth(5))
		left, taken := c.messages, 0
		d.take = func() int {
			if left == 0 {
				return -1
			}
			left--
			taken++
			return left
		}
		for range c.readies {
			d.ready()
		}
		if err := ex.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if ex.most > 5 {
			t.Errorf("%d callbacks were due for a queue of 5", ex.most)
		}
		if taken != c.messages || ex.due != 0 || d.pending.Load() != 0 {
			t.Errorf("%d of %d messages were taken after %d calls of Ready, %d callbacks pending", taken, c.messages, c.readies, d.pending.Load())
		}
		d.ready() // the first message after that
		left = 1
		if err := ex.Run(context.Background(), nil); err != nil || taken != c.messages+1 {
			t.Errorf("the message after that was not taken: %v", err)
		}
		d.ready()
		d.closed, left = true, 1
		if err := ex.Run(context.Background(), nil); err != nil || left != 1 {
			t.Errorf("a message was taken after the end: %v", err)
		}
	}
}
