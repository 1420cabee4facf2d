package ros

import (
	"context"
	"testing"
)

// A transport may say that messages are ready once for many, or more often than
// there are messages: all are taken, and no more callbacks are due than the queue
// is deep.
func TestDeliveryOfSloppyTransports(t *testing.T) {
	for _, c := range []struct{ messages, readies int }{{1, 1}, {5, 1}, {5, 5}, {3, 100}, {0, 4}, {5, 2}} {
		ex := NewSimulated(0)
		n, err := NewNode(NewInProcess(), ex, "n", NodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d := newDelivery(n, DefaultQoS().WithDepth(5))
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
		if due := ex.ready.Len(); due > 5 {
			t.Errorf("%d callbacks are due for a queue of 5", due)
		}
		if err := ex.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if taken != c.messages || d.pending.Load() != 0 {
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
