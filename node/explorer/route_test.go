package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// In a lane that is too narrow for a robot whose probe is far aside there is no
// place from which to sample: those targets are given up, with the reason, and the
// mission goes on elsewhere.
func TestTargetThatTheBaseCannotReach(t *testing.T) {
	cfg := small()
	cfg.Method = "random"
	cfg.Mission.Budget.Samples = 60
	cfg.Mission.MaxFailures = 100
	cfg.SkipRadius = 1
	cfg.Model.Fit = false
	cfg.Field.Margin, cfg.Field.Sigmas = 0.5, 0 // no target is left out because of the position
	cfg.Outline = field.Field{Boundary: orb.Polygon{{
		{0, 0}, {40, 0}, {40, 18}, {200, 18}, {200, 19.5}, {40, 19.5}, {40, 40}, {0, 40}, {0, 0},
	}}}
	cfg.Matcher.Probe = localization.Lever{X: 1, Y: 6}
	m := newWorld(t, cfg).mission()
	lane := 0
	for _, s := range m.Skipped {
		if s.Target[0] > 48 {
			lane++
		}
		if !strings.Contains(s.Reason, "outside the field or in a keep-out") {
			t.Errorf("%v is skipped: %s", s.Target, s.Reason)
		}
	}
	if lane == 0 {
		t.Errorf("nothing in the lane was given up: %d skipped", len(m.Skipped))
	}
	for _, o := range m.Observations {
		if o.Target[0] > 48 {
			t.Errorf("a sample was taken for %v, in the lane", o.Target)
		}
	}
	if len(m.Observations) != 60 {
		t.Errorf("%d samples, want 60", len(m.Observations))
	}
}

// A localisation that corrects itself on the way may put the robot where the straight line back to
// its path crosses a keep-out: it gets another path, on the way to its target and home.
func TestRobotFoundElsewhere(t *testing.T) {
	cfg := small()
	cfg.Outline = between() // a keep-out of 40 ≤ x ≤ 60, y ≤ 60
	cfg.Home = []float64{80, 10}
	w := newWorld(t, cfg)
	w.corners, w.speed = true, 1
	w.spread(0.05, 0.05)
	w.start()
	found := func(state mission.State, at orb.Point) {
		t.Helper()
		w.until("the drive", func() bool { return w.explorer.State() == state && w.driving() })
		w.run(time.Second)
		w.x, w.y = at[0], at[1]
		least := w.closest()
		w.run(30 * time.Second)
		if plan := w.plans[len(w.plans)-1]; !w.driving() || math.Hypot(plan[0][0]-at[0], plan[0][1]-at[1]) > 1 {
			t.Errorf("found at %v while %s, the robot is sent along %v", at, state, plan)
		}
		if *least < 0.7*w.cfg.Field.Margin {
			t.Errorf("found at %v while %s, the robot came to %.2f m from an edge", at, state, *least)
		}
	}
	found(mission.StateTravelling, orb.Point{80, 30})
	w.call("home")
	found(mission.StateReturning, orb.Point{25, 10})
	if n := strings.Count(w.log.String(), "the robot is off its path"); n != 2 {
		t.Errorf("the log says %d times that the robot is off its path:\n%s", n, w.log.String())
	}
	w.speed = 5
	w.finish()
}
