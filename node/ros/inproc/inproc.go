package inproc

import (
	"encoding/binary"
	"fmt"
	"sync"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
)

// Transport is a graph inside one process. Messages cross it as bytes: a message is copied
// once for all its subscriptions, and memory is reused.
//
// Endpoints match, and messages and latched messages are delivered, in the order in which
// the endpoints were opened, so a run on a simulated executor is deterministic. Between
// matched endpoints messages are lost only to the depth of the subscription's queue or to
// their lifespan, whatever the reliability.
type Transport struct {
	mu     sync.Mutex
	last   uint64 // number of the endpoint opened last
	nodes  map[string]bool
	names  map[string]*channel // topics and services; the kinds of their endpoints differ
	closed bool
}

var _ ros.Transport = (*Transport)(nil)

// New returns an empty graph.
func New() *Transport {
	return &Transport{nodes: map[string]bool{}, names: map[string]*channel{}}
}

// AddNode implements Transport. A second node of the same name is an error: in one process
// it is a mistake, whereas other graphs only warn.
func (t *Transport) AddNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return ros.ErrClosed
	case t.nodes[node]:
		return fmt.Errorf("ros: a node %s exists already", node)
	}
	t.nodes[node] = true
	return nil
}

// RemoveNode implements Transport.
func (t *Transport) RemoveNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.nodes, node)
	return nil
}

// Endpoints implements Transport.
func (t *Transport) Endpoints(name string) []ros.EndpointInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	if name != "" {
		return t.names[name].list(nil)
	}
	var infos []ros.EndpointInfo
	for _, ch := range t.names {
		infos = ch.list(infos)
	}
	return infos
}

// Close implements Transport.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, ch := range t.names {
		ch.mu.Lock()
		for _, e := range ch.ends {
			e.close()
		}
		ch.ends, ch.free = nil, nil
		ch.mu.Unlock()
	}
	return nil
}

// open adds an endpoint and matches it with those that exist.
func (t *Transport) open(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (*endpoint, error) {
	if err := names.ValidateFull(e.Name); err != nil {
		return nil, err
	}
	if err := e.QoS.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	if e.Type == "" {
		return nil, fmt.Errorf("ros: %s: no type name", e.Name)
	}
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil, ros.ErrClosed
	}
	ch := t.names[e.Name]
	if ch == nil {
		ch = &channel{}
		t.names[e.Name] = ch
	}
	t.last++
	end := &endpoint{ch: ch, listener: l, info: ros.EndpointInfo{Endpoint: e, Kind: kind}}
	binary.BigEndian.PutUint64(end.info.GUID[8:], t.last)
	ch.mu.Lock()
	t.mu.Unlock()
	calls := ch.join(end)
	ch.mu.Unlock()
	for _, call := range calls {
		call()
	}
	return end, nil
}

// NewWriter implements Transport.
func (t *Transport) NewWriter(e ros.Endpoint, l ros.Listener) (ros.Writer, error) {
	end, err := t.open(ros.PublisherEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &writer{end}, nil
}

// NewReader implements Transport.
func (t *Transport) NewReader(e ros.Endpoint, l ros.Listener) (ros.Reader, error) {
	if l.Now == nil {
		panic("ros: a reader's Listener needs Now")
	}
	end, err := t.open(ros.SubscriptionEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &reader{end}, nil
}

// NewResponder implements Transport. If several nodes serve one name, each gets every
// request, as over DDS, and the client takes the first answer.
func (t *Transport) NewResponder(e ros.Endpoint, l ros.Listener) (ros.Responder, error) {
	end, err := t.open(ros.ServerEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &responder{end}, nil
}

// NewRequester implements Transport.
func (t *Transport) NewRequester(e ros.Endpoint, l ros.Listener) (ros.Requester, error) {
	end, err := t.open(ros.ClientEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &requester{end}, nil
}
