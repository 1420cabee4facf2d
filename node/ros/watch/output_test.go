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
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/watch"
)

// Of topics that say the same thing one listener is enough, and all are named when
// there is none.
func TestWatchOutput(t *testing.T) {
	w := newWatcher(t, 0)
	goal := rostest.Publisher[geometry_msgs.PoseStamped](t, w.node, "goal_pose", ros.DefaultQoS())
	plan := rostest.Publisher[nav_msgs.Path](t, w.node, "plan", ros.DefaultQoS())
	w.watch.Output(watch.Expect{Name: "goal", What: "the goal"}, goal, plan)
	head := "nothing subscribes to the goal on /goal_pose [geometry_msgs/msg/PoseStamped] or /plan [nav_msgs/msg/Path]: "
	w.run(6 * time.Second)
	w.wrong("goal", head+"no subscription")

	wrongType, err := ros.Subscribe(w.other, "plan", ros.DefaultQoS(), func(*nav_msgs.Odometry, ros.MessageInfo) {})
	must.OK(t, err)
	if _, err := ros.Subscribe(w.other, "/robot1/goal_pose", ros.DefaultQoS(), func(*geometry_msgs.PoseStamped, ros.MessageInfo) {}); err != nil {
		t.Fatal(err)
	}
	w.run(6 * time.Second)
	w.wrong("goal", head+"/goal_pose: no subscription; /robot1/goal_pose is subscribed to with that type; "+
		"/plan: /other does not fit: type: the publisher has nav_msgs/msg/Path, the subscription has nav_msgs/msg/Odometry")
	must.OK(t, wrongType.Close())
	if _, err := ros.Subscribe(w.other, "plan", ros.DefaultQoS(), func(*nav_msgs.Path, ros.MessageInfo) {}); err != nil {
		t.Fatal(err)
	}
	w.run(2 * time.Second)
	w.right("goal")
}

// The most urgent of what is wrong is the first that was told to the watch; a note
// is no trouble, and what the transport warns of comes last.
func TestWatchUrgency(t *testing.T) {
	var log bytes.Buffer
	ex, n := rostest.Simulated(t, "mine", ros.NodeOptions{Warnings: []string{"a buffer is small"}, LogHandler: rostest.LogTo(&log)})
	if !strings.Contains(log.String(), `level=WARN msg="a buffer is small"`) {
		t.Errorf("the log lacks the transport's warning:\n%s", log.String())
	}
	w, err := watch.New(n, nil)
	must.OK(t, err)
	wrong := map[string]string{"note": "a note", "one": "the one", "two": "the other"}
	for _, c := range []struct {
		name  string
		level slog.Level
	}{{"note", slog.LevelInfo}, {"one", slog.LevelWarn}, {"two", slog.LevelWarn}} {
		w.Condition(c.name, c.level, func() string { return wrong[c.name] })
	}
	for _, step := range []struct{ mended, want string }{{"", "the one"}, {"one", "the other"}, {"two", "a buffer is small"}} {
		delete(wrong, step.mended)
		must.OK(t, ex.RunTo(context.Background(), ex.Now()+6e9))
		if got := w.Text(); got != step.want {
			t.Errorf("the text is %q, want %q", got, step.want)
		}
	}
	var got []string
	for _, d := range w.Diagnostics() {
		got = append(got, d.Name+" "+d.Message+" "+string('0'+rune(d.Level)))
	}
	want := []string{"mine: note a note 0", "mine: one nothing is wrong 0", "mine: two nothing is wrong 0", "mine: transport a buffer is small 1"}
	if !slices.Equal(got, want) {
		t.Errorf("diagnostics are %q, want %q", got, want)
	}
	if !strings.Contains(log.String(), `level=INFO msg="a note"`) {
		t.Errorf("the log lacks the note:\n%s", log.String())
	}
}

// Hints lead to topics of the same type only where these mean the same: not from velocities for a guard past it, and not from
// what is measured to what a filter estimates.
func TestHintsLeadNowhereElse(t *testing.T) {
	graph := inproc.New()
	clock := exec.NewSimulated(1e18)
	n := rostest.Node(t, graph, clock, "mine", ros.NodeOptions{})
	other := rostest.Node(t, graph, clock, "other", ros.NodeOptions{})
	for _, topic := range []string{"odometry/filtered", "wheels"} {
		rostest.Publisher[nav_msgs.Odometry](t, other, topic, ros.SensorData())
	}
	rostest.Hear(t, other, "base", ros.DefaultQoS(), func(*geometry_msgs.Twist) {})
	w, err := watch.New(n, nil)
	must.OK(t, err)
	hear := func(topic string, offers watch.Offers) string {
		return w.Input(rostest.Hear(t, n, topic, ros.SensorData(), func(*nav_msgs.Odometry) {}), watch.Expect{What: "odometry", Offers: offers}).Why()
	}
	if got := hear("a", nil); !strings.Contains(got, "/odometry/filtered") || !strings.Contains(got, "/wheels") {
		t.Errorf("any odometry: %s", got)
	}
	if got := hear("b", watch.Measured); !strings.Contains(got, "/wheels has that type") { // it alone
		t.Errorf("measured odometry: %s", got)
	}
	for _, topic := range []string{"/gps/filtered", "/odometry/global", "/pose", "/initialpose", "/ekf/datum", "/ground_truth/odom"} {
		if watch.Measured(topic) {
			t.Errorf("%s is offered as a measurement", topic)
		}
	}
	velocity := rostest.Publisher[geometry_msgs.Twist](t, n, "cmd_vel_in", ros.DefaultQoS())
	if got := w.Output(watch.Expect{What: "the velocity", Offers: watch.Nothing}, velocity).Why(); strings.Contains(got, "/base") {
		t.Errorf("velocities: %s", got)
	}
}
