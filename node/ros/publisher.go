package ros

import (
	"ugp_explorer/msgs/cdr"
)

// MessagePtr is the pointer to a message type M with a codec. Callers of generic functions
// give only M, as in Advertise[nav_msgs.Odometry](n, "odom", ros.DefaultQoS()).
type MessagePtr[M any] interface {
	*M
	cdr.Message
}

// Publisher publishes messages of one type on one topic. It may be used only from
// callbacks of its node.
type Publisher[M any, PM MessagePtr[M]] struct {
	node *Node
	w    Writer
	buf  []byte
}

// Advertise opens a publisher. topic is expanded and remapped.
func Advertise[M any, PM MessagePtr[M]](n *Node, topic string, q QoS) (*Publisher[M, PM], error) {
	name, typ := topic, PM(new(M)).TypeName()
	w, err := n.newWriter(name, typ, typeHash(PM(new(M))), q)
	if err != nil {
		return nil, err
	}
	return &Publisher[M, PM]{node: n, w: w}, nil
}

func (n *Node) newWriter(topic, typ, hash string, q QoS) (Writer, error) {
	name, err := n.ResolveTopic(topic)
	if err != nil {
		return nil, err
	}
	w, err := n.tr.NewWriter(n.endpoint(name, typ, hash, q), n.listener(nil))
	if err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, w)
	return &tappedWriter{Writer: w, tap: n.tap, info: w.Info()}, nil
}

// typeHash returns the RIHS01 hash of a message type, "" if it is unknown.
func typeHash(m cdr.Message) string {
	if h, ok := m.(interface{ TypeHash() string }); ok {
		return h.TypeHash()
	}
	return ""
}

// Publish sends m with the node's time as its source time. The caller may change m
// afterwards.
func (p *Publisher[M, PM]) Publish(m *M) error {
	p.buf = PM(m).AppendCDR(p.buf[:0])
	return p.w.Publish(p.buf, p.node.ex.Now())
}

// Matched returns the number of subscriptions matched.
func (p *Publisher[M, PM]) Matched() int { return p.w.Matched() }

// Info returns the publisher as the graph shows it.
func (p *Publisher[M, PM]) Info() EndpointInfo { return p.w.Info() }

// Close removes the publisher and its latched messages from the graph. The node's Close
// does the same.
func (p *Publisher[M, PM]) Close() error { return p.w.Close() }

// RawPublisher publishes messages as CDR bytes.
type RawPublisher struct{ w Writer }

// AdvertiseRaw opens a publisher for messages of the ROS type typ. hash is its RIHS01
// hash, or "" if unknown.
func AdvertiseRaw(n *Node, topic, typ, hash string, q QoS) (*RawPublisher, error) {
	w, err := n.newWriter(topic, typ, hash, q)
	if err != nil {
		return nil, err
	}
	return &RawPublisher{w}, nil
}

// Publish sends cdr, which includes the encapsulation header, with the source time stamp,
// ns. The caller may change the bytes afterwards.
func (p *RawPublisher) Publish(cdr []byte, stamp int64) error { return p.w.Publish(cdr, stamp) }

// Matched returns the number of subscriptions matched.
func (p *RawPublisher) Matched() int { return p.w.Matched() }

// Info returns the publisher as the graph shows it.
func (p *RawPublisher) Info() EndpointInfo { return p.w.Info() }

// Close removes the publisher from the graph.
func (p *RawPublisher) Close() error { return p.w.Close() }
