package explorer_test

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/planner/mission"
)

// A budget too small to return home ends the mission at once, with the numbers,
// and the robot never moves.
func TestBudgetTooSmallToComeHome(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget, cfg.Home = mission.Budget{Samples: 15, Distance: 120}, []float64{80, 90}
	w := newWorld(t, cfg)
	w.run(1e9)
	ok, text := w.call("start")
	m := w.finish()
	// 1.25 · √(60²+80²) m + 2 m of reserve.
	for _, part := range []string{"120 m", "127 m", "100 m path home", "2 m reserve"} {
		if ok || !strings.Contains(m.Outcome, part) || !strings.Contains(text, part) {
			t.Errorf("outcome %q, answer %v, %q, want %q in both", m.Outcome, ok, text, part)
		}
	}
	if w.driven != 0 || len(m.Decisions) != 0 || len(m.Observations) != 0 || w.driving() {
		t.Errorf("driven %g m, %d decisions", w.driven, len(m.Decisions))
	}
}

// Without a limit of samples a budget of distance allows 8 for each side of a square of the
// region's area: on one of 96 m (100 m less the margin of 2 m on both sides), 25 for 300 m.
func TestSamplesOfADistance(t *testing.T) {
	cfg := small()
	cfg.Field.Margin = 2
	cfg.Mission.Budget = mission.Budget{Distance: 300}
	w := newWorld(t, cfg)
	m := w.mission()
	if n := cfg.Mission.Budget.Samples; n != 0 {
		t.Errorf("the caller's configuration was changed to %d samples", n)
	}
	if n := w.cfg.Mission.Budget.Samples; n != 25 {
		t.Errorf("%d samples are allowed, want 25", n)
	}
	if n := len(m.Observations); n < 10 || n > 25 || w.driven > 300 {
		t.Errorf("%d samples in %g m: %s", n, w.driven, m.Outcome)
	}
}

// A robot that takes twice the way between two poses, because it drives crooked,
// still comes home: its odometer counts, not its plan.
func TestBudgetOfACrookedRobot(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget = mission.Budget{Samples: 15, Distance: 500}
	cfg.Mission.ReserveFactor = 2
	w := newWorld(t, cfg)
	w.pose = crooked(1.8)
	m := w.mission()
	if driven := 1.8 * w.driven; driven > 500 || math.Hypot(w.x-20, w.y-10) > cfg.Mission.HomeTolerance {
		t.Errorf("driven %g of 500 m, ends at (%g, %g)", driven, w.x, w.y)
	}
	near(t, "distance", m.Distance, 1.8*w.driven, 1e-6)
}

// crooked multiplies the speed that odometry tells.
func crooked(factor float64) func(*nav_msgs.Odometry) {
	return func(m *nav_msgs.Odometry) { m.Twist.Twist.Linear.X *= factor }
}

// A grid ends with its last point: the mission is over though samples are left.
func TestNoPlaceLeft(t *testing.T) {
	cfg := small()
	cfg.Method = "grid"
	cfg.SkipRadius = 200 // the whole field
	cfg.SkipTime = math.Inf(1)
	w := newWorld(t, cfg)
	w.noReading = true
	m := w.mission()
	if len(m.Skipped) != 1 || len(m.Decisions) != 1 || m.Recommendation != nil || !strings.Contains(m.Outcome, "no place is left to sample") {
		t.Errorf("%d decisions, skipped %+v, outcome %q", len(m.Decisions), m.Skipped, m.Outcome)
	}
	if d := math.Hypot(w.x-20, w.y-10); d > cfg.Mission.HomeTolerance {
		t.Errorf("the robot ends %g m from home", d)
	}
}
