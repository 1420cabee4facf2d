// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// end is the common part of every endpoint.
type end struct {
	*ends.End
	t *Transport

	// before, unless it is nil, runs before the endpoint is closed. close closes it in
	// rclgo on the waiter's thread.
	before, close func() error
	closing       sync.Once
}

// Open implements ros.Transport. With some middlewares a process cannot use a topic with two
// types; then the second one is an error.
func (t *Transport) Open(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (ros.End, error) {
	x, err := ends.New(kind, e, l)
	if err != nil {
		return nil, err
	}
	own := &end{End: x, t: t}
	var typ *messageType
	var service *serviceType
	if kind == ros.ServerEnd || kind == ros.ClientEnd {
		service, err = serviceOf(e.Type)
	} else {
		typ, err = messageOf(e.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	switch kind {
	case ros.PublisherEnd:
		return newWriter(own, typ)
	case ros.SubscriptionEnd:
		return newReader(own, typ)
	case ros.ServerEnd:
		return newResponder(own, service)
	}
	return newRequester(own, service)
}

// open calls create on the waiter's thread to open the endpoint in its node, and adds it to
// the graph.
func (x *end) open(create func(*rclgo.Node) error) (err error) {
	t := x.t
	if err := t.enter(); err != nil {
		return fmt.Errorf("%s: %w", x.Own.Name, err)
	}
	defer t.leave()
	t.wait.do(func() {
		n := t.node(x.Own.Node)
		if n == nil {
			err = fmt.Errorf("ros/rclgo: %s: there is no node %s", x.Own.Name, x.Own.Node)
			return
		}
		if cerr := create(n); cerr != nil {
			err = plain(fmt.Sprintf("%v of %s [%s]", x.Own.Kind, x.Own.Name, x.Own.Type), cerr)
			return
		}
		x.Own.GUID = t.guidOf(x.Own)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.ends = append(t.ends, x)
	})
	return err
}

// Close implements ros.End.
func (x *end) Close() (err error) {
	x.closing.Do(func() {
		if x.before != nil {
			err = x.before()
		}
		x.Queue.Close()
		x.t.wait.do(func() {
			if cerr := x.close(); cerr != nil {
				err = plain("closing "+x.Own.Name, cerr)
			}
		})
		x.t.mu.Lock()
		defer x.t.mu.Unlock()
		x.t.ends = slices.DeleteFunc(x.t.ends, func(o *end) bool { return o == x })
	})
	return err
}

// profile converts q to rclgo's form.
func profile(q ros.QoS) rclgo.QosProfile {
	p := rclgo.NewDefaultQosProfile()
	p.Depth, p.Lifespan = q.Depth, q.Lifespan
	if q.BestEffort {
		p.Reliability = rclgo.ReliabilityBestEffort
	}
	if q.TransientLocal {
		p.Durability = rclgo.DurabilityTransientLocal
	}
	return p
}

// qosOf converts a QoS profile from the graph. There an infinite duration is the largest one.
func qosOf(p rclgo.QosProfile) (q ros.QoS) {
	q = ros.QoS{Depth: p.Depth, BestEffort: p.Reliability == rclgo.ReliabilityBestEffort, TransientLocal: p.Durability == rclgo.DurabilityTransientLocal}
	if p.Lifespan < rclgo.DurationInfinite {
		q.Lifespan = max(p.Lifespan, 0)
	}
	return q
}
