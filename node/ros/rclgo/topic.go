// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
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
	_ ros.End = (*topicWriter)(nil)
	_ ros.End = (*topicReader)(nil)
)

func newWriter(x *end, typ *messageType) (ros.End, error) {
	w := &topicWriter{end: x}
	x.before = func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.closed = true
		return nil
	}
	x.close = func() error { return w.pub.Close() }
	if err := x.open(func(n *rclgo.Node) (err error) {
		w.pub, err = n.NewPublisher(x.Own.Name, typ, &rclgo.PublisherOptions{Qos: profile(x.Own.QoS)})
		return err
	}); err != nil {
		return nil, err
	}
	return w, nil
}

// Send implements ros.End. The stamp is not sent; rcl uses the system time instead.
func (w *topicWriter) Send(m ros.Message) (int64, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return 0, fmt.Errorf("%s: %w", w.Own.Name, ros.ErrClosed)
	}
	if len(m.CDR) < 4 {
		return 0, fmt.Errorf("ros/rclgo: %s: %d bytes are not a message", w.Own.Name, len(m.CDR))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := w.pub.PublishSerialized(m.CDR); err != nil {
		return 0, plain("publishing on "+w.Own.Name, err)
	}
	return 0, nil
}

// Matched implements ros.End.
func (w *topicWriter) Matched() int {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return matched(w.closed, w.pub.GetSubscriptionCount)
}

func newReader(x *end, typ *messageType) (ros.End, error) {
	t := x.t
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
		if r.sub, err = n.NewSubscription(x.Own.Name, typ, &rclgo.SubscriptionOptions{Qos: profile(x.Own.QoS)}, r.receive); err == nil {
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
	if r.Push(ends.Message{Message: ros.Message{CDR: cdr, Info: ros.MessageInfo{Source: info.SourceTimestamp.UnixNano(), Received: r.Listener.Now()}}}) {
		r.Ready()
	}
}

// Send implements ros.End: a subscription sends nothing.
func (r *topicReader) Send(ros.Message) (int64, error) { return 0, errors.ErrUnsupported }

// Matched implements ros.End.
func (r *topicReader) Matched() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return matched(r.closed, r.sub.GetPublisherCount)
}

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
