package simulation

import (
	"errors"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/sim/rig/nav2test"
)

// A mission by Nav2's action, with the follower behind an action server, is as good
// as one by our own topics: all samples, near their targets, and home.
func TestMissionByAction(t *testing.T) {
	for seed := range int64(2) {
		cfg := DefaultConfig(seed + 1)
		cfg.Explorer.Mission.Budget.Samples = 5
		cfg.Explorer.Interface = "navigate_to_pose"
		s := begin(t, &cfg, Options{})
		node, err := ros.NewNode(s.graph, s.executor, "bt_navigator", ros.NodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.nodes = append(s.nodes, node)
		n, err := nav2test.NewNavigator(node, 500*time.Millisecond, func(from, to orb.Point) ([]orb.Point, error) {
			// A target is in the region; the base stops by the length of the probe's arm from it.
			region, inside := s.Explorer().Region(), to
			region.Project(inside[:], to[:])
			if apart(inside, to) > 0.5 {
				return nil, errors.New("no way leads out of the region")
			}
			way, _, err := region.Path(from, inside)
			return append(way, to), err
		})
		if err != nil {
			t.Fatal(err)
		}
		var first, last [2]float64
		listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
			last = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
			if first == ([2]float64{}) {
				first = last
			}
		})
		if err := errors.Join(s.Run(t.Context()), n.Err); err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		m := s.Explorer().Record()
		if len(m.Observations) != 5 || len(m.Skipped) != 0 || len(n.Goals) < 6 {
			t.Errorf("seed %d: %d samples, %d targets skipped, %d goals; want 5, 0, 6 or more", seed+1, len(m.Observations), len(m.Skipped), len(n.Goals))
		}
		for i, g := range n.Goals { // canceled: the fixes failed, or the robot was there for the explorer first
			if g.Replaced { // the robot could drive straight to the next corner
				continue
			}
			if i == len(n.Goals)-1 && g.Status == action_msgs.GoalStatusStatusExecuting {
				continue // at home the mission is over, and with it the simulation, before the navigator hears so
			}
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
