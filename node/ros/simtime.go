package ros

import (
	"fmt"
	"io"
	"slices"
	"time"

	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
)

// simTimeParameter is the parameter that every ROS node has.
const simTimeParameter = "use_sim_time"

// timeSource is where a node and its parts take the time from. A node that starts with use_sim_time
// has the time 0 until the first message on /clock, as in rclcpp. One that gets the parameter while
// it runs keeps the wall clock until then: with the time 0, as in rclcpp, its timers would stand
// still, and with them everything that stops a robot.
type timeSource struct {
	source  func() bool   // the node publishes /clock; nil: it does not
	wanted  bool          // use_sim_time as last taken up
	sub     *Subscription // to /clock; nil without use_sim_time
	follows bool          // the time is that of /clock
	keepers []*keeper
	said    Throttle
}

// keeper is a reason to keep the clock for a while.
type keeper struct {
	busy func() string
	drop func()
}

// Close takes the reason back.
func (k *keeper) Close() error { k.drop(); return nil }

func declareSimTime(set *param.Set) {
	declareSwitch(set, simTimeParameter, false, param.Live(), param.Describe("take the time from /clock"))
}

// startTime takes the time from where use_sim_time says, now and when it changes. It has no
// effect on a Simulated executor, whose time is simulated anyway, nor on a node that publishes
// /clock.
func (n *Node) startTime(source func() bool) error {
	n.time.source, n.time.said = source, n.NewThrottle(10*time.Second)
	n.time.wanted = n.switched(simTimeParameter)
	n.parameters.OnChange(n.mayChangeClock)
	ex, ok := n.ex.(exec.SimTimeUser)
	if !ok || !n.time.wanted || source != nil && source() {
		return nil
	}
	ex.UseSimTime(true)
	n.time.follows = true
	return n.followClock(ex)
}

// followClock subscribes to /clock.
func (n *Node) followClock(ex exec.SimTimeUser) (err error) {
	t := n.time
	t.sub, err = Subscribe(n, "/clock", ClockQoS(), func(m *rosgraph_msgs.Clock, _ MessageInfo) {
		if t.follows {
			ex.SetTime(TimeNs(m.Clock))
			return
		}
		if why := n.ClockKept(); why != "" {
			t.said.Warn("use_sim_time is true, but the node keeps the wall clock for now", "reason", why)
			return
		}
		ex.SetTime(TimeNs(m.Clock)) // first, so that the time jumps once
		ex.UseSimTime(true)
		t.follows = true
		n.log.Info("the time is that of /clock from now on", "time_s", time.Duration(TimeNs(m.Clock)).Seconds())
	})
	return err
}

// mayChangeClock refuses a change of use_sim_time that the node cannot take up now.
func (n *Node) mayChangeClock() error {
	if n.closed || n.switched(simTimeParameter) == n.time.wanted {
		return nil
	}
	if n.time.source != nil && n.time.source() {
		return fmt.Errorf("%s cannot change: this node publishes /clock", simTimeParameter)
	}
	if why := n.ClockKept(); why != "" {
		return fmt.Errorf("%s cannot change now: %s", simTimeParameter, why)
	}
	return nil
}

// changeClock takes up a change of use_sim_time.
func (n *Node) changeClock() {
	t := n.time
	ex, ok := n.ex.(exec.SimTimeUser)
	if want := n.switched(simTimeParameter); want == t.wanted {
		return
	} else if t.wanted = want; !ok {
		return
	}
	if t.wanted {
		if err := n.followClock(ex); err != nil {
			n.log.Error("the time cannot be taken from /clock", "error", err.Error())
			return
		}
		n.log.Info("use_sim_time is true: the node keeps the wall clock until the first message on /clock")
		return
	}
	if t.sub == nil {
		return
	}
	if err := t.sub.Close(); err != nil {
		n.log.Warn("a subscription was not closed", "topic", "/clock", "error", err.Error())
	}
	n.endpoints = slices.DeleteFunc(n.endpoints, func(c io.Closer) bool { return c == io.Closer(t.sub) })
	t.sub = nil
	if t.follows {
		t.follows = false
		ex.UseSimTime(false)
		n.log.Info("use_sim_time is false: the time is that of the wall clock from now on")
	}
}

// KeepClock keeps the node's clock while busy returns a reason, as a sentence without its first
// capital, such as "a mission runs": use_sim_time is refused then, and a clock that starts to tick
// is not taken up. Until the node, or the part on which it is called, closes.
func (n *Node) KeepClock(busy func() string) {
	k := &keeper{busy: busy}
	k.drop = func() {
		n.time.keepers = slices.DeleteFunc(n.time.keepers, func(o *keeper) bool { return o == k })
	}
	n.time.keepers = append(n.time.keepers, k)
	n.OnClose(k)
}

// ClockKept returns the reason why the clock may not change now, see [Node.KeepClock]; "" if it may.
func (n *Node) ClockKept() string {
	for _, k := range n.time.keepers {
		if why := k.busy(); why != "" {
			return why
		}
	}
	return ""
}

// Clock returns the subscription to /clock, nil without use_sim_time.
func (n *Node) Clock() *Subscription { return n.time.sub }

// FollowsClock reports whether the node takes its time from /clock, as in a simulation that may
// begin anew.
func (n *Node) FollowsClock() bool { return n.time.follows }

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
