// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"bytes"
	"slices"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// wire is the network: the in-process graph, with faults on the way into it.
type wire struct {
	graph *inproc.Transport
	ex    *exec.Simulated
	rules []*rule

	// sent is told of each message that a node sends, and arrived of each that comes
	// through, when it does.
	sent    func(from, topic string, cdr []byte)
	arrived func(topic string, cdr []byte)
}

// rule is what a fault does to the messages of a topic while it lasts.
type rule struct {
	topic string
	// pass hands the copies of a message that come through on, with their delays.
	// The bytes are the caller's.
	pass func(cdr []byte, on deliver)
}

// add has messages of a topic pass a rule until remove is called.
func (w *wire) add(topic string, pass func(cdr []byte, on deliver)) (remove func()) {
	r := &rule{topic, pass}
	w.rules = append(w.rules, r)
	return func() { w.rules = slices.DeleteFunc(w.rules, func(o *rule) bool { return o == r }) }
}

// through passes a message through the rules from number i on.
func (w *wire) through(i int, topic string, cdr []byte, delay time.Duration, on deliver) {
	for ; i < len(w.rules); i++ {
		if r := w.rules[i]; r.topic == topic {
			r.pass(cdr, func(cdr []byte, more time.Duration) { w.through(i+1, topic, cdr, delay+more, on) })
			return
		}
	}
	on(cdr, delay)
}

// port is a process's connection to the wire.
type port struct {
	ros.Transport
	wire    *wire
	process *process
	node    string
	ends    []ros.End // to be closed when the process is killed
}

func (w *wire) open(p *process) *port { return &port{Transport: w.graph, wire: w, process: p} }

// AddNode implements Transport.
func (p *port) AddNode(node string) error {
	p.node = node
	return p.Transport.AddNode(node)
}

// cut removes the node of a killed process from the graph, as the graph does when it hears
// no more of it. What is under way still arrives.
func (p *port) cut() {
	for _, e := range p.ends {
		_ = e.Close() // of an endpoint in memory
	}
	_ = p.Transport.RemoveNode(p.node)
}

// Open implements Transport.
func (p *port) Open(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (ros.End, error) {
	end, err := p.Transport.Open(kind, e, l)
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, end)
	if kind == ros.PublisherEnd {
		return &writer{End: end, port: p, topic: e.Name}, nil
	}
	return end, nil
}

// Close implements Transport: the graph belongs to the wire.
func (p *port) Close() error { return nil }

// writer is the end of a publisher, whose messages pass the wire.
type writer struct {
	ros.End
	port  *port
	topic string
}

// Send implements End.
func (w *writer) Send(m ros.Message) (sequence int64, err error) {
	if w.port.process.dead {
		return 0, ros.ErrClosed
	}
	wire := w.port.wire
	wire.sent(w.port.node, w.topic, m.CDR)
	wire.through(0, w.topic, m.CDR, 0, func(cdr []byte, delay time.Duration) {
		through := m
		if delay <= 0 {
			through.CDR = cdr
			wire.arrived(w.topic, cdr)
			sequence, err = w.End.Send(through)
			return
		}
		through.CDR = bytes.Clone(cdr)
		wire.ex.After(delay, func() {
			wire.arrived(w.topic, through.CDR)
			_, _ = w.End.Send(through) // its sender may be gone by then
		})
	})
	return sequence, err
}
