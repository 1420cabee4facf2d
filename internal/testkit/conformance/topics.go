// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
)

type textPublisher = ros.Publisher[std_msgs.String, *std_msgs.String]

func say(g *graph, pub *textPublisher, words ...string) {
	g.t.Helper()
	for _, w := range words {
		must.OK(g.t, pub.Publish(&std_msgs.String{Data: w}))
	}
}

func messages(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{Namespace: "/ns"})
	var sent nav_msgs.Odometry
	sent.Header.FrameID, sent.ChildFrameID = "odom", "base_link"
	sent.Pose.Pose.Position.X, sent.Twist.Twist.Angular.Z = 1.25, -3.5
	for i := range sent.Pose.Covariance {
		sent.Pose.Covariance[i] = float64(i) / 7
	}
	var got []nav_msgs.Odometry
	sub := rostest.Hear(t, b, "/odom", ros.DefaultQoS().WithDepth(200), func(m *nav_msgs.Odometry) { got = append(got, *m) })
	pub := rostest.Publisher[nav_msgs.Odometry](t, a, "odom", ros.DefaultQoS().WithDepth(200))
	g.matched(pub, sub)
	const n = 100
	for i := range int32(n) {
		sent.Header.Stamp.Sec = i
		must.OK(t, pub.Publish(&sent))
	}
	g.wait("the messages", func() bool { return len(got) >= n })
	for i := range got {
		sent.Header.Stamp.Sec = int32(i)
		if !reflect.DeepEqual(got[i], sent) {
			t.Fatalf("message %d is\n%+v, want\n%+v", i, got[i], sent)
		}
	}
}

func largeMessage(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	var sent nav_msgs.OccupancyGrid
	sent.Data = make([]int8, 2<<20)
	for i := range sent.Data {
		sent.Data[i] = int8(i * 31)
	}
	equal := 0
	sub := rostest.Hear(t, b, "map", ros.Latched(), func(m *nav_msgs.OccupancyGrid) {
		if slices.Equal(m.Data, sent.Data) {
			equal++
		} else {
			t.Errorf("a message of %d bytes came as %d other bytes", len(sent.Data), len(m.Data))
		}
	})
	pub := rostest.Publisher[nav_msgs.OccupancyGrid](t, a, "map", ros.Latched())
	g.matched(pub, sub)
	for want := 1; want <= 3; want++ {
		must.OK(t, pub.Publish(&sent))
		g.wait("a message of 2 MB", func() bool { return equal >= want })
	}
}

func messageInfo(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	var infos []ros.MessageInfo
	var bytesGot [][]byte
	msg := std_msgs.String{Data: "x"}
	sub, err := ros.SubscribeRaw(b, "t", msg.TypeName(), msgs.TypeHash(msg.TypeName()), ros.DefaultQoS(), func(cdr []byte, info ros.MessageInfo) {
		infos, bytesGot = append(infos, info), append(bytesGot, bytes.Clone(cdr))
	})
	must.OK(t, err)
	pub, err := ros.AdvertiseRaw(a, "t", msg.TypeName(), msgs.TypeHash(msg.TypeName()), ros.DefaultQoS())
	must.OK(t, err)
	g.matched(pub, sub)
	data := msg.AppendCDR(nil)
	stamps := []int64{1_700_000_000_000_000_001, 1_700_000_000_999_999_999}
	for _, s := range stamps {
		must.OK(t, pub.Publish(data, s))
	}
	g.wait("two messages", func() bool { return len(infos) == 2 })
	for i, info := range infos {
		// Time on the wire may be in units of 2^-32 s.
		if d := info.Source - stamps[i]; d < -1 || d > 1 {
			t.Errorf("message %d was published at %d, %d arrived", i, stamps[i], info.Source)
		}
		if info.Publisher != pub.Info().GUID {
			t.Errorf("message %d is by %v, want %v", i, info.Publisher, pub.Info().GUID)
		}
		if got := bytesGot[i]; !bytes.HasPrefix(got, data) || len(got) > len(data)+3 {
			t.Errorf("message %d is % x, want % x", i, got, data)
		}
	}
}

func lateJoiner(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.Latched().WithDepth(2))
	say(g, pub, "one", "two", "three")
	_, got := rostest.Words(g.t, b, "t", ros.Latched().WithDepth(5))
	g.wait("what was latched", func() bool { return len(*got) >= 2 })
	say(g, pub, "four")
	g.wait("what came after", func() bool { return len(*got) >= 3 })
	if want := []string{"two", "three", "four"}; !slices.Equal(*got, want) {
		t.Errorf("the late joiner got %v, want %v", *got, want)
	}
}

func volatileJoiner(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.Latched())
	say(g, pub, "before")
	sub, got := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	g.matched(sub, pub)
	say(g, pub, "after")
	g.wait("a message", func() bool { return len(*got) >= 1 })
	if want := []string{"after"}; !slices.Equal(*got, want) {
		t.Errorf("the volatile subscription got %v, want %v", *got, want)
	}
}

// mismatches tests a pair of ends with different QoS and one with different types, which exist at the same time.
func mismatches(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	pub := rostest.Publisher[std_msgs.String](g.t, a, "t", ros.SensorData())
	strict, none := rostest.Words(g.t, b, "t", ros.Latched())
	loose, got := rostest.Words(g.t, b, "t", ros.SensorData())
	words := rostest.Publisher[std_msgs.String](g.t, a, "u", ros.DefaultQoS())
	numbers, err := ros.Subscribe(b, "u", ros.DefaultQoS(), func(*std_msgs.Float64, ros.MessageInfo) {
		t.Error("a String came as a Float64")
	})
	must.OK(t, err)
	g.matched(loose, pub)
	g.wait("warnings with all reasons at both ends", func() bool {
		log := g.log.String()
		return strings.Contains(log, "reliability:") && strings.Contains(log, "durability:") &&
			strings.Contains(log, "node=/a name=/t own=publisher") && strings.Contains(log, "node=/b name=/t own=subscription") &&
			strings.Contains(log, "own=publisher type=std_msgs/msg/String other=subscription other_node=/b other_type=std_msgs/msg/Float64") &&
			strings.Contains(log, "own=subscription type=std_msgs/msg/Float64 other=publisher other_node=/a other_type=std_msgs/msg/String")
	})
	say(g, pub, "word")
	say(g, words, "word")
	g.wait("the message", func() bool { return len(*got) == 1 })
	if len(*none) != 0 || strict.Matched() != 0 || words.Matched() != 0 || numbers.Matched() != 0 {
		t.Errorf("the strict subscription got %v of %d publishers; with two types %d and %d are matched", *none, strict.Matched(), words.Matched(), numbers.Matched())
	}
}

func garbage(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	msg := std_msgs.String{Data: "word"}
	sub, got := rostest.Words(g.t, b, "t", ros.DefaultQoS())
	pub, err := ros.AdvertiseRaw(a, "t", msg.TypeName(), msgs.TypeHash(msg.TypeName()), ros.DefaultQoS())
	must.OK(t, err)
	g.matched(pub, sub)
	must.OK(t, pub.Publish([]byte{0, 1, 0, 0, 255, 255, 255, 127}, 1)) // a string of 2 GB
	must.OK(t, pub.Publish([]byte{0, 1, 0, 0, 5, 0, 0, 0, 'a'}, 2))    // cut off
	must.OK(t, pub.Publish(msg.AppendCDR(nil), 3))
	g.wait("the good message", func() bool { return len(*got) == 1 })
	if (*got)[0] != "word" || sub.Malformed() != 2 {
		t.Errorf("got %v, %d malformed, want [word] and 2", *got, sub.Malformed())
	}
	if log := g.log.String(); !strings.Contains(log, "cannot be decoded") || !strings.Contains(log, "name=/t") {
		t.Errorf("the log does not name the topic:\n%s", log)
	}
}

func manyGoroutines(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	const goroutines, each = 4, 100
	q := ros.DefaultQoS().WithDepth(goroutines * each)
	sub, got := rostest.Words(g.t, b, "t", q)
	var msg std_msgs.String
	pub, err := ros.AdvertiseRaw(a, "t", msg.TypeName(), msgs.TypeHash(msg.TypeName()), q)
	must.OK(t, err)
	g.matched(pub, sub)
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			for j := range each {
				m := std_msgs.String{Data: fmt.Sprintf("%d.%02d", i, j)}
				if err := pub.Publish(m.AppendCDR(nil), 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	g.wait("all messages", func() bool { return len(*got) >= goroutines*each })
	wg.Wait()
	slices.Sort(*got)
	if n := len(slices.Compact(*got)); n != goroutines*each {
		t.Errorf("%d different messages came, want %d", n, goroutines*each)
	}
}

func empty() *std_msgs.String { return &std_msgs.String{} }
