// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

func TestNodeNames(t *testing.T) {
	tr := inproc.New()
	n := rostest.Node(t, tr, exec.NewSimulated(0), "follower", ros.NodeOptions{
		Namespace: "/field", Remaps: rostest.Remaps(t, "__node:=pursuit", "__ns:=/robot1", "cmd_vel:=base/cmd_vel"),
	})
	if n.FullName() != "/robot1/pursuit" || n.Name() != "pursuit" {
		t.Errorf("the node is %s (%s)", n.FullName(), n.Name())
	}
	pub, err := ros.Advertise[geometry_msgs.Twist](n, "cmd_vel", ros.DefaultQoS())
	if err != nil || pub.Info().Name != "/robot1/base/cmd_vel" {
		t.Errorf("cmd_vel is %s, %v", pub.Info().Name, err)
	}
	ends := tr.Endpoints("/robot1/base/cmd_vel")
	if len(ends) != 1 || ends[0].Node != "/robot1/pursuit" || ends[0].Type != "geometry_msgs/msg/Twist" || ends[0].TypeHash == "" {
		t.Errorf("the graph shows %+v", ends)
	}
	// Every node of rcl has these.
	for _, s := range []string{"describe_parameters", "get_parameter_types", "get_parameters", "list_parameters", "set_parameters", "set_parameters_atomically"} {
		if ends := tr.Endpoints("/robot1/pursuit/" + s); len(ends) != 1 || ends[0].Kind != ros.ServerEnd {
			t.Errorf("service %s: %+v", s, ends)
		}
	}
	for _, topic := range []string{"/rosout", "/parameter_events"} {
		if ends := tr.Endpoints(topic); len(ends) != 1 || ends[0].Kind != ros.PublisherEnd {
			t.Errorf("topic %s: %+v", topic, ends)
		}
	}
	for _, opts := range []ros.NodeOptions{{Namespace: "relative"}, {Namespace: "/a/"}} {
		if _, err := ros.NewNode(tr, exec.NewSimulated(0), "n", opts); err == nil {
			t.Errorf("namespace %q is accepted", opts.Namespace)
		}
	}
	if _, err := ros.NewNode(tr, exec.NewSimulated(0), "bad name", ros.NodeOptions{}); err == nil {
		t.Error(`node name "bad name" is accepted`)
	}
}

var errCrash = errors.New("crash")

// This is how a follower stops the robot: whatever ends the run, the plant receives the
// last command.
func TestNodeShutdown(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(ex *exec.Simulated, cancel func())
		want error
	}{
		{"panic", func(*exec.Simulated, func()) { panic(errCrash) }, errCrash},
		{"cancel", func(_ *exec.Simulated, cancel func()) { cancel() }, context.Canceled},
		{"stop", func(ex *exec.Simulated, _ func()) { ex.Stop(errCrash) }, errCrash},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, ex := inproc.New(), exec.NewSimulated(0)
			follower, plant := rostest.Node(t, tr, ex, "follower", ros.NodeOptions{}), rostest.Node(t, tr, ex, "plant", ros.NodeOptions{})
			pub := rostest.Publisher[geometry_msgs.Twist](t, follower, "cmd_vel", ros.DefaultQoS())
			var speeds []float64
			if _, err := ros.Subscribe(plant, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros.MessageInfo) {
				speeds = append(speeds, m.Linear.X)
			}); err != nil {
				t.Fatal(err)
			}
			drive := func(v float64) {
				var m geometry_msgs.Twist
				m.Linear.X = v
				if err := pub.Publish(&m); err != nil {
					t.Error(err)
				}
			}
			stops := 0
			follower.OnShutdown(func() { stops++; drive(0) })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if _, err := follower.NewTimer(time.Second, func() {
				drive(1.5)
				if ex.Now() == int64(3*time.Second) {
					c.end(ex, cancel)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := ex.Run(ctx, nil); !errors.Is(err, c.want) {
				t.Errorf("Run returned %v, want %v", err, c.want)
			}
			if want := []float64{1.5, 1.5, 1.5, 0}; !slices.Equal(speeds, want) {
				t.Errorf("the plant heard %v, want %v", speeds, want)
			}
			if err := follower.Close(); err != nil || stops != 1 {
				t.Errorf("Close: %v; the hook ran %d times, want once", err, stops)
			}
		})
	}
}

func TestNodeClose(t *testing.T) {
	tr, ex := inproc.New(), exec.NewSimulated(0)
	n, err := ros.NewNode(tr, ex, "n", ros.NodeOptions{})
	must.OK(t, err)
	_, got := rostest.Words(t, n, "t", ros.DefaultQoS())
	say := rostest.Speaker(t, n, "t", ros.DefaultQoS())
	var ran []string
	n.OnShutdown(func() { ran = append(ran, "one") })
	n.OnShutdown(func() { ran = append(ran, "two") })
	if _, err := n.NewTimer(time.Second, func() { ran = append(ran, "timer") }); err != nil {
		t.Fatal(err)
	}
	n.After(time.Second, func() { ran = append(ran, "after") })
	n.Async(func() { ran = append(ran, "work") }, func() { ran = append(ran, "done") })
	say("lost")
	must.OK(t, errors.Join(n.Close(), n.Close()))
	must.OK(t, ex.RunTo(t.Context(), int64(time.Minute)))
	if want := []string{"work", "two", "one"}; !slices.Equal(ran, want) || len(*got) != 0 {
		t.Errorf("ran %v and heard %v, want %v and nothing", ran, *got, want)
	}
	for _, name := range []string{"/t", "/rosout", "/n/get_parameters"} {
		if ends := tr.Endpoints(name); len(ends) != 0 {
			t.Errorf("%s still has %+v", name, ends)
		}
	}
	again := rostest.Node(t, tr, ex, "n", ros.NodeOptions{}) // the name is free again
	if _, err := again.NewTimer(0, func() {}); err == nil || !strings.Contains(err.Error(), "more than 0") {
		t.Errorf("a timer without a period: %v", err)
	}
}

// What passes is not told, as when RViz opens a topic twice; what stays is told once.
func TestMismatches(t *testing.T) {
	tr, ex := inproc.New(), exec.NewSimulated(0)
	var log strings.Builder
	n, err := ros.NewNode(tr, ex, "n", ros.NodeOptions{LogHandler: slog.NewTextHandler(&log, nil)})
	must.OK(t, err)
	offered := ros.DefaultQoS()
	offered.BestEffort = true
	rostest.Speaker(t, n, "t", offered)
	other := rostest.Node(t, tr, ex, "other", ros.NodeOptions{})
	rostest.Words(t, other, "t", ros.DefaultQoS())
	told := func() int { return strings.Count(log.String(), "does not match") }
	n.LookForMismatches(0)
	n.LookForMismatches(time.Second)
	if told() != 0 {
		t.Errorf("told at once: %s", &log)
	}
	for range 3 {
		n.LookForMismatches(time.Minute)
	}
	if told() != 1 || !strings.Contains(log.String(), "reliab") {
		t.Errorf("told %d times, want once: %s", told(), &log)
	}
	must.OK(t, other.Close())
	n.LookForMismatches(time.Minute)
	rostest.Words(t, rostest.Node(t, tr, ex, "other", ros.NodeOptions{}), "t", ros.DefaultQoS())
	n.LookForMismatches(0)
	if n.LookForMismatches(time.Minute); told() != 2 {
		t.Errorf("told %d times of two subscriptions: %s", told(), &log)
	}
}

// A part closes what was opened on it; the node continues, and can have another.
func TestPart(t *testing.T) {
	tr, ex := inproc.New(), exec.NewSimulated(0)
	n, err := ros.NewNode(tr, ex, "n", ros.NodeOptions{})
	must.OK(t, err)
	_, whole := rostest.Words(t, n, "t", ros.DefaultQoS())
	say := rostest.Speaker(t, n, "t", ros.DefaultQoS())
	var ran []string
	open := func(name string) (*ros.Node, *[]string) {
		part := n.Part()
		_, heard := rostest.Words(t, part, "t", ros.DefaultQoS())
		rostest.Speaker(t, part, "of_part", ros.DefaultQoS())
		part.OnShutdown(func() { ran = append(ran, name+" ends") })
		if _, err := part.NewTimer(time.Second, func() { ran = append(ran, name+" ticks") }); err != nil {
			t.Fatal(err)
		}
		part.After(2*time.Second, func() { ran = append(ran, name+" waits") })
		return part, heard
	}
	run := func(until time.Duration) {
		t.Helper()
		must.OK(t, ex.RunTo(t.Context(), int64(until)))
	}
	first, one := open("first")
	say("a")
	run(1500 * time.Millisecond)
	must.OK(t, errors.Join(first.Close(), first.Close()))
	if ends := tr.Endpoints("/of_part"); len(ends) != 0 || first.FullName() != "/n" {
		t.Errorf("%s still has %+v", first.FullName(), ends)
	}
	_, two := open("second")
	say("b")
	run(2500 * time.Millisecond)
	must.OK(t, n.Close())
	run(time.Minute)
	if want := []string{"first ticks", "first ends", "second ticks", "second ends"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	if len(*whole) != 2 || len(*one) != 1 || len(*two) != 1 {
		t.Errorf("heard %v, %v and %v", *whole, *one, *two)
	}
	if ends := tr.Endpoints(""); len(ends) != 0 {
		t.Errorf("the graph still has %+v", ends)
	}
}
