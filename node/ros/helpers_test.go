package ros_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"ugp_explorer/node/ros"
)

// simulatedNode returns a node alone on an in-process graph at time 0.
func simulatedNode(tb testing.TB, name string, opts ros.NodeOptions) (*ros.Simulated, *ros.Node) {
	tb.Helper()
	ex := ros.NewSimulated(0)
	return ex, newNode(tb, ros.NewInProcess(), ex, name, opts)
}

func newNode(tb testing.TB, tr ros.Transport, ex ros.Executor, name string, opts ros.NodeOptions) *ros.Node {
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

// run runs everything that is due and comes of it at the present time.
func run(tb testing.TB, ex *ros.Simulated) {
	tb.Helper()
	if err := ex.RunTo(context.Background(), ex.Now()); err != nil {
		tb.Fatal(err)
	}
}

// logTo returns a handler that writes text without times to buf.
func logTo(buf *bytes.Buffer) slog.Handler {
	return slog.NewTextHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug})
}
