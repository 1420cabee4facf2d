package follower_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros/param"
)

// The clock by which poses and goals grow old does not change while the follower drives.
func TestClockIsKeptWhileTheFollowerDrives(t *testing.T) {
	w := fast(t, nil)
	simulated := param.Assignment{Name: "use_sim_time", Value: param.NewValue(true)}
	if err := w.node.Parameters().Set(simulated); err == nil || !strings.Contains(err.Error(), "the follower drives the robot") {
		t.Errorf("use_sim_time on the way: %v", err)
	}
	w.sendPlan("")
	w.run(time.Minute)
	if err := w.node.Parameters().Set(simulated); err != nil {
		t.Errorf("use_sim_time after the stop: %v", err)
	}
}
