package ros

import (
	"ugp_explorer/msgs/rosgraph_msgs"
)

// simTimeParameter is the parameter that every ROS node has.
const simTimeParameter = "use_sim_time"

// declareSimTime declares use_sim_time, unless the set has it, and returns the variable
// that it sets.
func declareSimTime(set *ParameterSet) *bool {
	on := new(bool)
	if _, ok := set.Get(simTimeParameter); !ok {
		set.Bool(on, simTimeParameter, ReadOnly(), Describe("take the time from /clock"))
	}
	return on
}

// followSimTime lets /clock drive the executor when on is set. The time of a
// Simulated executor is simulated already and follows nothing.
func (n *Node) followSimTime(on *bool) error {
	if v, _ := n.parameters.Get(simTimeParameter); v.Any() == true {
		*on = true
	}
	ex, ok := n.ex.(SimTimeUser)
	if !ok || !*on {
		return nil
	}
	ex.UseSimTime(true)
	var err error
	n.clock, err = Subscribe(n, "/clock", ClockQoS(), func(m *rosgraph_msgs.Clock, _ MessageInfo) {
		ex.SetTime(TimeNs(m.Clock))
	})
	return err
}

// SetSpeed has the time of the node, and of all nodes of its executor, pass speed
// times as fast as the wall clock: for a node that publishes /clock. It reports
// whether time is now another than the wall clock's. A Simulated executor is as
// fast as it can be already, and stays so: false.
func (n *Node) SetSpeed(speed float64) (changed bool, err error) {
	ex, ok := n.ex.(interface{ SetSpeed(float64) error })
	if !ok {
		return false, nil
	}
	return speed != 1, ex.SetSpeed(speed)
}
