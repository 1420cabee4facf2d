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
	sent    func(from, topic string, cdr []byte, stamp int64)
	arrived func(topic string, cdr []byte)
}

// rule is what a fault does to the messages of a topic while it lasts.
type rule struct {
	topic string
	// pass hands the copies of a message that come through to deliver, with their delays.
	// The bytes are the caller's.
	pass func(cdr []byte, deliver func(cdr []byte, delay time.Duration))
}

func (w *wire) add(r *rule) { w.rules = append(w.rules, r) }

func (w *wire) remove(r *rule) {
	w.rules = slices.DeleteFunc(w.rules, func(o *rule) bool { return o == r })
}

// through passes a message through the rules from number i on.
func (w *wire) through(i int, topic string, cdr []byte, delay time.Duration, deliver func([]byte, time.Duration)) {
	for ; i < len(w.rules); i++ {
		if r := w.rules[i]; r.topic == topic {
			r.pass(cdr, func(cdr []byte, more time.Duration) { w.through(i+1, topic, cdr, delay+more, deliver) })
			return
		}
	}
	deliver(cdr, delay)
}

// port is a process's connection to the wire.
type port struct {
	ros.Transport
	wire    *wire
	process *process
	node    string
	ends    []interface{ Close() error }
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

// NewWriter implements Transport.
func (p *port) NewWriter(e ros.Endpoint, l ros.Listener) (ros.Writer, error) {
	w, err := p.Transport.NewWriter(e, l)
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, w)
	return &writer{Writer: w, port: p, topic: e.Name}, nil
}

// NewReader implements Transport.
func (p *port) NewReader(e ros.Endpoint, l ros.Listener) (ros.Reader, error) {
	r, err := p.Transport.NewReader(e, l)
	if err == nil {
		p.ends = append(p.ends, r)
	}
	return r, err
}

// NewResponder implements Transport.
func (p *port) NewResponder(e ros.Endpoint, l ros.Listener) (ros.Responder, error) {
	r, err := p.Transport.NewResponder(e, l)
	if err == nil {
		p.ends = append(p.ends, r)
	}
	return r, err
}

// NewRequester implements Transport.
func (p *port) NewRequester(e ros.Endpoint, l ros.Listener) (ros.Requester, error) {
	r, err := p.Transport.NewRequester(e, l)
	if err == nil {
		p.ends = append(p.ends, r)
	}
	return r, err
}

// Close implements Transport: the graph belongs to the wire.
func (p *port) Close() error { return nil }

// writer is a Writer whose messages pass the wire.
type writer struct {
	ros.Writer
	port  *port
	topic string
}

// Publish implements Writer.
func (w *writer) Publish(cdr []byte, stamp int64) error {
	if w.port.process.dead {
		return ros.ErrClosed
	}
	wire := w.port.wire
	wire.sent(w.port.node, w.topic, cdr, stamp)
	var failed error
	wire.through(0, w.topic, cdr, 0, func(cdr []byte, delay time.Duration) {
		if delay <= 0 {
			wire.arrived(w.topic, cdr)
			failed = w.Writer.Publish(cdr, stamp)
			return
		}
		late := bytes.Clone(cdr)
		wire.ex.After(delay, func() {
			wire.arrived(w.topic, late)
			_ = w.Writer.Publish(late, stamp) // its sender may be gone by then
		})
	})
	return failed
}
