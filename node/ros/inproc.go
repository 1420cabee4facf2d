package ros

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// InProcess is a graph inside one process. Messages cross it as bytes: a message is copied
// once for all its subscriptions, and memory is reused.
//
// Endpoints match, and messages and latched messages are delivered, in the order in which
// the endpoints were opened, so a run on a simulated executor is deterministic. Between
// matched endpoints messages are lost only to the depth of the subscription's queue or to
// their lifespan, whatever the reliability.
type InProcess struct {
	mu     sync.Mutex
	last   uint64 // number of the endpoint opened last
	nodes  map[string]bool
	names  map[string]*channel // topics and services; the kinds of their endpoints differ
	closed bool
}

var _ Transport = (*InProcess)(nil)

// NewInProcess returns an empty graph.
func NewInProcess() *InProcess {
	return &InProcess{nodes: map[string]bool{}, names: map[string]*channel{}}
}

// AddNode implements Transport. A second node of the same name is an error: in one process
// it is a mistake, whereas other graphs only warn.
func (t *InProcess) AddNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return ErrClosed
	case t.nodes[node]:
		return fmt.Errorf("ros: a node %s exists already", node)
	}
	t.nodes[node] = true
	return nil
}

// RemoveNode implements Transport.
func (t *InProcess) RemoveNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.nodes, node)
	return nil
}

// Endpoints implements Transport.
func (t *InProcess) Endpoints(name string) []EndpointInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	if name != "" {
		return t.names[name].list(nil)
	}
	var infos []EndpointInfo
	for _, ch := range t.names {
		infos = ch.list(infos)
	}
	return infos
}

// Close implements Transport.
func (t *InProcess) Close() error {
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
func (t *InProcess) open(kind EndpointKind, e Endpoint, l Listener) (*inEnd, error) {
	if err := ValidateFullName(e.Name); err != nil {
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
		return nil, ErrClosed
	}
	ch := t.names[e.Name]
	if ch == nil {
		ch = &channel{}
		t.names[e.Name] = ch
	}
	t.last++
	end := &inEnd{ch: ch, listener: l, info: EndpointInfo{Endpoint: e, Kind: kind}}
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
func (t *InProcess) NewWriter(e Endpoint, l Listener) (Writer, error) {
	end, err := t.open(PublisherEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &inWriter{end}, nil
}

// NewReader implements Transport.
func (t *InProcess) NewReader(e Endpoint, l Listener) (Reader, error) {
	if l.Now == nil {
		panic("ros: a reader's Listener needs Now")
	}
	end, err := t.open(SubscriptionEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &inReader{end}, nil
}

// NewResponder implements Transport. If several nodes serve one name, each gets every
// request, as over DDS, and the client takes the first answer.
func (t *InProcess) NewResponder(e Endpoint, l Listener) (Responder, error) {
	end, err := t.open(ServerEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &inResponder{end}, nil
}

// NewRequester implements Transport.
func (t *InProcess) NewRequester(e Endpoint, l Listener) (Requester, error) {
	end, err := t.open(ClientEnd, e, l)
	if err != nil {
		return nil, err
	}
	return &inRequester{end}, nil
}
