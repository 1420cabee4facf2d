package ros

import (
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
)

// simTimeParameter is the parameter that every ROS node has.
const simTimeParameter = "use_sim_time"

func declareSimTime(set *param.Set) {
	declareSwitch(set, simTimeParameter, false, param.Describe("take the time from /clock"))
}

// followSimTime subscribes to /clock to set the executor's time if use_sim_time is set. It has no
// effect on a Simulated executor, whose time is simulated anyway.
func (n *Node) followSimTime() error {
	ex, ok := n.ex.(exec.SimTimeUser)
	if !ok || !n.switched(simTimeParameter) {
		return nil
	}
	ex.UseSimTime(true)
	var err error
	n.clock, err = Subscribe(n, "/clock", ClockQoS(), func(m *rosgraph_msgs.Clock, _ MessageInfo) {
		ex.SetTime(TimeNs(m.Clock))
	})
	return err
}

// FollowsClock reports whether the node takes its time from /clock, as in a simulation that may
// begin anew.
func (n *Node) FollowsClock() bool { return n.clock != nil }

// SetSpeed makes time pass speed times as fast as the wall clock, for all nodes of the
// executor. It is meant for a node that publishes /clock. It reports whether the time now
// differs from the wall clock. A Simulated executor always runs as fast as possible; then it
// returns false.
func (n *Node) SetSpeed(speed float64) (changed bool, err error) {
	ex, ok := n.ex.(interface{ SetSpeed(float64) error })
	if !ok {
		return false, nil
	}
	return speed != 1, ex.SetSpeed(speed)
}
