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

// keep notes an end that is closed when the process is killed.
func keep[E interface{ Close() error }](p *port, e E, err error) (E, error) {
	if err == nil {
		p.ends = append(p.ends, e)
	}
	return e, err
}

// NewWriter implements Transport.
func (p *port) NewWriter(e ros.Endpoint, l ros.Listener) (ros.Writer, error) {
	w, err := p.Transport.NewWriter(e, l)
	w, err = keep(p, w, err)
	return &writer{Writer: w, port: p, topic: e.Name}, err
}

// NewReader implements Transport.
func (p *port) NewReader(e ros.Endpoint, l ros.Listener) (ros.Reader, error) {
	r, err := p.Transport.NewReader(e, l)
	return keep(p, r, err)
}

// NewResponder implements Transport.
func (p *port) NewResponder(e ros.Endpoint, l ros.Listener) (ros.Responder, error) {
	r, err := p.Transport.NewResponder(e, l)
	return keep(p, r, err)
}

// NewRequester implements Transport.
func (p *port) NewRequester(e ros.Endpoint, l ros.Listener) (ros.Requester, error) {
	r, err := p.Transport.NewRequester(e, l)
	return keep(p, r, err)
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
