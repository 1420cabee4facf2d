// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

const (
	tick  = 50 * time.Millisecond // of the robot; the follower's default is the same
	dt    = 0.05                  // s
	epoch = int64(100 * time.Second)
)

// command is a message on cmd_vel with the time of its arrival.
type command struct {
	at     int64
	v, w   float64
	header *geometry_msgs.TwistStamped // nil for a Twist
}

// world is a follower on a graph, with a node that plays the rest of the graph: a robot
// that obeys at once, and a source of goals that are repeated each second.
type world struct {
	t          *testing.T
	ex         *exec.Simulated
	graph      *inproc.Transport
	node, test *ros.Node
	cfg        *follower.Config
	log        bytes.Buffer

	x, y, yaw, v, w float64
	shift           [2]float64 // of the published pose
	frame           string     // of the odometry
	silent          bool       // no odometry
	track           []orb.Point
	signs           [2]float64 // of the speeds that the robot makes of its commands

	heard     []command
	lookahead []geometry_msgs.PointStamped
	late      time.Duration // of the stamps of poses
	repeat    func()
	eachTick  func()

	odom  *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	plans *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	goals *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped]

	wheels *ros.Subscription // to cmd_vel
}

func newWorld(t *testing.T, change func(*follower.Config)) *world {
	t.Helper()
	return newWorldAt(t, epoch, change)
}

// newWorldAt is newWorld with another start time, ns.
func newWorldAt(t *testing.T, epoch int64, change func(*follower.Config)) *world {
	t.Helper()
	return newWorldOn(t, exec.NewSimulated(epoch), nil, change)
}

// newWorldOn is newWorld on an executor. The follower's own, unless it is nil, differs from it.
func newWorldOn(t *testing.T, ex *exec.Simulated, own exec.Executor, change func(*follower.Config)) *world {
	t.Helper()
	cfg := follower.DefaultConfig()
	if change != nil {
		change(&cfg)
	}
	w := &world{t: t, ex: ex, graph: inproc.New(), cfg: &cfg, frame: "map", signs: [2]float64{1, 1}}
	if own == nil {
		own = ex
	}
	w.test = rostest.Node(t, w.graph, ex, "test", ros.NodeOptions{})
	w.node = rostest.Node(t, w.graph, own, follower.DefaultName, ros.NodeOptions{
		Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&w.log, nil),
	})
	w.odom = rostest.Publisher[nav_msgs.Odometry](t, w.test, "odometry/filtered", ros.SensorData())
	w.plans = rostest.Publisher[nav_msgs.Path](t, w.test, "plan", ros.DefaultQoS())
	w.goals = rostest.Publisher[geometry_msgs.PoseStamped](t, w.test, "goal_pose", ros.DefaultQoS())
	w.hear()
	// This timer is created before the follower's, so at each instant the robot moves
	// before the follower acts.
	_, err := w.test.NewTimer(tick, w.drive)
	w.must(err)
	_, err = w.test.NewTimer(time.Second, func() {
		if w.repeat != nil {
			w.repeat()
		}
	})
	w.must(err)
	_, err = follower.New(w.node, &cfg)
	w.must(err)
	return w
}

func (w *world) hear() {
	if w.cfg.Stamped {
		w.wheels = rostest.Hear(w.t, w.test, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.TwistStamped) {
			header := *m
			w.obey(m.Twist, &header)
		})
	} else {
		w.wheels = rostest.Hear(w.t, w.test, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist) { w.obey(*m, nil) })
	}
	rostest.Hear(w.t, w.test, "lookahead_point", ros.DefaultQoS(), func(m *geometry_msgs.PointStamped) { w.lookahead = append(w.lookahead, *m) })
}

func (w *world) obey(m geometry_msgs.Twist, header *geometry_msgs.TwistStamped) {
	if m.Linear.Y != 0 || m.Linear.Z != 0 || m.Angular.X != 0 || m.Angular.Y != 0 {
		w.t.Errorf("a velocity that a robot with wheels cannot have: %+v", m)
	}
	w.v, w.w = w.signs[0]*m.Linear.X, w.signs[1]*m.Angular.Z
	w.heard = append(w.heard, command{w.ex.Now(), m.Linear.X, m.Angular.Z, header})
}

// drive moves the unicycle by one tick, exactly, and publishes its pose.
func (w *world) drive() {
	if w.eachTick != nil {
		w.eachTick()
	}
	chord, mid := w.v*dt, w.yaw+w.w*dt/2
	if half := w.w * dt / 2; half != 0 {
		chord *= math.Sin(half) / half
	}
	w.x += chord * math.Cos(mid)
	w.y += chord * math.Sin(mid)
	w.yaw = math.Remainder(w.yaw+w.w*dt, 2*math.Pi)
	w.track = append(w.track, [2]float64{w.x, w.y})
	if !w.silent {
		w.publishPose(convert.Quaternion(w.yaw))
	}
}

func (w *world) publishPose(q geometry_msgs.Quaternion) {
	var m nav_msgs.Odometry
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(w.ex.Now()+int64(w.late)), w.frame, "base_link"
	m.Pose.Pose.Position = geometry_msgs.Point{X: w.x + w.shift[0], Y: w.y + w.shift[1]}
	m.Pose.Pose.Orientation = q
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = w.v, w.w
	w.must(w.odom.Publish(&m))
}

// sendPlan publishes a path once, in a frame.
func (w *world) sendPlan(frame string, points ...orb.Point) {
	var m nav_msgs.Path
	m.Header.FrameID, m.Header.Stamp = frame, ros.TimeMsg(w.ex.Now())
	convert.Path(&m, points)
	w.must(w.plans.Publish(&m))
}

// follow publishes a path now and each second from now on.
func (w *world) follow(points ...orb.Point) {
	w.repeat = func() { w.sendPlan("map", points...) }
	w.repeat()
}

func (w *world) sendGoal(frame string, x, y float64) {
	var m geometry_msgs.PoseStamped
	m.Header.FrameID, m.Header.Stamp = frame, ros.TimeMsg(w.ex.Now())
	m.Pose.Position = geometry_msgs.Point{X: x, Y: y}
	m.Pose.Orientation = convert.Quaternion(0)
	w.must(w.goals.Publish(&m))
}

// goTo publishes a goal now and each second from now on.
func (w *world) goTo(x, y float64) {
	w.repeat = func() { w.sendGoal("map", x, y) }
	w.repeat()
}

// run lets d pass.
func (w *world) run(d time.Duration) {
	w.t.Helper()
	w.must(w.ex.RunTo(context.Background(), w.ex.Now()+int64(d)))
}

// since returns the commands heard after a time.
func (w *world) since(at int64) []command {
	for i, c := range w.heard {
		if c.at > at {
			return w.heard[i:]
		}
	}
	return nil
}

// last returns the newest command.
func (w *world) last() command {
	w.t.Helper()
	if len(w.heard) == 0 {
		w.t.Fatal("no velocity command was heard")
	}
	return w.heard[len(w.heard)-1]
}

func (w *world) distance(x, y float64) float64 { return math.Hypot(w.x-x, w.y-y) }

func (w *world) must(err error) {
	w.t.Helper()
	must.OK(w.t, err)
}

// mustStand fails unless there are commands from a time on and all of them are zero.
func (w *world) mustStand(from int64, why string) {
	w.t.Helper()
	commands := w.since(from)
	if len(commands) == 0 {
		w.t.Fatalf("%s: no commands", why)
	}
	for _, c := range commands {
		if c.v != 0 || c.w != 0 {
			w.t.Fatalf("%s: commanded (%g m/s, %g rad/s) %.2f s later, want zero", why, c.v, c.w, seconds(c.at-from))
		}
	}
}

// mustBeSilent fails if there are commands from a time on.
func (w *world) mustBeSilent(from int64, why string) {
	w.t.Helper()
	if commands := w.since(from); len(commands) > 0 {
		w.t.Fatalf("%s: %d commands, the first %.2f s later, want none", why, len(commands), seconds(commands[0].at-from))
	}
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
