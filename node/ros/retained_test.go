// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"context"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// A volatile subscription that fetches what latched publishers keep hears them, those that
// come later, and publishers that are not latched.
func TestSubscribeRetained(t *testing.T) {
	ex, graph := exec.NewSimulated(0), inproc.New()
	node := func(name string) *ros.Node {
		n, err := ros.NewNode(graph, ex, name, ros.NodeOptions{NoRosout: true})
		must.OK(t, err)
		t.Cleanup(func() { n.Close() })
		return n
	}
	publish := func(from *ros.Node, q ros.QoS, values ...float64) *ros.Publisher[std_msgs.Float64, *std_msgs.Float64] {
		p := rostest.Publisher[std_msgs.Float64](t, from, "value", q)
		for _, v := range values {
			must.OK(t, p.Publish(&std_msgs.Float64{Data: v}))
		}
		return p
	}
	other := node("other")
	publish(other, ros.Latched(), 1, 2)
	publish(other, ros.DefaultQoS(), 100)

	heard := map[float64]int{}
	_, err := ros.SubscribeRetained(node("own"), "value", ros.SensorData(), func(m *std_msgs.Float64, _ ros.MessageInfo) { heard[m.Data]++ })
	must.OK(t, err)
	run := func(d time.Duration) {
		must.OK(t, ex.RunTo(context.Background(), ex.Now()+int64(d)))
	}
	run(time.Second)
	if heard[2] != 1 || len(heard) != 1 {
		t.Fatalf("heard %v, want the last message of the latched publisher", heard)
	}
	run(10 * time.Second)
	if n := len(other.Endpoints("/value")); n != 3 {
		t.Errorf("%d endpoints on the topic, want two publishers and one subscription", n)
	}
	volatile := publish(other, ros.SensorData(), 3)
	late := publish(node("late"), ros.Latched(), 4)
	run(10 * time.Second)
	for _, v := range []float64{5, 6} {
		must.OK(t, volatile.Publish(&std_msgs.Float64{Data: v}))
	}
	must.OK(t, late.Publish(&std_msgs.Float64{Data: 7}))
	run(time.Second)
	for _, v := range []float64{3, 4, 5, 6, 7} {
		if heard[v] == 0 {
			t.Errorf("heard %v, want %g too", heard, v)
		}
	}
	if heard[5] != 1 || heard[7] != 1 {
		t.Errorf("heard %v, want each once when nothing is being fetched", heard)
	}
}
