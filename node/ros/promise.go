package ros

import (
	"sync/atomic"
	"time"

	"ugp_explorer/node/ros/exec"
)

// promise watches that messages come as often as a QoS says, for one end of a topic, and warns when
// they do not. The node's time counts, so that a paused simulation breaks no promise. Before the
// first message nothing is promised.
type promise struct {
	node  *Node
	topic string
	what  string        // that the log calls broken
	most  time.Duration // between two messages
	last  atomic.Int64  // time of the last message, ns; 0: none yet
	late  bool
	timer *exec.Timer
}

// promises returns what an endpoint with q must keep: the deadline, and for a publisher that shows by
// its messages that it is alive, the lease.
func (n *Node) promises(topic string, kind EndpointKind, q QoS) (all []*promise) {
	add := func(most time.Duration, what string) {
		p := &promise{node: n, topic: topic, what: what, most: most}
		p.timer = n.ex.Every(max(most/4, time.Millisecond), p.check)
		n.timers = append(n.timers, p.timer)
		all = append(all, p)
	}
	if q.Deadline > 0 {
		add(q.Deadline, "the deadline of the "+kind.String()+" is missed")
	}
	if kind == PublisherEnd && q.Liveliness == ManualByTopic && q.Lease > 0 {
		add(q.Lease, "the publisher has lost its liveliness")
	}
	return all
}

// kept notes a message, from any goroutine.
func (p *promise) kept() { p.last.Store(p.node.ex.Now()) }

func (p *promise) check() {
	now, last := p.node.ex.Now(), p.last.Load()
	silent := time.Duration(now - last)
	switch {
	case last == 0 || silent < 0: // the clock was set back
	case silent > p.most && !p.late:
		p.late = true
		p.node.log.Warn(p.what, "topic", p.topic, "allowed_s", p.most.Seconds(), "silent_s", silent.Seconds())
	case silent <= p.most && p.late:
		p.late = false
		p.node.log.Info("over: "+p.what, "topic", p.topic)
	}
}

// end stops the watch.
func (p *promise) end() { p.timer.Stop() }

// tellLife logs that a publisher shows no sign of life any more, or shows one again.
func (n *Node) tellLife(l Life) {
	switch {
	case n.closed:
	case l.Alive:
		n.log.Info("a publisher is alive again", "topic", l.Local.Name, "node", l.Remote.Owner())
	default:
		n.log.Warn("a publisher has lost its liveliness: it shows no sign of life within its lease",
			"topic", l.Local.Name, "node", l.Remote.Owner(), "lease_s", l.Remote.QoS.Lease.Seconds())
	}
}
