//go:build fastdds

package process_test

import (
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/rig/nav2test"
)

func byAction(c *simulation.Config) { c.Explorer.Interface = "navigate_to_pose" }

// navigate has the follower driven by an action server in the test, straight to the
// goals.
func (o *observer) navigate() *nav2test.Navigator {
	o.Helper()
	n, err := nav2test.NewNavigator(o.n, 50*time.Millisecond, func(from, to orb.Point) ([]orb.Point, error) {
		return []orb.Point{from, to}, nil
	})
	o.must(err)
	return n
}

// TestMissionByAction has the explorer wait for a server, get its goal to the one
// that takes the first one's place in the middle, and end the mission.
func TestMissionByAction(t *testing.T) {
	r := newRobot(t, 4, byAction) // a machine that is busy reacts late, by metres at a higher speed
	o := r.observe()
	r.start()
	o.wait("the explorer without a server", func() bool {
		return o.sees(explorer.DefaultName) && o.poses > 0 && o.state() == mission.StateIdle
	})
	n := o.navigate()
	o.driving()
	before := len(n.Goals)
	if n.Goal() == nil {
		t.Error("the robot drives without a goal")
	}
	o.must(n.Close())
	o.standing()
	o.must(n.Serve())
	o.finish()
	if before < 2 || len(n.Goals) < 2 || n.Err != nil {
		t.Errorf("%d goals, and %d after that, %v", before, len(n.Goals), n.Err)
	}
	r.stop()
	r.check()
}
