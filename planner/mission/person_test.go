package mission

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// A target that the budget does not cover is refused with the numbers, and the mission goes on as it was.
func TestPersonsTargetTooFar(t *testing.T) {
	cfg := testMission()
	cfg.Budget.Distance = 40
	m := newMission(t, cfg)
	feed(t, m, start, planned)
	before := m.Status()
	e := EventGoTo{Stamp: before.Stamp, Target: orb.Point{30, 0}, PathLength: 30, HomeDistance: 30}
	if why := m.RefusesTarget(e.Target, e.PathLength, e.HomeDistance); !strings.Contains(why, "target costs 30 m to reach and 30 m to return home") {
		t.Errorf("refused with %q", why)
	}
	feed(t, m, step{e, "N", StateTravelling})
	if after := m.Status(); after != before {
		t.Errorf("a refused target changed %+v to %+v", before, after)
	}
}
