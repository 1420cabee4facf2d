package explorer_test

import (
	"strings"
	"testing"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// A robot that waits for its next goal does not wait for the maps besides.
func TestGoalComesBeforeTheMaps(t *testing.T) {
	w := newWorld(t, small())
	var order []string
	hear(w, "plan", ros.DefaultQoS(), func(m *nav_msgs.Path) {
		if len(m.Poses) > 0 {
			order = append(order, "goal")
		}
	})
	hear(w, "ugp_explorer/observation", ros.Latched(), func(*ugp_explorer_msgs.FieldObservation) { order = append(order, "sample") })
	hear(w, "ugp_explorer/mean", ros.Latched(), func(*nav_msgs.OccupancyGrid) { order = append(order, "map") })
	w.mission()
	samples := 0
	for i, what := range order {
		if what != "sample" {
			continue
		}
		samples++
		if got := strings.Join(order[i+1:min(i+3, len(order))], ", "); got != "goal, map" {
			t.Errorf("after sample %d: %s, want goal, map", samples, got)
		}
	}
	if samples != 4 {
		t.Errorf("%d samples, want 4", samples)
	}
}

// After SkipTime a place may be chosen again: the centre, which is the first
// target as long as nothing is known.
func TestSkippedTargetComesBack(t *testing.T) {
	c := small()
	c.Mission.OnTimeout = mission.TimeoutSkip
	c.Mission.GoalTimeoutBase = 30
	c.Mission.GoalTimeoutFactor = 1
	c.SkipTime = 35
	w := newWorld(t, c)
	w.stuck = true
	w.start()
	w.until("three decisions", func() bool { return len(w.explorer.Record().Decisions) == 3 })
	d := w.explorer.Record().Decisions
	if d[1].Target == d[0].Target {
		t.Errorf("target %v was chosen again at once", d[0].Target)
	}
	if d[2].Target != d[0].Target {
		t.Errorf("the third target is %v, want %v again", d[2].Target, d[0].Target)
	}
}
