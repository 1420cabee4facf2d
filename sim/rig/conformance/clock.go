package conformance

import (
	"slices"
	"testing"
	"time"

	"ugp_explorer/msgs/builtin_interfaces"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
)

// wallClock is a time that only the wall clock has, ns: the year 2001.
const wallClock = int64(1_000_000_000 * time.Second)

// clockWhileRunning sets use_sim_time as ros2 param does.
func clockWhileRunning(t *testing.T, g *graph) {
	node, other := g.node("tuned", ros.NodeOptions{}), g.node("other", ros.NodeOptions{})
	pub, err := ros.Advertise[rosgraph_msgs.Clock](other, "/clock", ros.DefaultQoS())
	must(t, err)
	busy := ""
	part := node.Part()
	part.KeepClock(func() string { return busy })
	var jumps []exec.Jump
	defer g.ex.OnJump(func(j exec.Jump) { jumps = append(jumps, j) })()
	ticks := 0
	_, err = node.NewTimer(time.Hour, func() { ticks++ }) // which the wall clock does not reach here
	must(t, err)

	set := func(on bool) ri.SetParametersResult {
		return ask[ri.SetParametersRequest, ri.SetParametersResponse](g, other, "set_parameters",
			&ri.SetParametersRequest{Parameters: []ri.Parameter{setting("use_sim_time", param.NewValue(on))}}).Results[0]
	}
	refused := func(on bool) {
		t.Helper()
		busy = "the robot is on its way"
		if r := set(on); r.Successful || r.Reason != "use_sim_time cannot change now: the robot is on its way" {
			t.Errorf("use_sim_time %v, while the clock is kept: %+v", on, r)
		}
		if v, _ := node.Parameters().Get("use_sim_time"); v.Any() != !on {
			t.Errorf("the parameter is %v after it was refused", v)
		}
		busy = ""
	}
	accepted := func(on bool) {
		t.Helper()
		if r := set(on); !r.Successful {
			t.Errorf("use_sim_time %v: %+v", on, r)
		}
	}
	sec := int32(0)
	tick := func(step int32) {
		sec += step
		must(t, pub.Publish(&rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: sec}}))
	}

	refused(true)
	accepted(true)
	accepted(true) // changes nothing
	if node.Now() < wallClock || node.FollowsClock() || len(jumps) > 0 {
		t.Errorf("before the first /clock the time is %d, jumps are %v", node.Now(), jumps)
	}
	// A clock that begins to tick is not taken up while it is kept.
	busy = "the robot is on its way"
	g.wait("/clock", func() bool { tick(1); return node.Clock().Received() > 3 })
	if node.Now() < wallClock || node.FollowsClock() {
		t.Errorf("while the clock is kept the time is %d", node.Now())
	}
	busy = ""
	g.wait("the time of /clock", func() bool { tick(1); return node.FollowsClock() && len(jumps) > 0 })
	if now := node.Now(); now%1e9 != 0 || now > int64(sec)*1e9 {
		t.Errorf("the time is %d, which no /clock said", now)
	}
	if len(jumps) != 1 || jumps[0].From < wallClock || jumps[0].To > int64(sec)*1e9 || jumps[0].To == 0 {
		t.Errorf("the jumps are %v, want one, from the wall clock to that of /clock", jumps)
	}
	g.wait("a timer", func() bool { tick(600); return ticks > 0 })
	tick(600)
	g.wait("the last /clock", func() bool { return node.Now() == int64(sec)*1e9 }) // a later one would end calls by their timeout

	refused(false)
	accepted(false)
	g.wait("the wall clock", func() bool { return node.Now() > wallClock && len(jumps) == 2 })
	if node.FollowsClock() || node.Clock() != nil || jumps[1].To < wallClock {
		t.Errorf("follows the clock: %v, jumps are %v", node.FollowsClock(), jumps)
	}
	g.wait("the end of the subscription", func() bool {
		return !slices.ContainsFunc(other.Endpoints("/clock"), func(e ros.EndpointInfo) bool { return e.Kind == ros.SubscriptionEnd })
	})
	busy = "the robot is on its way"
	must(t, part.Close()) // and with it its reason
	accepted(true)
	g.wait("the time of /clock", func() bool { tick(1); return node.FollowsClock() })
}
