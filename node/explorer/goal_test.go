package explorer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// While the robot travels the goal is repeated every the goal's period with one and
// the same plan; a plan that leads somewhere is heard in no other state.
func TestGoalIsRepeated(t *testing.T) {
	for _, period := range []float64{0.5, 2} {
		cfg := small()
		cfg.GoalPeriod = period
		w := newWorld(t, cfg)
		w.speed = 2
		w.mission()
		legs := map[string][]int64{}
		for _, g := range w.goals {
			if len(g.plan) == 0 {
				continue
			}
			if g.state != mission.StateTravelling && g.state != mission.StateReturning {
				t.Errorf("goal (%g, %g) heard while %s", g.x, g.y, g.state)
			}
			end := g.plan[len(g.plan)-1]
			if end != [2]float64{g.x, g.y} {
				t.Errorf("the plan ends at %v, the goal is (%g, %g)", end, g.x, g.y)
			}
			leg := fmt.Sprintf("%v", g.plan)
			legs[leg] = append(legs[leg], g.at)
		}
		if len(legs) != 5 { // four samples and home
			t.Errorf("%d plans, want 5", len(legs))
		}
		for leg, at := range legs {
			for i := 1; i < len(at); i++ {
				if gap := float64(at[i]-at[i-1]) / 1e9; gap > period+1e-9 || i > 1 && gap < period-1e-9 {
					t.Errorf("%s: goals %g s apart, want %g s", leg, gap, period)
				}
			}
			if len(at) < 3 {
				t.Errorf("%s: heard %d times", leg, len(at))
			}
		}
	}
}

// The robot that stands at the goal pose has its probe on the target.
func TestGoalPutsTheProbeOnTheTarget(t *testing.T) {
	for _, lever := range []localization.Lever{{}, {X: 1.5}, {X: -1.2}, {Y: 0.7}, {X: 0.6, Y: -0.9}} {
		cfg := small()
		cfg.Matcher.Probe = lever
		w := newWorld(t, cfg)
		m := w.mission()
		k := 0
		for _, d := range m.Decisions {
			for k < len(w.goals) && (w.goals[k].state != mission.StateTravelling || len(w.goals[k].plan) == 0) {
				k++
			}
			if k == len(w.goals) {
				t.Fatalf("lever %v: no goal for %v", lever, d.Target)
			}
			g := w.goals[k]
			sin, cos := math.Sincos(g.yaw)
			near(t, fmt.Sprintf("lever %v: probe x", lever), g.x+cos*lever.X-sin*lever.Y, d.Target[0], 1e-9)
			near(t, fmt.Sprintf("lever %v: probe y", lever), g.y+sin*lever.X+cos*lever.Y, d.Target[1], 1e-9)
			from := g.plan[len(g.plan)-2]
			near(t, fmt.Sprintf("lever %v: heading along the way", lever), math.Atan2(g.y-from[1], g.x-from[0]), g.yaw, 1e-9)
			for k < len(w.goals) && len(w.goals[k].plan) > 0 { // repetitions
				k++
			}
		}
	}
}

// A target right before the robot, nearer than its probe: the goal pose still
// puts the probe there, and the robot gets it there.
func TestTargetNearerThanTheProbe(t *testing.T) {
	cfg := small()
	cfg.Matcher.Probe = localization.Lever{X: 5}
	cfg.Mission.Budget.Samples = 1
	w := newWorld(t, cfg)
	w.x, w.y = 49, 50 // the first target is the centre of the field
	w.start()
	w.state(mission.StateTravelling)
	w.run(time.Millisecond)
	target := w.explorer.Record().Decisions[0].Target
	g := w.goals[len(w.goals)-1]
	sin, cos := math.Sincos(g.yaw)
	near(t, "probe x", g.x+5*cos, target[0], 1e-9)
	near(t, "probe y", g.y+5*sin, target[1], 1e-9)
	if m := w.finish(); len(m.Observations) != 1 || math.Hypot(m.Observations[0].Belief.X-target[0], m.Observations[0].Belief.Y-target[1]) > 0.1 {
		t.Errorf("sampled %+v, want at %v", m.Observations, target)
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
