//go:build rclgo

package rclgo

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

type topicWriter struct {
	*end
	pub *rclgo.Publisher

	mu     sync.RWMutex // held for reading while pub is in use
	closed bool
}

type topicReader struct {
	*end
	sub *rclgo.Subscription

	mu     sync.RWMutex
	closed bool
}

var (
	_ ros.Writer = (*topicWriter)(nil)
	_ ros.Reader = (*topicReader)(nil)
)

// NewWriter implements ros.Transport. With some middlewares a process cannot use a topic
// with two types; then the second one is an error.
func (t *Transport) NewWriter(e ros.Endpoint, l ros.Listener) (ros.Writer, error) {
	x, err := t.newEnd(ros.PublisherEnd, e, l)
	if err != nil {
		return nil, err
	}
	typ, err := messageOf(e.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	w := &topicWriter{end: x}
	x.before = func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.closed = true
		return nil
	}
	x.close = func() error { return w.pub.Close() }
	if err := x.open(func(n *rclgo.Node) (err error) {
		w.pub, err = n.NewPublisher(e.Name, typ, &rclgo.PublisherOptions{Qos: profile(e.QoS)})
		return err
	}); err != nil {
		return nil, err
	}
	return w, nil
}

// Publish implements ros.Writer. The stamp is not sent; rcl uses the system time instead.
func (w *topicWriter) Publish(cdr []byte, _ int64) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return fmt.Errorf("%s: %w", w.Own.Name, ros.ErrClosed)
	}
	if len(cdr) < 4 {
		return fmt.Errorf("ros/rclgo: %s: %d bytes are not a message", w.Own.Name, len(cdr))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := w.pub.PublishSerialized(cdr); err != nil {
		return plain("publishing on "+w.Own.Name, err)
	}
	return nil
}

// Matched implements ros.Writer.
func (w *topicWriter) Matched() int {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return matched(w.closed, w.pub.GetSubscriptionCount)
}

// Close implements ros.Writer.
func (w *topicWriter) Close() error { return w.shut() }

// NewReader implements ros.Transport.
func (t *Transport) NewReader(e ros.Endpoint, l ros.Listener) (ros.Reader, error) {
	x, err := t.newEnd(ros.SubscriptionEnd, e, l)
	if err != nil {
		return nil, err
	}
	typ, err := messageOf(e.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	r := &topicReader{end: x}
	x.before = func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.closed = true
		return nil
	}
	x.close = func() error {
		t.wait.set.Subscriptions = slices.DeleteFunc(t.wait.set.Subscriptions, func(s *rclgo.Subscription) bool { return s == r.sub })
		return r.sub.Close()
	}
	if err := x.open(func(n *rclgo.Node) (err error) {
		if r.sub, err = n.NewSubscription(e.Name, typ, &rclgo.SubscriptionOptions{Qos: profile(e.QoS)}, r.receive); err == nil {
			t.wait.set.AddSubscriptions(r.sub)
		}
		return err
	}); err != nil {
		return nil, err
	}
	return r, nil
}

// receive queues the message that waits in rcl. It runs on the waiter's thread.
func (r *topicReader) receive(s *rclgo.Subscription) {
	cdr, info, err := s.TakeSerializedMessage()
	if err != nil {
		lastError()
		if _, none := err.(*rclgo.SubscriptionTakeFailed); !none {
			r.Drop()
		}
		return
	}
	if r.Push(ends.Message{Info: ros.MessageInfo{Source: info.SourceTimestamp.UnixNano(), Received: r.Listener.Now()}}, cdr) {
		r.Ready()
	}
}

// Take implements ros.Reader.
func (r *topicReader) Take(fn func(cdr []byte, info ros.MessageInfo)) int {
	return r.TakeMessage(fn)
}

// Matched implements ros.Reader.
func (r *topicReader) Matched() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return matched(r.closed, r.sub.GetPublisherCount)
}

// Close implements ros.Reader.
func (r *topicReader) Close() error { return r.shut() }

func matched(closed bool, count func() (int, error)) int {
	if closed {
		return 0
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n, err := count()
	if err != nil {
		lastError() // the context is gone
	}
	return n
}
