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
	*delivery
	r     Requester
	buf   []byte
	calls map[int64]call[Res]
}

type call[Res any] struct {
	done  func(*Res, error)
	timer *Timer
}

// NewClient opens a client of the service called name, which is expanded and
// remapped.
func NewClient[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string) (*Client[Req, Res, PReq, PRes], error) {
	typ, hash, err := serviceType(PReq(new(Req)), PRes(new(Res)))
	if err != nil {
		return nil, err
	}
	full, err := n.ResolveService(name)
	if err != nil {
		return nil, err
	}
	q := Services()
	c := &Client[Req, Res, PReq, PRes]{delivery: newDelivery(n, q), calls: map[int64]call[Res]{}}
	c.take = func() int { return c.r.Take(c.reply) }
	c.r, err = n.tr.NewRequester(n.endpoint(full, typ, hash, q), n.listener(c.ready))
	if err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, c)
	return c, nil
}

// Call sends req, and has done called with the response, which is done's to
// keep, or with ErrTimeout when timeout, in the node's time, has passed, or with
// ErrClosed when the client is closed before. When Call returns an error, done
// is not called.
func (c *Client[Req, Res, PReq, PRes]) Call(req *Req, timeout time.Duration, done func(*Res, error)) error {
	if len(c.calls) >= MaxCalls {
		return fmt.Errorf("ros: %s: %d calls wait for their replies already", c.Name(), len(c.calls))
	}
	c.buf = PReq(req).AppendCDR(c.buf[:0])
	seq, err := c.r.Send(c.buf)
	if err != nil {
		return err
	}
	c.calls[seq] = call[Res]{done: done, timer: c.node.After(timeout, func() {
		c.finish(seq, nil, fmt.Errorf("%s: %w (%v)", c.Name(), ErrTimeout, timeout))
	})}
	return nil
}

func (c *Client[Req, Res, PReq, PRes]) reply(cdr []byte, seq int64) {
	if _, ok := c.calls[seq]; !ok {
		return // answered before, or given up
	}
	res := new(Res)
	if err := PRes(res).UnmarshalCDR(cdr); err != nil {
		c.malformed("service", c.Name(), len(cdr), err)
		c.finish(seq, nil, err)
		return
	}
	c.finish(seq, res, nil)
}

func (c *Client[Req, Res, PReq, PRes]) finish(seq int64, res *Res, err error) {
	call, ok := c.calls[seq]
	if !ok {
		return
	}
	delete(c.calls, seq)
	call.timer.Stop()
	call.done(res, err)
}

// Name returns the full name of the service.
func (c *Client[Req, Res, PReq, PRes]) Name() string { return c.r.Info().Name }

// Matched returns the number of servers matched: with none, a call waits in vain.
func (c *Client[Req, Res, PReq, PRes]) Matched() int { return c.r.Matched() }

// Close takes the client off the graph and ends the calls that wait. The node
// does so by itself when it closes.
func (c *Client[Req, Res, PReq, PRes]) Close() error {
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
