// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package inproc_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/conformance"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

func TestConformance(t *testing.T) {
	open := func(*testing.T) func() ros.Transport {
		tr := inproc.New()
		return func() ros.Transport { return tr }
	}
	conformance.Run(t, open, nil)
	conformance.Actions(t, open)
}

func TestKeepLast(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{})
	shallow, last := rostest.Words(t, n, "t", ros.DefaultQoS().WithDepth(2))
	all, every := rostest.Words(t, n, "t", ros.DefaultQoS().WithDepth(1<<16))
	say := rostest.Speaker(t, n, "t", ros.DefaultQoS())
	say("1", "2", "3", "4", "5")
	rostest.Drain(t, ex)
	say("6")
	rostest.Drain(t, ex)
	if want := []string{"4", "5", "6"}; !slices.Equal(*last, want) || shallow.Dropped() != 3 {
		t.Errorf("depth 2 keeps %v and dropped %d, want %v and 3", *last, shallow.Dropped(), want)
	}
	if want := []string{"1", "2", "3", "4", "5", "6"}; !slices.Equal(*every, want) || all.Dropped() != 0 {
		t.Errorf("keep all keeps %v and dropped %d", *every, all.Dropped())
	}
}

// Deliveries of several topics keep the order in which they were published, and
// those of one message the order in which the subscriptions were opened.
func TestDeliveryOrder(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{})
	var got []string
	for _, s := range []struct{ topic, tag string }{{"b", "x"}, {"a", "y"}, {"a", "z"}} {
		if _, err := ros.Subscribe(n, s.topic, ros.DefaultQoS(), func(m *std_msgs.String, _ ros.MessageInfo) {
			got = append(got, s.tag+m.Data)
		}); err != nil {
			t.Fatal(err)
		}
	}
	a, b := rostest.Speaker(t, n, "a", ros.DefaultQoS()), rostest.Speaker(t, n, "b", ros.DefaultQoS())
	a("1")
	b("2")
	a("3")
	b("4")
	rostest.Drain(t, ex)
	if want := []string{"y1", "z1", "x2", "y3", "z3", "x4"}; !slices.Equal(got, want) {
		t.Errorf("order is %v, want %v", got, want)
	}
}

func TestLifespan(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{})
	q := ros.Latched().WithDepth(10)
	q.Lifespan = time.Second
	say := rostest.Speaker(t, n, "t", q)
	say("old")
	must.OK(t, ex.RunTo(t.Context(), int64(900*time.Millisecond)))
	say("young")
	must.OK(t, ex.RunTo(t.Context(), int64(1500*time.Millisecond)))
	sub, got := rostest.Words(t, n, "t", ros.Latched().WithDepth(10))
	rostest.Drain(t, ex)
	if want := []string{"young"}; !slices.Equal(*got, want) || sub.Dropped() != 1 {
		t.Errorf("after 1.5 s came %v, %d dropped, want %v and 1", *got, sub.Dropped(), want)
	}
}

// Several latched publishers are replayed in the order in which they were opened,
// and what a queue is too small for drops the oldest.
func TestLatchedReplayOrder(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{})
	one, two := rostest.Speaker(t, n, "t", ros.Latched().WithDepth(2)), rostest.Speaker(t, n, "t", ros.Latched().WithDepth(2))
	two("b1")
	one("a1", "a2", "a3")
	two("b2", "b3")
	_, all := rostest.Words(t, n, "t", ros.Latched().WithDepth(10))
	_, few := rostest.Words(t, n, "t", ros.Latched().WithDepth(3))
	rostest.Drain(t, ex)
	if want := []string{"a2", "a3", "b2", "b3"}; !slices.Equal(*all, want) {
		t.Errorf("replayed %v, want %v", *all, want)
	}
	if want := []string{"a3", "b2", "b3"}; !slices.Equal(*few, want) {
		t.Errorf("a queue of 3 got %v, want %v", *few, want)
	}
}

// What a callback publishes in answer to itself does not overwrite the bytes
// that it still reads.
func TestPublishInsideCallback(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{})
	var msg std_msgs.String
	pub, err := ros.AdvertiseRaw(n, "t", msg.TypeName(), "", ros.DefaultQoS())
	must.OK(t, err)
	seen := 0
	if _, err := ros.SubscribeRaw(n, "t", msg.TypeName(), "", ros.DefaultQoS(), func(cdr []byte, _ ros.MessageInfo) {
		before := bytes.Clone(cdr)
		if seen++; seen == 1 {
			for range 5 {
				must.OK(t, pub.Publish([]byte{0, 1, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9}, 0))
			}
		}
		if !bytes.Equal(cdr, before) {
			t.Errorf("the bytes changed from % x to % x while they were read", before, cdr)
		}
	}); err != nil {
		t.Fatal(err)
	}
	first := []byte{0, 1, 0, 0, 1, 2, 3, 4}
	must.OK(t, pub.Publish(first, 0))
	copy(first, "overwritten by the caller")
	rostest.Drain(t, ex)
	if seen != 6 {
		t.Errorf("%d messages came, want 6", seen)
	}
}

func TestRefuses(t *testing.T) {
	ex := exec.NewSimulated(0)
	tr := inproc.New()
	rostest.Node(t, tr, ex, "n", ros.NodeOptions{})
	if _, err := ros.NewNode(tr, ex, "n", ros.NodeOptions{}); err == nil || !strings.Contains(err.Error(), "/n") {
		t.Errorf("a second node of one name: %v", err)
	}
	for _, c := range []struct {
		e    ros.Endpoint
		says string
	}{
		{ros.Endpoint{Node: "/n", Name: "relative", Type: "a/msg/B", QoS: ros.DefaultQoS()}, `"relative"`},
		{ros.Endpoint{Node: "/n", Name: "/t", Type: "a/msg/B"}, "Depth is 0"},
		{ros.Endpoint{Node: "/n", Name: "/t", QoS: ros.DefaultQoS()}, "no type name"},
	} {
		if _, err := tr.Open(ros.PublisherEnd, c.e, ros.Listener{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error with %q", c.e, err, c.says)
		}
	}
}
