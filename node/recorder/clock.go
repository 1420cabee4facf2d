package recorder

import (
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros"
)

// clockTopic has the time of a simulation. Simulators publish each step, up to a thousand a
// second: more than everything else.
const clockTopic = "/clock"

// thinner chooses the messages on /clock that are recorded.
type thinner struct {
	period int64 // least time between two, ns; 0: all are
	last   int64 // the newest, ns
	any    bool  // there is one in this bag
}

// begin makes the next message the first of a bag.
func (t *thinner) begin() { t.any = false }

// wants reports whether a message is to be recorded: the first, each at least the period
// later than the last, and one that sets the time back. One that cannot be decoded is
// recorded as it came.
func (t *thinner) wants(cdr []byte) bool {
	var m rosgraph_msgs.Clock
	if t.period == 0 || m.UnmarshalCDR(cdr) != nil {
		return true
	}
	now := ros.TimeNs(m.Clock)
	if since := now - t.last; t.any && since >= 0 && since < t.period {
		return false
	}
	t.last, t.any = now, true
	return true
}
