// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"ugp_explorer/node/ros/exec"
)

// ErrTimeout is the error of a call that was not answered in time.
var ErrTimeout = errors.New("ros: no reply in time")

// MaxCalls is the number of calls of one client that may wait for replies.
const MaxCalls = 1000

// Client calls a service. It may be used only from callbacks of its node.
type Client[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]] struct {
	*caller
	buf []byte
}

// NewClient opens a client of a service. name is expanded and remapped.
func NewClient[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string) (*Client[Req, Res, PReq, PRes], error) {
	typ, hash, err := serviceType(PReq(new(Req)), PRes(new(Res)))
	if err != nil {
		return nil, err
	}
	c, err := newCaller(n, name, typ, hash)
	if err != nil {
		return nil, err
	}
	return &Client[Req, Res, PReq, PRes]{caller: c}, nil
}

// Call sends req and later calls done with the response, which done may keep, or with an
// error: ErrTimeout after timeout in the node's time, or ErrClosed if the client is closed
// first. If Call returns an error, done is not called.
func (c *Client[Req, Res, PReq, PRes]) Call(req *Req, timeout time.Duration, done func(*Res, error)) error {
	c.buf = PReq(req).AppendCDR(c.buf[:0])
	return c.call(c.buf, timeout, func(cdr []byte, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		res := new(Res)
		if err := PRes(res).UnmarshalCDR(cdr); err != nil {
			c.malformed(cdr, err)
			done(nil, err)
			return
		}
		done(res, nil)
	})
}

// caller is a client that sends and receives CDR bytes.
type caller struct {
	*delivery
	calls map[int64]call
}

type call struct {
	done  func(cdr []byte, err error)
	timer *exec.Timer // nil for a call without a timeout
}

// newCaller opens a client of a service of the ROS type typ.
func newCaller(n *Node, name, typ, hash string) (*caller, error) {
	c := &caller{calls: map[int64]call{}}
	var err error
	if c.delivery, err = n.receive(ClientEnd, name, typ, hash, DefaultQoS(), func(m Message) { c.finish(m.ID.Sequence, m.CDR, nil) }); err != nil {
		return nil, err
	}
	c.ended = func() { // the calls that wait, in turn
		for _, seq := range slices.Sorted(maps.Keys(c.calls)) {
			c.finish(seq, nil, fmt.Errorf("%s: %w", c.Name(), ErrClosed))
		}
	}
	return c, nil
}

// call sends a request and later calls done once, with the response, whose bytes are
// valid until done returns, or with an error. A timeout of 0 means none.
func (c *caller) call(cdr []byte, timeout time.Duration, done func(cdr []byte, err error)) error {
	if len(c.calls) >= MaxCalls {
		return fmt.Errorf("ros: %s: %d calls already wait for replies", c.Name(), len(c.calls))
	}
	seq, err := c.end.Send(Message{CDR: cdr})
	if err != nil {
		return err
	}
	waiting := call{done: done}
	if timeout > 0 {
		waiting.timer = c.node.After(timeout, func() {
			c.finish(seq, nil, fmt.Errorf("%s: %w (%v)", c.Name(), ErrTimeout, timeout))
		})
	}
	c.calls[seq] = waiting
	return nil
}

// finish ends a call, unless it has ended already.
func (c *caller) finish(seq int64, cdr []byte, err error) {
	call, ok := c.calls[seq]
	if !ok {
		return
	}
	delete(c.calls, seq)
	if call.timer != nil {
		call.timer.Stop()
	}
	call.done(cdr, err)
}
