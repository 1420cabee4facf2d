package pursuit

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// A new speed limit applies from the next step on, within the acceleration limits,
// and the robot continues along its path from its position.
func TestSetConfigWhileDriving(t *testing.T) {
	cfg := DefaultConfig()
	r := newTrial(t, cfg, unicycle{})
	r.path(t, orb.Point{0, 0}, orb.Point{10, 0}, orb.Point{20, 5})
	for range 120 {
		r.step()
	}
	if r.u.v != cfg.MaxSpeed {
		t.Fatalf("drives at %g m/s, want %g", r.u.v, cfg.MaxSpeed)
	}
	slow := cfg
	slow.MaxSpeed = 0.3
	if err := r.f.SetConfig(slow); err != nil {
		t.Fatal(err)
	}
	if got := r.f.Config(); got != slow {
		t.Errorf("configuration %+v, want %+v", got, slow)
	}
	before, at := r.u.v, r.u.x
	// 0.5 m/s at 0.8 m/s² in steps of 0.05 s: 13 steps.
	for i := range 13 {
		c, st := r.step()
		if d := before - c.Linear; d > slow.Deceleration*dt+1e-12 || d < 0 {
			t.Fatalf("step %d: from %g to %g m/s, deceleration is %g m/s²", i, before, c.Linear, slow.Deceleration)
		}
		if st.Phase != PhaseTracking {
			t.Fatalf("step %d: %v", i, st.Phase)
		}
		before = c.Linear
	}
	if before != slow.MaxSpeed {
		t.Errorf("%g m/s after the time to slow down, want %g", before, slow.MaxSpeed)
	}
	if r.u.x < at {
		t.Errorf("went back from x = %g to %g m", at, r.u.x)
	}
	r.until(t, PhaseArrived, 90, func(c Command, st Status) {
		if c.Linear > slow.MaxSpeed {
			t.Fatalf("%g m/s, allowed %g", c.Linear, slow.MaxSpeed)
		}
	})
	if d := r.u.distance(orb.Point{20, 5}); d > cfg.GoalTolerance {
		t.Errorf("arrived %g m from the goal", d)
	}
}

// A refused configuration, or one equal to the current, does not change what the
// follower does.
func TestSetConfigLeavesNoTrace(t *testing.T) {
	cfg := DefaultConfig()
	bad := cfg
	bad.MaxSpeed = math.NaN()
	path := []orb.Point{{0, 0}, {4, 0}, {4, 3}, {1, 3}, {0, 1}}
	touched, alone := newTrial(t, cfg, unicycle{}), newTrial(t, cfg, unicycle{})
	touched.path(t, path...)
	alone.path(t, path...)
	arrived := false
	for i := range 2000 {
		if i%7 == 0 {
			if err := touched.f.SetConfig(bad); err == nil || !strings.Contains(err.Error(), "MaxSpeed is NaN") {
				t.Fatalf("error %v, want one that names MaxSpeed and NaN", err)
			}
			if err := touched.f.SetConfig(cfg); err != nil {
				t.Fatal(err)
			}
		}
		c, st := touched.step()
		want, wantStatus := alone.step()
		if c != want || st != wantStatus {
			t.Fatalf("step %d: %+v %+v, without SetConfig %+v %+v", i, c, st, want, wantStatus)
		}
		arrived = arrived || st.Phase == PhaseArrived
	}
	if !arrived {
		t.Error("the path was not driven to its end")
	}
}

// A corner of 60° is a cusp only for a CuspAngle of 0.5 rad. The path keeps the cusps
// found when it was set; the next path uses the new angle.
func TestSetConfigKeepsCusps(t *testing.T) {
	blunt := DefaultConfig()
	sharp := blunt
	sharp.CuspAngle = 0.5
	corner := orb.Point{5, 0}
	path := []orb.Point{{0, 0}, corner, {7.5, 2.5 * math.Sqrt(3)}}
	// slowest returns the lowest commanded speed near the corner.
	slowest := func(r *trial) float64 {
		least := math.Inf(1)
		for r.u.x < 6 && r.now < 1e12 {
			if c, _ := r.step(); r.u.distance(corner) < 0.5 {
				least = min(least, c.Linear)
			}
		}
		return least
	}
	r := newTrial(t, blunt, unicycle{})
	r.path(t, path...)
	if err := r.f.SetConfig(sharp); err != nil {
		t.Fatal(err)
	}
	if v := slowest(r); v == 0 {
		t.Error("stopped at a corner that was no cusp when the path was set")
	}
	r.u = unicycle{gain: 1}
	r.path(t, path...)
	if v := slowest(r); v != 0 {
		t.Errorf("passed a cusp at %g m/s, want a stop", v)
	}
}
