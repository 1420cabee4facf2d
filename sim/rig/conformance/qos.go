package conformance

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros"
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
