// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// With a late pose the robot slows down with Deceleration and goes no further than its
// stopping distance, v²/(2a) and a step; with the next pose it drives on from there.
func TestLatePoseSlowsDown(t *testing.T) {
	cfg := DefaultConfig()
	f, err := New(cfg)
	must.OK(t, err)
	must.OK(t, f.SetPath([]orb.Point{{0, 0}, {100, 0}}))
	const step = int64(5e7)
	now, p := int64(1e9), Pose{Late: true}
	c := Command{}
	for range 100 {
		now += step
		p.Stamp = now
		c, _ = f.Step(now, p)
		p.X += c.Linear * 0.05
	}
	if c.Linear != cfg.MaxSpeed {
		t.Fatalf("%g m/s, want %g", c.Linear, cfg.MaxSpeed)
	}
	p.V = c.Linear
	on, before := 0.0, c.Linear
	for now-p.Stamp < int64(5e9) {
		now += step
		age := float64(now-p.Stamp) / 1e9
		c, st := f.Step(now, p)
		if late := age > cfg.MaxPoseAge; late != (st.Phase == phaseLate) {
			t.Fatalf("phase %v with a pose %.2f s old", st.Phase, age)
		} else if late {
			if before-c.Linear > cfg.Deceleration*0.05+1e-9 || c.Linear > before {
				t.Fatalf("from %g to %g m/s", before, c.Linear)
			}
			on += c.Linear * 0.05
		}
		before = c.Linear
	}
	if most := cfg.MaxSpeed*cfg.MaxSpeed/(2*cfg.Deceleration) + cfg.MaxSpeed*0.05; before != 0 || on > most {
		t.Errorf("%g m/s after 5 s, %.2f m driven, want 0 and at most %.2f", before, on, most)
	}
	p.Late = false
	if c, st := f.Step(now, p); c != (Command{}) || st.Phase != PhaseStale {
		t.Errorf("%+v, %v; a pose that is missing is stale", c, st.Phase)
	}
	p.Stamp, p.Late, p.X = now, true, p.X+on
	if _, st := f.Step(now+step, p); st.Phase != PhaseTracking {
		t.Errorf("%v with a new pose", st.Phase)
	}
	// A pose from the future is not late, nor is one that is no number.
	p.Stamp = now + int64(10e9)
	if _, st := f.Step(now+2*step, p); st.Phase != PhaseStale {
		t.Errorf("%v with a pose from the future", st.Phase)
	}
	p.Stamp, p.X = now, math.NaN()
	if _, st := f.Step(now+int64(9e9), p); st.Phase != PhaseBadPose {
		t.Errorf("%v with NaN", st.Phase)
	}
}
