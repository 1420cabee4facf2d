package ros

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrTimeout is what a call gets that was not answered in time.
var ErrTimeout = errors.New("ros: no reply in time")

// MaxCalls is how many calls of one client may wait for their replies.
const MaxCalls = 1000

// Client calls a service. It is for callbacks of its node.
type Client[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]] struct {
	*caller
	buf []byte
}

// NewClient opens a client of the service called name, which is expanded and
// remapped.
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

// Call sends req, and has done called with the response, which is done's to
// keep, or with ErrTimeout when timeout, in the node's time, has passed, or with
// ErrClosed when the client is closed before. When Call returns an error, done
// is not called.
func (c *Client[Req, Res, PReq, PRes]) Call(req *Req, timeout time.Duration, done func(*Res, error)) error {
	c.buf = PReq(req).AppendCDR(c.buf[:0])
	return c.call(c.buf, timeout, func(cdr []byte, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		res := new(Res)
		if err := PRes(res).UnmarshalCDR(cdr); err != nil {
			c.malformed("service", c.Name(), len(cdr), err)
			done(nil, err)
			return
		}
		done(res, nil)
	})
}

// caller is a client that calls with CDR bytes.
type caller struct {
	*delivery
	r     Requester
	calls map[int64]call
}

type call struct {
	done  func(cdr []byte, err error)
	timer *Timer // nil: the call waits for ever
}

// newCaller opens a client of a service of the ROS type typ.
func newCaller(n *Node, name, typ, hash string) (*caller, error) {
	full, err := n.ResolveService(name)
	if err != nil {
		return nil, err
	}
	q := Services()
	c := &caller{delivery: newDelivery(n, q), calls: map[int64]call{}}
	c.take = func() int {
		return c.r.Take(func(cdr []byte, seq int64) { c.finish(seq, cdr, nil) })
	}
	c.r, err = n.tr.NewRequester(n.endpoint(full, typ, hash, q), n.listener(c.ready))
	if err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, c)
	return c, nil
}

// call sends a request, and has done called once with the response, whose bytes
// hold until done returns, or with why there is none. With a timeout of 0 it waits
// for ever.
func (c *caller) call(cdr []byte, timeout time.Duration, done func(cdr []byte, err error)) error {
	if len(c.calls) >= MaxCalls {
		return fmt.Errorf("ros: %s: %d calls wait for their replies already", c.Name(), len(c.calls))
	}
	seq, err := c.r.Send(cdr)
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

// finish ends a call. One that was answered before, or given up, it leaves alone.
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

// Name returns the full name of the service.
func (c *caller) Name() string { return c.r.Info().Name }

// Info returns the client as the graph shows it.
func (c *caller) Info() EndpointInfo { return c.r.Info() }

// Matched returns the number of servers matched: with none, a call waits in vain.
func (c *caller) Matched() int { return c.r.Matched() }

// Close takes the client off the graph and ends the calls that wait. The node
// does so by itself when it closes.
func (c *caller) Close() error {
	c.closed = true
	err := c.r.Close()
	waiting := make([]int64, 0, len(c.calls))
	for seq := range c.calls {
		waiting = append(waiting, seq)
	}
	slices.Sort(waiting)
	for _, seq := range waiting {
		c.finish(seq, nil, fmt.Errorf("%s: %w", c.Name(), ErrClosed))
	}
	return err
}
