// Package rostest has what the tests of several packages of node/ros need.
package rostest

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"ugp_explorer/node/ros"
)

// Simulated returns a node alone on an in-process graph at time 0.
func Simulated(tb testing.TB, name string, opts ros.NodeOptions) (*ros.Simulated, *ros.Node) {
	tb.Helper()
	ex := ros.NewSimulated(0)
	return ex, Node(tb, ros.NewInProcess(), ex, name, opts)
}

// Node returns a node that is closed at the end of the test.
func Node(tb testing.TB, tr ros.Transport, ex ros.Executor, name string, opts ros.NodeOptions) *ros.Node {
	tb.Helper()
	n, err := ros.NewNode(tr, ex, name, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := n.Close(); err != nil {
			tb.Error(err)
		}
	})
	return n
}

// RealTime returns an executor on the wall clock.
func RealTime(tb testing.TB) *ros.RealTime {
	tb.Helper()
	ex, err := ros.NewRealTime(ros.DefaultRealTimeConfig())
	if err != nil {
		tb.Fatal(err)
	}
	return ex
}

// Drain runs everything that is due at the present time.
func Drain(tb testing.TB, ex *ros.Simulated) {
	tb.Helper()
	if err := ex.RunTo(context.Background(), ex.Now()); err != nil {
		tb.Fatal(err)
	}
}

// LogTo returns a handler that writes text without times to buf.
func LogTo(buf *bytes.Buffer) slog.Handler {
	return slog.NewTextHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug})
}
