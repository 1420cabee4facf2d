//go:build fastdds

package fastdds

import (
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ddsnames"
	"ugp_explorer/node/ros/internal/ends"
)

// end is the common part of every ROS endpoint.
type end struct {
	*ends.End
	t *Transport
}

func (t *Transport) newEnd(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (*end, error) {
	x, err := ends.New(kind, e, l)
	return &end{x, t}, err
}

// join adds the endpoint to the graph; p is its DDS endpoint.
func (e *end) join(p *port) error {
	e.Own.GUID = p.guid
	t := e.t
	t.mu.Lock()
	calls := t.graph.meet(t.graph.add(&known{info: e.Own, topic: p.topic, own: true, listener: e.Listener}))
	t.mu.Unlock()
	for _, call := range calls {
		call()
	}
	return t.announce()
}

// leave closes the endpoint.
func (e *end) leave(ports ...*port) error {
	e.Queue.Close()
	var err error
	for _, p := range ports {
		if cerr := p.close(); err == nil {
			err = cerr
		}
	}
	e.t.mu.Lock()
	e.t.graph.remove(e.Own.GUID)
	closed := e.t.closed
	e.t.mu.Unlock()
	if err != nil || closed {
		return err
	}
	return quiet(e.t.announce())
}

type (
	topicWriter struct {
		*end
		p *port
	}
	topicReader struct {
		*end
		p *port
	}
)

var (
	_ ros.Writer = (*topicWriter)(nil)
	_ ros.Reader = (*topicReader)(nil)
)

// typeHash returns a RIHS01 hash in the form that endpoints announce in their user data. If
// it is not known, the list of fields is empty but the data are not: from Iron on,
// rmw_cyclonedds_cpp warns of each endpoint without user data.
func typeHash(hash string) string {
	if hash == "" {
		return ";"
	}
	return "typehash=" + hash + ";"
}

// topicPort returns the DDS endpoint of one end of a topic. It is not open yet.
func (t *Transport) topicPort(e ros.Endpoint, writer bool) (*port, string, error) {
	typ, err := ddsnames.Type(e.Type)
	return &port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Topic(e.Name), typ: typ, writer: writer}, typeHash(e.TypeHash), err
}

// NewWriter implements ros.Transport. A participant cannot use a topic with two types: the
// second one is an error.
func (t *Transport) NewWriter(e ros.Endpoint, l ros.Listener) (ros.Writer, error) {
	x, err := t.newEnd(ros.PublisherEnd, e, l)
	if err != nil {
		return nil, err
	}
	p, userData, err := t.topicPort(e, true)
	if err != nil {
		return nil, err
	}
	if err := p.open(e.QoS, userData); err != nil {
		return nil, err
	}
	w := &topicWriter{x, p}
	if err := x.join(p); err != nil {
		return nil, closeAfter(err, w)
	}
	return w, nil
}

// Publish implements ros.Writer. With a lifespan, and with Fast DDS before 2.9, the library
// stamps the message with the system time instead; a lifespan counts from it. A keep-all
// publisher returns an error if its history is full and subscriptions do not make room
// within 100 ms.
func (w *topicWriter) Publish(cdr []byte, stamp int64) error {
	if w.Own.QoS.Lifespan > 0 {
		stamp = -1
	}
	_, err := w.p.send(cdr, stamp, nil, 0)
	return err
}

// Matched implements ros.Writer.
func (w *topicWriter) Matched() int { return w.p.Matched() }

// Close implements ros.Writer.
func (w *topicWriter) Close() error { return w.leave(w.p) }

// NewReader implements ros.Transport.
func (t *Transport) NewReader(e ros.Endpoint, l ros.Listener) (ros.Reader, error) {
	x, err := t.newEnd(ros.SubscriptionEnd, e, l)
	if err != nil {
		return nil, err
	}
	p, userData, err := t.topicPort(e, false)
	if err != nil {
		return nil, err
	}
	r := &topicReader{x, p}
	p.sample, p.ready = r.receive, l.Ready
	if err := p.open(e.QoS, userData); err != nil {
		return nil, err
	}
	if err := x.join(p); err != nil {
		return nil, closeAfter(err, r)
	}
	return r, nil
}

func (r *topicReader) receive(s *sample) bool {
	now := r.Listener.Now()
	m := ends.Message{Info: ros.MessageInfo{Source: s.source, Received: now, Publisher: s.writer, Sequence: uint64(s.sequence)}}
	if span := r.t.lifespan(s.writer); span > 0 {
		m.Expires = now + int64(span)
	}
	return r.Push(m, s.data)
}

// lifespan returns the lifespan of a writer's messages. It counts from their arrival and not
// from their sending because the clocks of two machines differ.
func (t *Transport) lifespan(writer ros.GUID) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.graph.byGUID[writer]; k != nil {
		return k.info.QoS.Lifespan
	}
	return 0
}

// Take implements ros.Reader.
func (r *topicReader) Take(fn func(cdr []byte, info ros.MessageInfo)) int {
	return r.TakeMessage(fn)
}

// Matched implements ros.Reader.
func (r *topicReader) Matched() int { return r.p.Matched() }

// Close implements ros.Reader.
func (r *topicReader) Close() error { return r.leave(r.p) }
