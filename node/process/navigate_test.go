//go:build fastdds

package process_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/action_msgs"
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
	r := newRobot(t, 20, byAction)
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

// TestInterruptCancelsTheGoal has the server hear, as the last of an explorer that
// is interrupted, that the goal be canceled.
func TestInterruptCancelsTheGoal(t *testing.T) {
	r := newRobot(t, 20, byAction, reporting)
	o := r.observe()
	n := o.navigate()
	r.start()
	o.driving()
	goal := n.Goal()
	signalled := time.Now()
	r.signal(explorer.DefaultName, syscall.SIGINT)
	o.until("the goal to be canceled", func() bool { return goal.Status == action_msgs.GoalStatusStatusCanceled })
	o.ended(explorer.DefaultName, signalled)
	o.standing()
	o.saved()
	r.stop()
}

// TestKilledExplorersGoalIsCanceled has the explorer killed while the robot drives. The robot
// goes on to the goal until the next explorer, started with the same folder, cancels it.
func TestKilledExplorersGoalIsCanceled(t *testing.T) {
	r := newRobot(t, 20, byAction, resuming(3), func(c *simulation.Config) { c.Explorer.AutoResume = false })
	o := r.observe()
	n := o.navigate()
	n.Endless = true // simulated time is fast: the robot may arrive before the next run is there
	r.start()
	o.driving()
	goal := n.Goal()
	r.kill(explorer.DefaultName)
	if goal.Status != action_msgs.GoalStatusStatusExecuting {
		t.Fatalf("the goal has the status %d as the explorer is killed", goal.Status)
	}
	r.start(explorer.DefaultName)
	o.until("the goal to be canceled", func() bool { return !goal.Active() })
	if goal.Status != action_msgs.GoalStatusStatusCanceled {
		t.Errorf("the goal has the status %d", goal.Status)
	}
	o.standing()
	o.wait("a mission that is paused", func() bool {
		return o.state() == mission.StatePaused && strings.HasPrefix(o.status.Text, "paused while")
	})
	r.stop()
}
