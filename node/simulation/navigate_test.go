package simulation

import (
	"math"
	"testing"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/nav2test"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
)

// navigation is what Nav2 is to the explorer, made of the follower: an action
// server that plans the way itself, publishes it on plan, and says when the robot
// stands at its end.
type navigation struct {
	t      *testing.T
	server *nav2test.Server
	plan   *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	way    [][2]float64 // nil: the robot is to stay
	at     [2]float64
	speed  float64
}

const (
	// runUp is the length of the last leg, which gives the heading, m.
	runUp = 2.0
	// standing is the speed below which the robot stands, m/s.
	standing = 0.05
)

func navigate(t *testing.T, s *Simulation) *navigation {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	node, err := ros.NewNode(s.graph, s.executor, "bt_navigator", ros.NodeOptions{})
	must(err)
	s.nodes = append(s.nodes, node)
	n := &navigation{t: t}
	n.plan, err = ros.Advertise[nav_msgs.Path](node, "plan", ros.DefaultQoS())
	must(err)
	_, err = ros.Subscribe(node, "odometry/filtered", ros.SensorData(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
		n.at = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
		n.speed = m.Twist.Twist.Linear.X
	})
	must(err)
	n.server, err = nav2test.New(node, nav2test.Name)
	must(err)
	n.server.Accepted = func(g *nav2test.Goal) { n.set(s.Explorer().Region(), g) }
	n.server.Cancel = func(g *nav2test.Goal) bool {
		n.way = nil
		n.follow(node.Now())
		g.Drop()
		return true
	}
	_, err = node.NewTimer(500e6, func() { n.tick(node.Now()) })
	must(err)
	return n
}

// set plans the way to a goal, which ends at the goal's heading where the region
// has room for that.
func (n *navigation) set(region *planner.Region, g *nav2test.Goal) {
	p := g.Pose.Pose
	yaw, err := convert.Yaw(p.Orientation)
	if err != nil {
		n.t.Error(err)
	}
	sin, cos := math.Sincos(yaw)
	end := [2]float64{p.Position.X, p.Position.Y}
	behind := [2]float64{end[0] - runUp*cos, end[1] - runUp*sin}
	if !region.Contains(behind[:]) {
		behind = end
	}
	way, _, err := region.Path(n.at, behind)
	if err != nil {
		g.Abort()
		return
	}
	n.way = append(way, end)
}

func (n *navigation) tick(now int64) {
	g := n.server.Goal()
	if g == nil {
		return
	}
	left := apart(n.at, n.way[len(n.way)-1])
	if left < 0.7 && math.Abs(n.speed) < standing { // the follower's tolerance is 0.5 m
		n.way = nil
		g.Succeed()
	} else if err := g.Feedback(float32(left)); err != nil {
		n.t.Error(err)
	}
	n.follow(now)
}

// follow tells the follower of the way.
func (n *navigation) follow(now int64) {
	m := nav_msgs.Path{}
	m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(now)
	convert.Path(&m, n.way)
	if err := n.plan.Publish(&m); err != nil {
		n.t.Error(err)
	}
}

// A mission by Nav2's action is as good as one by our own topics: all samples, near
// their targets, and home.
func TestMissionByAction(t *testing.T) {
	for seed := range int64(2) {
		cfg := DefaultConfig(seed + 1)
		cfg.Explorer.Mission.Budget.Samples = 5
		cfg.Explorer.Interface = "navigate_to_pose"
		s := begin(t, &cfg, Options{})
		n := navigate(t, s)
		var first, last [2]float64
		listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
			last = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
			if first == ([2]float64{}) {
				first = last
			}
		})
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		m := s.Explorer().Record()
		if len(m.Observations) != 5 || len(m.Skipped) != 0 || len(n.server.Goals) < 6 {
			t.Errorf("seed %d: %d samples, %d targets skipped, %d goals; want 5, 0, 6 or more", seed+1, len(m.Observations), len(m.Skipped), len(n.server.Goals))
		}
		for _, g := range n.server.Goals { // canceled: the fixes failed, or the robot was there for the explorer first
			if g.Status != action_msgs.GoalStatusStatusSucceeded && g.Status != action_msgs.GoalStatusStatusCanceled {
				t.Errorf("seed %d: a goal has the status %d", seed+1, g.Status)
			}
		}
		if d := apart(first, last); d > 4 {
			t.Errorf("seed %d: the robot ended %.1f m from home", seed+1, d)
		}
		for _, o := range m.Observations {
			// The tolerance is 2 m, and the filter knows the place to some decimetres.
			if d := apart(o.Target, [2]float64{o.Belief.X, o.Belief.Y}); d > cfg.Explorer.Mission.ArrivalTolerance+1 {
				t.Errorf("seed %d: a sample was taken %.1f m from its target", seed+1, d)
			}
		}
	}
}
