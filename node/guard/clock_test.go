package guard_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros/param"
)

// The clock by which commands are late does not change while the robot moves.
func TestClockIsKeptWhileTheRobotMoves(t *testing.T) {
	r := newRig(t, guard.DefaultConfig())
	simulated := param.Assignment{Name: "use_sim_time", Value: param.NewValue(true)}
	r.drive(geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}}, time.Second)
	if err := r.node.Parameters().Set(simulated); err == nil || !strings.Contains(err.Error(), "velocity commands move the robot") {
		t.Errorf("use_sim_time while the robot moves: %v", err)
	}
	r.run(time.Minute)
	if err := r.node.Parameters().Set(simulated); err != nil {
		t.Errorf("use_sim_time while the robot stands: %v", err)
	}
}
