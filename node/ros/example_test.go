// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"context"
	"fmt"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// Two nodes in one process, in simulated time.
func Example() {
	graph, ex := inproc.New(), exec.NewSimulated(0)

	cfg := struct{ Period float64 }{Period: 0.5}
	set := param.NewSet()
	set.Float64(&cfg.Period, "period", param.Unit("s"), param.Above(0), param.Live(), param.Describe("time between two words"))
	over := &param.Overrides{}
	if err := over.AddAssignment("talker:period:=2"); err != nil { // as -p on the command line
		panic(err)
	}
	talker, err := ros.NewNode(graph, ex, "talker", ros.NodeOptions{Parameters: set, Overrides: over})
	if err != nil {
		panic(err)
	}
	defer talker.Close()
	listener, err := ros.NewNode(graph, ex, "listener", ros.NodeOptions{Namespace: "/robot"})
	if err != nil {
		panic(err)
	}
	defer listener.Close()

	pub, err := ros.Advertise[std_msgs.String](talker, "chatter", ros.DefaultQoS())
	if err != nil {
		panic(err)
	}
	if _, err := talker.NewTimer(time.Duration(cfg.Period*float64(time.Second)), func() {
		if err := pub.Publish(&std_msgs.String{Data: "hello"}); err != nil {
			talker.Logger().Error("publishing", "error", err)
		}
	}); err != nil {
		panic(err)
	}
	if _, err := ros.Subscribe(listener, "/chatter", ros.DefaultQoS(), func(m *std_msgs.String, info ros.MessageInfo) {
		fmt.Println(time.Duration(listener.Now()), m.Data)
	}); err != nil {
		panic(err)
	}
	if err := ex.RunTo(context.Background(), int64(5*time.Second)); err != nil {
		panic(err)
	}
	// Output:
	// 2s hello
	// 4s hello
}
