package ros

// Subscription receives the messages of a topic.
type Subscription struct {
	*delivery
	r Reader
}

// Subscribe calls fn with each message of the topic, whose name is expanded and remapped.
// The message is reused for the next one: fn must copy what it keeps, including slices. A
// message that cannot be decoded is dropped, counted and logged.
func Subscribe[M any, PM MessagePtr[M]](n *Node, topic string, q QoS, fn func(*M, MessageInfo)) (*Subscription, error) {
	m := PM(new(M))
	var s *Subscription
	s, err := n.subscribe(topic, m.TypeName(), typeHash(m), q, func(cdr []byte, info MessageInfo) {
		if err := m.UnmarshalCDR(cdr); err != nil {
			s.malformed("topic", s.Topic(), len(cdr), err)
			return
		}
		fn((*M)(m), info)
	})
	return s, err
}

// SubscribeRaw is Subscribe for messages of the ROS type typ as CDR bytes, which are
// valid until fn returns.
func SubscribeRaw(n *Node, topic, typ, hash string, q QoS, fn func(cdr []byte, info MessageInfo)) (*Subscription, error) {
	return n.subscribe(topic, typ, hash, q, fn)
}

func (n *Node) subscribe(topic, typ, hash string, q QoS, fn func([]byte, MessageInfo)) (*Subscription, error) {
	name, err := n.ResolveTopic(topic)
	if err != nil {
		return nil, err
	}
	s := &Subscription{delivery: newDelivery(n, q)}
	var end EndpointInfo // set before the first callback runs
	tapped := func(cdr []byte, info MessageInfo) {
		if s.tooLarge("topic", end.Name, cdr) {
			return
		}
		n.tap.tell(&end, cdr, info.Source)
		fn(cdr, info)
	}
	s.take = func() int { return s.r.Take(tapped) }
	// A latched message may be ready before NewReader returns; its callback runs
	// later.
	s.r, err = n.tr.NewReader(n.endpoint(name, typ, hash, q), n.listener(s.ready))
	if err != nil {
		return nil, err
	}
	end = s.r.Info()
	n.endpoints = append(n.endpoints, s)
	return s, nil
}

// Topic returns the full name.
func (s *Subscription) Topic() string { return s.r.Info().Name }

// Matched returns the number of publishers matched.
func (s *Subscription) Matched() int { return s.r.Matched() }

// Dropped returns the number of messages lost because they arrived faster than the node
// took them, or had expired.
func (s *Subscription) Dropped() uint64 { return s.r.Dropped() }

// Received returns the number of messages that the node took, including malformed ones.
func (s *Subscription) Received() uint64 { return s.taken }

// Malformed returns the number of messages that could not be decoded.
func (s *Subscription) Malformed() uint64 { return s.bad }

// Info returns the subscription as the graph shows it.
func (s *Subscription) Info() EndpointInfo { return s.r.Info() }

// Close ends the subscription: fn is not called any more. The node's Close does the same.
func (s *Subscription) Close() error {
	s.closed = true
	return s.r.Close()
}
