package explorer_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/mission"
)

// use_sim_time can be set before a mission and after it, but not on the way.
func TestClockIsKeptDuringAMission(t *testing.T) {
	w := newWorld(t, small())
	c, err := ros.NewClient[rcl_interfaces.SetParametersRequest, rcl_interfaces.SetParametersResponse](w.node, "ugp_explorer/set_parameters")
	w.must(err)
	set := func(on bool) error {
		answered, refused := false, error(nil)
		value := param.NewValue(on)
		w.must(c.Call(&rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{{Name: "use_sim_time", Value: value.Msg()}}},
			time.Second, func(r *rcl_interfaces.SetParametersResponse, err error) {
				w.must(err)
				if answered = true; !r.Results[0].Successful {
					refused = errors.New(r.Results[0].Reason)
				}
			}))
		w.until("an answer", func() bool { return answered })
		return refused
	}
	if err := set(true); err != nil {
		t.Errorf("before the mission: %v", err)
	}
	w.start()
	w.until("the drive", w.driving)
	if err := set(false); err == nil || !strings.Contains(err.Error(), "use_sim_time cannot change now: a mission is under way (travelling); stop it first") {
		t.Errorf("on the way: %v", err)
	}
	w.do("pause")
	if err := set(false); err == nil || !strings.Contains(err.Error(), "(paused)") {
		t.Errorf("in a pause: %v", err)
	}
	w.do("stop")
	w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
	if err := set(false); err != nil {
		t.Errorf("after the mission: %v", err)
	}
}
