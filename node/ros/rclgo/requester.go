// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// requester is the client of a service. rclgo keeps a goroutine for each request until its
// reply arrives.
type requester struct {
	*end
	client *rclgo.Client
	out    outgoing

	calls  context.Context // ends with the requester
	cancel context.CancelFunc
	asking sync.WaitGroup

	mu     sync.Mutex // over what follows, and while a request is sent
	closed bool
	last   int64 // number of the last request
	giveUp map[int64]context.CancelFunc
}

var _ ros.End = (*requester)(nil)

func newRequester(x *end, typ *serviceType) (ros.End, error) {
	t := x.t
	c := &requester{end: x, out: outgoing{messageType: typ.request}, giveUp: map[int64]context.CancelFunc{}}
	c.calls, c.cancel = context.WithCancel(context.Background())
	x.before = func() error {
		c.mu.Lock()
		c.closed = true
		c.mu.Unlock()
		c.cancel()
		c.asking.Wait()
		return nil
	}
	x.close = func() error {
		t.wait.set.Clients = slices.DeleteFunc(t.wait.set.Clients, func(o *rclgo.Client) bool { return o == c.client })
		return c.client.Close()
	}
	if err := x.open(func(n *rclgo.Node) (err error) {
		both := serviceEnd{serviceType: typ, request: &c.out, response: typ.response}
		if c.client, err = n.NewClient(x.Own.Name, both, &rclgo.ClientOptions{Qos: profile(x.Own.QoS)}); err == nil {
			t.wait.set.AddClients(c.client)
		}
		return err
	}); err != nil {
		c.cancel()
		return nil, err
	}
	return c, nil
}

// Send implements ros.End. It returns an error for a message that is not a request of
// the service's type, because rcl does not accept it. A request that the middleware refuses
// counts as dropped. The requester waits for replies to the last ros.MaxCalls requests.
func (c *requester) Send(m ros.Message) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, fmt.Errorf("%s: %w", c.Own.Name, ros.ErrClosed)
	}
	sent, err := c.out.hand(m.CDR)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.Own.Name, err)
	}
	c.last++
	number := c.last
	ctx, cancel := context.WithCancel(c.calls)
	c.giveUp[number] = cancel
	if old := c.giveUp[number-ros.MaxCalls]; old != nil {
		old()
	}
	c.asking.Go(func() {
		defer cancel()
		c.ask(ctx, number)
	})
	<-sent
	return number, nil
}

// ask sends the request prepared by hand and queues its reply.
func (c *requester) ask(ctx context.Context, number int64) {
	reply, _, err := c.client.Send(ctx, &body{})
	c.mu.Lock()
	delete(c.giveUp, number)
	c.mu.Unlock()
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			c.Drop()
		}
		return
	}
	b := reply.(*body)
	if b.err != nil {
		c.Drop()
		return
	}
	if c.Push(ends.Message{Message: ros.Message{CDR: b.cdr, ID: ros.RequestID{Sequence: number}}}) {
		c.Ready()
	}
}

// Matched implements ros.End.
func (c *requester) Matched() int { return c.t.across(c.Own) }
