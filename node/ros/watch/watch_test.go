// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/watch"
)

// watcher is a node under a watch, with another one to make it trouble.
type watcher struct {
	t     *testing.T
	ex    *exec.Simulated
	graph *inproc.Transport
	node  *ros.Node
	other *ros.Node
	watch *watch.Watch
	in    *watch.Input
	log   bytes.Buffer
	said  int

	send   func()       // called every 100 ms, nil: nobody sends
	refuse error        // what the node says of every message
	stamp  func() int64 // of what is sent, nil: as publish was told
}

// wallNow is a time that only a wall clock shows, ns.
const wallNow = 1_700_000_000 * int64(time.Second)

func newWatcher(t *testing.T, start int64) *watcher {
	t.Helper()
	w := &watcher{t: t, ex: exec.NewSimulated(start), graph: inproc.New()}
	w.other = rostest.Node(t, w.graph, w.ex, "other", ros.NodeOptions{NoRosout: true})
	w.node = rostest.Node(t, w.graph, w.ex, "mine", ros.NodeOptions{LogHandler: rostest.LogTo(&w.log)})
	var err error
	if w.watch, err = watch.New(w.node, func() { w.said++ }); err != nil {
		t.Fatal(err)
	}
	w.ex.Every(100*time.Millisecond, func() {
		if w.send != nil {
			w.send()
		}
	})
	return w
}

// expect has the watch look after a topic of poses.
func (w *watcher) expect(q ros.QoS, e watch.Expect) {
	w.t.Helper()
	sub := rostest.Hear(w.t, w.node, "odometry/filtered", q, func(m *nav_msgs.Odometry) {
		w.in.Stamped(ros.TimeNs(m.Header.Stamp))
		if w.refuse != nil {
			w.in.Refused(w.refuse)
		}
	})
	e.Name, e.What = "pose", "a pose"
	w.in = w.watch.Input(sub, e)
}

// publish has the other node publish poses, stamped so much after the present.
func (w *watcher) publish(topic string, q ros.QoS, ahead time.Duration) (stop func()) {
	w.t.Helper()
	pub := rostest.Publisher[nav_msgs.Odometry](w.t, w.other, topic, q)
	var m nav_msgs.Odometry
	w.send = func() {
		m.Header.Stamp = ros.TimeMsg(w.ex.Now() + int64(ahead))
		if w.stamp != nil {
			m.Header.Stamp = ros.TimeMsg(w.stamp())
		}
		if err := pub.Publish(&m); err != nil {
			w.t.Error(err)
		}
	}
	return func() {
		w.send = nil
		if err := pub.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *watcher) run(d time.Duration) {
	w.t.Helper()
	must.OK(w.t, w.ex.RunTo(context.Background(), w.ex.Now()+int64(d)))
}

// status returns the status of that name on /diagnostics.
func (w *watcher) status(name string) diagnostic_msgs.DiagnosticStatus {
	w.t.Helper()
	all := w.watch.Diagnostics()
	i := slices.IndexFunc(all, func(d diagnostic_msgs.DiagnosticStatus) bool { return d.Name == "mine: "+name })
	if i < 0 {
		w.t.Fatalf("no status of %s in %+v", name, all)
	}
	return all[i]
}

// wrong checks that text, log and diagnostics say what is wrong in the same words.
func (w *watcher) wrong(name, want string) {
	w.t.Helper()
	if got := w.watch.Text(); got != want {
		w.t.Errorf("the text is %q,\nwant %q", got, want)
	}
	if d := w.status(name); d.Message != want || d.Level != diagnostic_msgs.DiagnosticStatusWarn {
		w.t.Errorf("the status is %+v, want a warning: %s", d, want)
	}
	if record := slog.String("msg", want); !strings.Contains(w.log.String(), "level=WARN "+quoted(record)) {
		w.t.Errorf("the log lacks a warning %s:\n%s", want, w.log.String())
	}
	if w.said == 0 {
		w.t.Error("the node was not told")
	}
}

// right checks that nothing is wrong now.
func (w *watcher) right(name string) {
	w.t.Helper()
	if got := w.watch.Text(); got != "" {
		w.t.Errorf("the text is %q, want none", got)
	}
	if d := w.status(name); d.Level != diagnostic_msgs.DiagnosticStatusOK {
		w.t.Errorf("the status is %+v, want that all is well", d)
	}
}

// quoted returns an attribute as a text handler writes it.
func quoted(a slog.Attr) string {
	var buf bytes.Buffer
	h := slog.NewTextHandler(&buf, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	_ = h.Handle(context.Background(), slog.NewRecord(time.Time{}, slog.LevelInfo, a.Value.String(), 0))
	return strings.TrimSpace(buf.String())
}
