//go:build rclgo

package rclgo

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/inbox"
	"ugp_explorer/node/ros/names"
)

type (
	queue   = inbox.Queue[about]
	message = inbox.Message[about]
)

// about is the metadata of a received message.
type about struct {
	info   ros.MessageInfo // of a topic
	id     ros.RequestID   // of a request; a reply has its Sequence
	sender rclgo.ServiceResponseSender
}

// end is the common part of every endpoint: its description, a queue of received messages,
// and its close functions.
type end struct {
	t        *Transport
	info     ros.EndpointInfo
	listener ros.Listener
	queue

	// before, unless it is nil, runs before the endpoint is closed. close closes it in
	// rclgo on the waiter's thread.
	before, close func() error
	closing       sync.Once
}

// Info implements every endpoint's Info.
func (e *end) Info() ros.EndpointInfo { return e.info }

func (t *Transport) newEnd(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (*end, error) {
	if err := names.ValidateFull(e.Name); err != nil {
		return nil, err
	}
	if err := e.QoS.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	x := &end{t: t, listener: l, info: ros.EndpointInfo{Endpoint: e, Kind: kind}}
	x.queue.Init(e.QoS)
	return x, nil
}

// open calls create on the waiter's thread to open the endpoint in its node, and adds it to
// the graph.
func (x *end) open(create func(*rclgo.Node) error) (err error) {
	t := x.t
	if err := t.enter(); err != nil {
		return fmt.Errorf("%s: %w", x.info.Name, err)
	}
	defer t.leave()
	t.wait.do(func() {
		n := t.node(x.info.Node)
		if n == nil {
			err = fmt.Errorf("ros/rclgo: %s: there is no node %s", x.info.Name, x.info.Node)
			return
		}
		if cerr := create(n); cerr != nil {
			err = plain(fmt.Sprintf("%v of %s [%s]", x.info.Kind, x.info.Name, x.info.Type), cerr)
			return
		}
		x.info.GUID = t.guidOf(x.info)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.ends = append(t.ends, x)
	})
	return err
}

// shut closes the endpoint. Closing again does nothing.
func (x *end) shut() (err error) {
	x.closing.Do(func() {
		if x.before != nil {
			err = x.before()
		}
		x.queue.Close()
		x.t.wait.do(func() {
			if cerr := x.close(); cerr != nil {
				err = plain("closing "+x.info.Name, cerr)
			}
		})
		x.t.mu.Lock()
		defer x.t.mu.Unlock()
		x.t.ends = slices.DeleteFunc(x.t.ends, func(o *end) bool { return o == x })
	})
	return err
}

// ready tells the node that another message is queued.
func (x *end) ready() {
	if x.listener.Ready != nil {
		x.listener.Ready()
	}
}

// profile converts q to rclgo's form.
func profile(q ros.QoS) rclgo.QosProfile {
	p := rclgo.NewDefaultQosProfile()
	p.Depth, p.Lifespan = q.Depth, q.Lifespan
	if q.Reliability == ros.BestEffort {
		p.Reliability = rclgo.ReliabilityBestEffort
	}
	if q.Durability == ros.TransientLocal {
		p.Durability = rclgo.DurabilityTransientLocal
	}
	return p
}

// qosOf converts a QoS profile from the graph. There an infinite duration is the largest one.
func qosOf(p rclgo.QosProfile) (q ros.QoS) {
	q.Depth = p.Depth
	if p.Lifespan < rclgo.DurationInfinite {
		q.Lifespan = max(p.Lifespan, 0)
	}
	if p.Reliability == rclgo.ReliabilityBestEffort {
		q.Reliability = ros.BestEffort
	}
	if p.Durability == rclgo.DurabilityTransientLocal {
		q.Durability = ros.TransientLocal
	}
	return q
}
