// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package rostest has what the tests of several packages of node/ros need.
package rostest

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
)

// Simulated returns a node alone on an in-process graph at time 0.
func Simulated(tb testing.TB, name string, opts ros.NodeOptions) (*exec.Simulated, *ros.Node) {
	tb.Helper()
	ex := exec.NewSimulated(0)
	return ex, Node(tb, inproc.New(), ex, name, opts)
}

// Node returns a node that is closed at the end of the test.
func Node(tb testing.TB, tr ros.Transport, ex exec.Executor, name string, opts ros.NodeOptions) *ros.Node {
	tb.Helper()
	n, err := ros.NewNode(tr, ex, name, opts)
	must.OK(tb, err)
	tb.Cleanup(func() {
		if err := n.Close(); err != nil {
			tb.Error(err)
		}
	})
	return n
}

// Publisher advertises a topic.
func Publisher[M any, P ros.MessagePtr[M]](tb testing.TB, n *ros.Node, topic string, q ros.QoS) *ros.Publisher[M, P] {
	tb.Helper()
	pub, err := ros.Advertise[M, P](n, topic, q)
	must.OK(tb, err)
	return pub
}

// Hear calls fn with each message of a topic.
func Hear[M any, P ros.MessagePtr[M]](tb testing.TB, n *ros.Node, topic string, q ros.QoS, fn func(*M)) *ros.Subscription {
	tb.Helper()
	sub, err := ros.Subscribe[M, P](n, topic, q, func(m *M, _ ros.MessageInfo) { fn(m) })
	must.OK(tb, err)
	return sub
}

// Clock is an executor whose wall clock is ahead of its time by Set, ns: a test sets it as NTP does.
type Clock struct {
	*exec.Simulated
	Set int64
}

// Now implements [exec.Executor].
func (c *Clock) Now() int64 { return c.Simulated.Now() + c.Set }

// Drain runs everything that is due at the present time.
func Drain(tb testing.TB, ex *exec.Simulated) {
	tb.Helper()
	must.OK(tb, ex.RunTo(context.Background(), ex.Now()))
}

// LogTo returns a handler that writes text without times to buf.
func LogTo(buf *bytes.Buffer) slog.Handler {
	return slog.NewTextHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug})
}

// Words subscribes to strings and returns the slice to which they are appended.
func Words(tb testing.TB, n *ros.Node, topic string, q ros.QoS) (*ros.Subscription, *[]string) {
	tb.Helper()
	got := new([]string)
	sub, err := ros.Subscribe(n, topic, q, func(m *std_msgs.String, _ ros.MessageInfo) { *got = append(*got, m.Data) })
	must.OK(tb, err)
	return sub, got
}

// Speaker returns a function that publishes strings.
func Speaker(tb testing.TB, n *ros.Node, topic string, q ros.QoS) func(words ...string) {
	tb.Helper()
	pub, err := ros.Advertise[std_msgs.String](n, topic, q)
	must.OK(tb, err)
	return func(words ...string) {
		tb.Helper()
		for _, w := range words {
			must.OK(tb, pub.Publish(&std_msgs.String{Data: w}))
		}
	}
}

// Remaps parses remapping rules.
func Remaps(tb testing.TB, rules ...string) names.Remaps {
	tb.Helper()
	var rs names.Remaps
	for _, rule := range rules {
		r, err := names.ParseRemap(rule)
		must.OK(tb, err)
		rs = append(rs, r)
	}
	return rs
}
