// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

const epoch = int64(100 * time.Second)

// command is a message on cmd_vel with the time of its arrival.
type command struct {
	at    int64
	twist geometry_msgs.Twist
	frame string
}

// rig is a guard between a sender of commands and a base.
type rig struct {
	t     *testing.T
	ex    *exec.Simulated
	clock *rostest.Clock // of the guard's computer
	graph *inproc.Transport
	node  *ros.Node
	test  *ros.Node
	log   bytes.Buffer
	send  func(geometry_msgs.Twist)
	heard []command
	base  *ros.Subscription // which hears them
}

func newRig(t *testing.T, cfg guard.Config) *rig {
	t.Helper()
	r := &rig{t: t, ex: exec.NewSimulated(epoch), graph: inproc.New()}
	r.clock = &rostest.Clock{Simulated: r.ex}
	r.node = rostest.Node(t, r.graph, r.clock, guard.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&r.log, nil)})
	_, err := guard.New(r.node, &cfg)
	r.must(err)
	r.test = rostest.Node(t, r.graph, r.ex, "test", ros.NodeOptions{})
	if cfg.Stamped {
		pub := rostest.Publisher[geometry_msgs.TwistStamped](t, r.test, "cmd_vel_in", ros.DefaultQoS())
		r.send = func(v geometry_msgs.Twist) {
			m := geometry_msgs.TwistStamped{Twist: v}
			m.Header.FrameID = "robot1/base_link"
			r.must(pub.Publish(&m))
		}
		rostest.Hear(t, r.test, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.TwistStamped) {
			if ros.TimeNs(m.Header.Stamp) != r.ex.Now() {
				t.Errorf("stamp %d at %d", ros.TimeNs(m.Header.Stamp), r.ex.Now())
			}
			r.heard = append(r.heard, command{r.ex.Now(), m.Twist, m.Header.FrameID})
		})
		return r
	}
	pub := rostest.Publisher[geometry_msgs.Twist](t, r.test, "cmd_vel_in", ros.DefaultQoS())
	r.send = func(v geometry_msgs.Twist) { r.must(pub.Publish(&v)) }
	r.base = rostest.Hear(t, r.test, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist) {
		r.heard = append(r.heard, command{at: r.ex.Now(), twist: *m})
	})
	return r
}

func (r *rig) must(err error) {
	r.t.Helper()
	must.OK(r.t, err)
}

func (r *rig) run(d time.Duration) {
	r.t.Helper()
	r.must(r.ex.RunTo(context.Background(), r.ex.Now()+int64(d)))
}

// drive sends a command at 20 Hz.
func (r *rig) drive(v geometry_msgs.Twist, d time.Duration) {
	r.t.Helper()
	for range int(d / (50 * time.Millisecond)) {
		r.send(v)
		r.run(50 * time.Millisecond)
	}
}

// Commands are passed on. When they cease while the robot moves, it is stopped after the
// timeout, for zero_time, and then left alone until the next command.
func TestStopsARobotWhoseCommandsCease(t *testing.T) {
	for _, stamped := range []bool{false, true} {
		for _, v := range []geometry_msgs.Twist{
			{Linear: geometry_msgs.Vector3{X: 1.5}, Angular: geometry_msgs.Vector3{Z: -0.3}},
			{Linear: geometry_msgs.Vector3{Y: 0.2}},
			{Angular: geometry_msgs.Vector3{Z: 0.1}},
		} {
			cfg := guard.DefaultConfig()
			cfg.Stamped = stamped
			r := newRig(t, cfg)
			r.drive(v, 5*time.Second)
			if len(r.heard) != 100 {
				t.Fatalf("%d commands, 100 were sent", len(r.heard))
			}
			for _, c := range r.heard {
				if c.twist != v || stamped && c.frame != "robot1/base_link" {
					t.Fatalf("%+v, sent was %+v", c, v)
				}
			}
			last := r.heard[len(r.heard)-1].at
			r.heard = r.heard[:0]
			r.run(time.Minute)
			if len(r.heard) != 40 {
				t.Fatalf("%d commands after the last one, want zeros for 2 s at 20 Hz", len(r.heard))
			}
			for _, c := range r.heard {
				if c.twist != (geometry_msgs.Twist{}) {
					t.Fatalf("%+v, want zero", c)
				}
			}
			if after := time.Duration(r.heard[0].at - last); after < 500*time.Millisecond || after > 600*time.Millisecond {
				t.Errorf("stopped after %v, timeout is 0.5 s", after)
			}
			if !strings.Contains(r.log.String(), "commands have ceased") {
				t.Errorf("the log does not say why:\n%s", &r.log)
			}
			r.heard = r.heard[:0]
			r.drive(v, time.Second)
			if len(r.heard) != 20 || r.heard[19].twist != v {
				t.Errorf("%d commands, the last %+v: want the 20 that were sent", len(r.heard), r.heard[len(r.heard)-1])
			}
		}
	}
}

// A robot that was told to stand, or nothing yet, is not told again.
func TestSilentForAStandingRobot(t *testing.T) {
	r := newRig(t, guard.DefaultConfig())
	r.run(time.Minute)
	r.send(geometry_msgs.Twist{})
	r.run(time.Minute)
	if len(r.heard) != 1 {
		t.Errorf("%d commands, one was sent: %+v", len(r.heard), r.heard)
	}
	r.must(r.node.Close())
	r.run(time.Second)
	if len(r.heard) != 1 {
		t.Errorf("%+v at the end, want nothing", r.heard[1:])
	}
}

// A command within the timeout ends the stop before it begins; one during the zeros ends
// them.
func TestCommandsThatComeBack(t *testing.T) {
	v := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}}
	r := newRig(t, guard.DefaultConfig())
	for range 20 {
		r.send(v)
		r.run(450 * time.Millisecond)
	}
	for _, c := range r.heard {
		if c.twist != v {
			t.Fatalf("%+v, want only what was sent: it came within the timeout", c)
		}
	}
	r.run(time.Second)
	r.heard = r.heard[:0]
	r.drive(v, time.Second)
	for _, c := range r.heard {
		if c.twist != v {
			t.Fatalf("%+v among new commands", c)
		}
	}
}

func TestEndAndBadCommands(t *testing.T) {
	v := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}}
	r := newRig(t, guard.DefaultConfig())
	r.send(v)
	r.run(50 * time.Millisecond)
	v.Angular.Z = math.NaN()
	r.send(v)
	r.run(50 * time.Millisecond)
	if last := r.heard[len(r.heard)-1].twist; last != (geometry_msgs.Twist{}) || !strings.Contains(r.log.String(), "not finite") {
		t.Errorf("%+v after a command with NaN, want zero; the log:\n%s", last, &r.log)
	}
	v.Angular.Z = 0
	r.send(v)
	r.run(50 * time.Millisecond)
	r.must(r.node.Close())
	r.run(time.Second)
	if last := r.heard[len(r.heard)-1].twist; last != (geometry_msgs.Twist{}) {
		t.Errorf("the last command is %+v, want zero", last)
	}
}

// tryNew returns the error with which a guard is refused whose configuration a program has changed.
func tryNew(change func(*guard.Config)) error {
	cfg := guard.DefaultConfig()
	set := cfg.Parameters()
	change(&cfg)
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), guard.DefaultName, ros.NodeOptions{Parameters: set})
	if err != nil {
		return err
	}
	defer node.Close()
	_, err = guard.New(node, &cfg)
	return err
}

func TestNewRefusesABadConfiguration(t *testing.T) {
	if err := tryNew(func(c *guard.Config) { c.Timeout = -1 }); err == nil || !strings.Contains(err.Error(), `parameter "timeout": given -1`) {
		t.Errorf("error %v, want one that names timeout and -1", err)
	}
}
