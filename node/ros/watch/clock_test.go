// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
)

// While /clock is missing or stands still, and with it every timer, the watch goes
// by the wall clock and says so.
func TestWatchClock(t *testing.T) { synctest.Test(t, watchClock) }

func watchClock(t *testing.T) {
	graph, ex := inproc.New(), exec.NewRealTime()
	over := &param.Overrides{}
	must.OK(t, over.AddAssignment("use_sim_time:=true"))
	var log bytes.Buffer
	n := rostest.Node(t, graph, ex, "mine", ros.NodeOptions{Overrides: over, LogHandler: rostest.LogTo(&log)})
	other := rostest.Node(t, graph, ex, "other", ros.NodeOptions{NoRosout: true})
	said := 0
	w, err := watch.New(n, func() { said++ })
	must.OK(t, err)
	until := func(what string, cond func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, cond); err != nil {
			t.Fatalf("waiting for %s: %v; the text is %q\n%s", what, err, w.Text(), log.String())
		}
	}
	const head = "waiting for the time on /clock [rosgraph_msgs/msg/Clock]: "
	says := func(want string, meanwhile func()) {
		t.Helper()
		until(want, func() bool { meanwhile(); return w.Text() == head+want+" (use_sim_time is true)" })
	}
	says("no publisher", func() {})
	if record := "level=WARN msg=\"" + w.Text() + "\""; !strings.Contains(log.String(), record) {
		t.Errorf("the log lacks %s:\n%s", record, log.String())
	}
	before := said
	until("the node to be told again", func() bool { return said > before })

	pub := rostest.Publisher[rosgraph_msgs.Clock](t, other, "/clock", ros.DefaultQoS())
	says("/other is there, but nothing was received", func() {})

	var now int64
	var last time.Time
	tick := func(step time.Duration) { // at most a hundred times a second
		if time.Since(last) < 10*time.Millisecond {
			return
		}
		last, now = time.Now(), now+int64(step)
		if err := pub.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(now)}); err != nil {
			t.Error(err)
		}
	}
	until("the time to pass", func() bool { tick(time.Millisecond); return w.Text() == "" })
	until("a coarse time", func() bool { tick(300 * time.Millisecond); return w.Text() != "" })
	const coarse = "the time that /other publishes on /clock advances in steps of 0.3 s, so that commands and poses seem too old: let it publish /clock more often, " +
		"or let time pass more slowly, for steps of at most 0.25 s (use_sim_time is true)"
	if w.Text() != coarse {
		t.Errorf("the text is %q, want %q", w.Text(), coarse)
	}
	until("a fine time", func() bool { tick(250 * time.Millisecond); return w.Text() == "" })

	var in *watch.Input
	poses := rostest.Hear(t, n, "pose", ros.DefaultQoS(), func(m *geometry_msgs.PoseStamped) { in.Stamped(ros.TimeNs(m.Header.Stamp)) })
	in = w.Input(poses, watch.Expect{Name: "pose", What: "a pose"})
	live := rostest.Publisher[geometry_msgs.PoseStamped](t, other, "pose", ros.DefaultQoS())
	until("a pose of the wall clock", func() bool {
		if time.Since(last) >= 10*time.Millisecond {
			must.OK(t, live.Publish(&geometry_msgs.PoseStamped{Header: std_msgs.Header{Stamp: ros.TimeMsg(wallNow)}}))
		}
		tick(250 * time.Millisecond)
		return strings.HasSuffix(w.Text(), "those of /other are of the wall clock, but this node's time is simulated: set use_sim_time on both sides or on neither")
	})
	now = int64(12500 * time.Millisecond)
	says("/other publishes, but the time stays at 12.500 s: is the simulation paused?", func() { tick(0) })
}
