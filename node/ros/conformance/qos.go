package conformance

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

// endOf returns the end of the topic /t that a node sees of another node.
func endOf(g *graph, from *ros.Node, kind ros.EndpointKind, node string) (found ros.EndpointInfo) {
	g.wait("an endpoint of "+node, func() bool {
		for _, e := range from.Endpoints("/t") {
			if e.Kind == kind && e.Node == node {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

func deadlinesMatch(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	q := ros.DefaultQoS()
	q.Deadline, q.Liveliness, q.Lease = 2*time.Second, ros.ManualByTopic, 3*time.Second
	pub := talker(g, a, "t", q)
	same, got := texts(g, b, "t", q)
	g.matched(pub, same)
	say(g, pub, "hello")
	g.wait("a message", func() bool { return len(*got) == 1 })
	for kind, node := range map[ros.EndpointKind]string{ros.PublisherEnd: "/a", ros.SubscriptionEnd: "/b"} {
		from := map[string]*ros.Node{"/a": b, "/b": a}[node] // the other one
		if e := endOf(g, from, kind, node); e.QoS.Deadline != q.Deadline || e.QoS.Liveliness != q.Liveliness || e.QoS.Lease != q.Lease {
			t.Errorf("the %v of %s is seen with %v, want %v", kind, node, e.QoS, q)
		}
	}
	for _, c := range []struct {
		change func(*ros.QoS)
		says   string
	}{
		{func(q *ros.QoS) { q.Deadline = time.Second }, "deadline: the publisher offers 2s, the subscription asks for 1s"},
		{func(q *ros.QoS) { q.Lease = time.Second }, "liveliness lease duration: the publisher offers 3s, the subscription asks for 1s"},
	} {
		strict := q
		c.change(&strict)
		sub, _ := texts(g, b, "t", strict)
		g.wait("the reason on both sides", func() bool { return strings.Count(g.log.String(), c.says) >= 2 })
		if sub.Matched() != 0 || pub.Matched() != 1 {
			t.Errorf("%s: the subscription has %d matches, the publisher %d", c.says, sub.Matched(), pub.Matched())
		}
		must(t, sub.Close())
	}
	loose, _ := texts(g, b, "t", ros.DefaultQoS())
	g.matched(loose)
}

func qosByParameters(t *testing.T, g *graph) {
	var o param.Overrides
	for _, rule := range []string{
		"publisher.reliability:=best_effort", "publisher.deadline:=2000000000", "subscription.durability:=transient_local", "subscription.depth:=3",
	} {
		must(t, o.AddAssignment("qos_overrides./t."+rule))
	}
	a, b := g.node("a", ros.NodeOptions{Overrides: &o}), g.node("b", ros.NodeOptions{})
	talker(g, a, "t", ros.DefaultQoS())
	own, _ := texts(g, a, "t", ros.DefaultQoS())
	if q := own.Info().QoS; q.Depth != 3 {
		t.Errorf("the subscription has %v", q)
	}
	if q := endOf(g, b, ros.PublisherEnd, "/a").QoS; q.Reliability != ros.BestEffort || q.Deadline != 2*time.Second {
		t.Errorf("the publisher is seen with %v", q)
	}
	if q := endOf(g, b, ros.SubscriptionEnd, "/a").QoS; q.Durability != ros.TransientLocal || q.Reliability != ros.Reliable {
		t.Errorf("the subscription is seen with %v", q)
	}
}

func livelinessLost(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	q := ros.DefaultQoS()
	q.Liveliness, q.Lease = ros.ManualByTopic, 500*time.Millisecond
	pub := talker(g, a, "t", q)
	sub, got := texts(g, b, "t", q)
	g.matched(pub, sub)
	g.wait("a message", func() bool { say(g, pub, "alive"); return len(*got) > 0 })
	logged := func(text string) func() bool {
		return func() bool { return strings.Contains(g.log.String(), text) }
	}
	g.wait("the loss on both sides", func() bool {
		return logged(`msg="the publisher has lost its liveliness" node=/a topic=/t`)() &&
			logged(`msg="a publisher has lost its liveliness: it shows no sign of life within its lease" node=/b topic=/t`)()
	})
	say(g, pub, "again")
	g.wait("the return", logged(`msg="a publisher is alive again" node=/b topic=/t`))
}
