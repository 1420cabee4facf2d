package explorer_test

import (
	"math"
	"strings"
	"testing"
)

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
