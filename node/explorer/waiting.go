package explorer

import (
	"ugp_explorer/planner/mission"
)

// Waiting says what a mission waits for that has not begun, "" for one that has.
func (e *Explorer) Waiting() string {
	switch {
	case e.State() != mission.StateIdle:
		return ""
	case e.hasPose && e.startDue && e.undriven() != "":
		return "something that drives: " + e.undriven()
	case e.hasPose:
		return "the start"
	case e.checker.LastRefusal() != nil:
		return "a pose that can be used: " + e.checker.LastRefusal().Error()
	}
	return "a pose"
}
