// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"
)

// New paths during a turn, as from an explorer whose robot is off its path, do not drive the robot backwards without end.
func TestNewPathsWhileShunting(t *testing.T) {
	cfg := DefaultConfig()
	cfg.TurnRadius = 6
	r := newTrial(t, cfg, unicycle{})
	for s := range 20 {
		r.path(t, orb.Point{-20, float64(s % 2)})
		for range 20 {
			r.step()
		}
		if d := r.u.distance(orb.Point{}); d > 2 {
			t.Fatalf("%.1f m away after %d s", d, s+1)
		}
	}
}

// The first arc of each turn goes back, also on a path that replaces another one, however far the robot has driven on it.
func TestEachTurnGoesBackFirst(t *testing.T) {
	cfg := DefaultConfig()
	cfg.TurnRadius = 3
	for quarters := range 8 { // of a metre, more than 5 m
		r := newTrial(t, cfg, unicycle{})
		for turn, side := range []float64{1, -1, 1, -1} {
			r.path(t, orb.Point{r.u.x + 100*side, 0})
			driven := 5 + float64(quarters)/4
			from, back, tracking := orb.Point{r.u.x, r.u.y}, turn == 0, false
			for !tracking || r.u.distance(from) < driven {
				c, st := r.step()
				switch now := st.Phase == PhaseTracking; {
				case now && !tracking:
					from, tracking = orb.Point{r.u.x, r.u.y}, true
				case now:
				case c.Linear < 0:
					back = true
				case !back && r.u.distance(from) > 1:
					t.Fatalf("paths of %g m: turn %d begins with %.2f m forwards", driven, turn, r.u.distance(from))
				}
			}
		}
	}
}

// A robot that steers, and so never turns faster than its radius allows, comes to goals in all directions and follows a path around a
// corner. It turns within 2 m of where it stands, and goes back first.
func TestSteering(t *testing.T) {
	for _, radius := range []float64{1, 3, 6} {
		cfg := DefaultConfig()
		cfg.TurnRadius = radius
		paths := map[string][]orb.Point{"corner": {{0, 0}, {15, 0}, {15, 15}}, "cusp": {{0, 0}, {15, 0}, {1, 3}}}
		for bearing := range 12 {
			sin, cos := math.Sincos(float64(bearing) * math.Pi / 6)
			paths[fmt.Sprintf("%d degrees", 30*bearing)] = []orb.Point{{20 * cos, 20 * sin}}
		}
		for name, path := range paths {
			r := newTrial(t, cfg, unicycle{})
			r.path(t, path...)
			var from orb.Point // where the present turn began
			turning, first := false, 0.0
			took := r.until(t, PhaseArrived, 400, func(c Command, st Status) {
				if math.Abs(c.Angular)*radius > math.Abs(c.Linear)+1e-9 {
					t.Fatalf("radius %g, %s: %+v is no curve for it", radius, name, c)
				}
				if now := st.Phase == PhaseTurning; now != turning {
					turning, first, from = now, 0, orb.Point{r.u.x, r.u.y}
				}
				if turning && first == 0 && r.u.v <= 0 {
					first = c.Linear
				}
				if off := r.u.distance(from); turning && (off > 2 || first > 0) {
					t.Fatalf("radius %g, %s: turning, %.2f m away from where it began, first at %g m/s", radius, name, off, first)
				}
				if !turning && c.Linear < 0 && st.Phase != PhaseTracking {
					t.Fatalf("radius %g, %s: %v at %+v", radius, name, st.Phase, c)
				}
			})
			if d := r.u.distance(path[len(path)-1]); d > cfg.GoalTolerance {
				t.Errorf("radius %g, %s: arrived after %.0f s, %.2f m from the goal", radius, name, took, d)
			}
		}
	}
}
