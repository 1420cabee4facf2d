// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

func matchedCounts(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.DefaultQoS())
	if pub.Matched() != 0 {
		t.Errorf("matched %d without any subscription", pub.Matched())
	}
	one, _ := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	two, _ := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	g.wait("two matches", func() bool { return pub.Matched() == 2 && one.Matched() == 1 && two.Matched() == 1 })
	must.OK(t, one.Close())
	g.wait("one match", func() bool { return pub.Matched() == 1 })
	must.OK(t, pub.Close())
	g.wait("no match", func() bool { return two.Matched() == 0 })
	if err := pub.Publish(empty()); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("publishing on a closed publisher: %v, want ErrClosed", err)
	}
}

func closedSubscription(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.DefaultQoS())
	gone, none := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	stays, got := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	g.wait("two matches", func() bool { return pub.Matched() == 2 && gone.Matched() == 1 && stays.Matched() == 1 })
	say(g, pub, "first")
	must.OK(t, gone.Close()) // with a pending delivery
	say(g, pub, "second")
	g.wait("two messages", func() bool { return len(*got) == 2 })
	if len(*none) != 0 {
		t.Errorf("a closed subscription got %v", *none)
	}
	must.OK(t, gone.Close())
}

func endpoints(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{Namespace: "/ns"}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.Latched())
	sub, _ := rostest.Words(g.t, b, "ns/t", ros.SensorData())
	g.matched(pub, sub)
	find := func(of *ros.Node, kind ros.EndpointKind) (found ros.EndpointInfo) {
		for _, e := range of.Endpoints("/ns/t") {
			if e.Kind == kind {
				found = e
			}
		}
		return found
	}
	for _, of := range []*ros.Node{a, b} {
		p, s := find(of, ros.PublisherEnd), find(of, ros.SubscriptionEnd)
		g.wait("the nodes' names", func() bool {
			p, s = find(of, ros.PublisherEnd), find(of, ros.SubscriptionEnd)
			return p.Node == "/ns/a" && s.Node == "/b"
		})
		if p.Type != "std_msgs/msg/String" || s.Type != p.Type {
			t.Errorf("types are %q and %q", p.Type, s.Type)
		}
		if p.QoS.BestEffort || !p.QoS.TransientLocal || !s.QoS.BestEffort {
			t.Errorf("QoS is %+v and %+v", p.QoS, s.QoS)
		}
		if p.GUID != pub.Info().GUID || s.GUID != sub.Info().GUID {
			t.Error("GUIDs differ from the endpoints' own")
		}
	}
	must.OK(t, pub.Close())
	g.wait("the publisher to go", func() bool { return find(b, ros.PublisherEnd) == ros.EndpointInfo{} })
}

func closeTransport(t *testing.T, g *graph) {
	tr := g.join()
	n, err := ros.NewNode(tr, g.ex, "a", ros.NodeOptions{})
	must.OK(t, err)
	pub := rostest.Publisher[std_msgs.String](g.t, n, "t", ros.DefaultQoS())
	must.OK(t, tr.Close())
	must.OK(t, tr.Close())
	if err := pub.Publish(empty()); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("publishing on a closed transport: %v, want ErrClosed", err)
	}
	if _, err := ros.NewNode(tr, g.ex, "b", ros.NodeOptions{}); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a node on a closed transport: %v, want ErrClosed", err)
	}
	must.OK(t, n.Close())
}

func rosout(t *testing.T, g *graph) {
	a, b := g.node("talker", ros.NodeOptions{Namespace: "/ns"}), g.node("b", ros.NodeOptions{NoRosout: true})
	a.Logger().Debug("below the level")
	a.Logger().With("k", 1).WithGroup("g").Warn("look out", "range_m", 2.5)
	var got []rcl_interfaces.Log
	rostest.Hear(t, b, "/rosout", ros.Latched().WithDepth(1000), func(m *rcl_interfaces.Log) { got = append(got, *m) })
	g.wait("the record", func() bool { return len(got) > 0 })
	m := got[0]
	if m.Msg != "look out k=1 g.range_m=2.5" || m.Name != "ns.talker" || m.Level != rcl_interfaces.LogWarn {
		t.Errorf("the record is %+v", m)
	}
	if !strings.HasSuffix(m.File, "graph.go") || !strings.HasSuffix(m.Function, "rosout") || m.Line == 0 {
		t.Errorf("the record comes from %s:%d %s", m.File, m.Line, m.Function)
	}
	if ns := ros.TimeNs(m.Stamp); ns <= 0 || ns > g.ex.Now() {
		t.Errorf("the record is of %d ns, now is %d", ns, g.ex.Now())
	}
}

func clock(t *testing.T, g *graph) {
	over := &param.Overrides{}
	must.OK(t, over.AddAssignment("use_sim_time:=true"))
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{Overrides: over})
	pub := rostest.Publisher[rosgraph_msgs.Clock](t, a, "/clock", ros.DefaultQoS())
	if b.Now() != 0 {
		t.Errorf("before the first /clock the time is %d, want 0", b.Now())
	}
	sec := int32(0)
	g.wait("the clock", func() bool {
		sec++
		must.OK(t, pub.Publish(&rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: sec}}))
		return b.Now() != 0
	})
	if now := b.Now(); now%1e9 != 0 || now > int64(sec)*1e9 {
		t.Errorf("the time is %d, which no /clock said", now)
	}
}
