// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
)

// steady returns a configuration with constant speed and lookahead distance, so that the geometry can be computed.
func steady(speed, lookahead float64) Config {
	c := DefaultConfig()
	c.MaxSpeed = speed
	c.LookaheadMin, c.LookaheadMax = lookahead, lookahead
	c.CurveRadius = 1e-3
	c.ApproachSpeed = min(c.ApproachSpeed, speed)
	return c
}

// Near a line pure pursuit is ë + 2ζω·ė + ω²·e = 0 with ω = √2·v/L and ζ = 1/√2 (linearise κ = 2·sin α/L about the line): from an
// offset e0 alongside, it swings e0·exp(−π) beyond the line, and is inside √2·e0·exp(−x/L) after x metres. The
// linear equation neglects terms of third order in e0/L = 0.2; the bound allows a tenth for them.
func TestLineConvergence(t *testing.T) {
	const e0, lookahead, speed = 0.2, 1.0, 0.5
	r := newTrial(t, steady(speed, lookahead), unicycle{y: e0})
	r.path(t, orb.Point{0, 0}, orb.Point{30, 0})
	beyond := 0.0
	for range 500 {
		r.step()
		if math.Abs(r.u.y) > 1.1*math.Sqrt2*e0*math.Exp(-r.u.x/lookahead)+1e-3 {
			t.Fatalf("%.4f m off the line after %.2f m", r.u.y, r.u.x)
		}
		beyond = max(beyond, -r.u.y)
	}
	if want := e0 * math.Exp(-math.Pi); beyond < 0.8*want || beyond > 1.3*want {
		t.Errorf("swings %.5f m beyond the line, linear theory says %.5f m", beyond, want)
	}
}

// circle is a polygon inscribed in a circle of radius R about the origin, n corners a turn.
func circle(radius float64, n, turns int) []orb.Point {
	points := make([]orb.Point, 0, n*turns+1)
	for i := range n*turns + 1 {
		a := 2 * math.Pi * float64(i) / float64(n)
		points = append(points, orb.Point{radius * math.Cos(a), radius * math.Sin(a)})
	}
	return points
}

// The robot drives to each cusp in order, within the tolerance, before it turns round.
func TestCusps(t *testing.T) {
	cfg := DefaultConfig()
	path := []orb.Point{{0, 0}, {3, 0}, {0.5, 0.3}, {3, 1}, {3, -1}, {3, 2}, {2.9, 1.9}, {0, 0}}
	cusps := []orb.Point{{3, 0}, {0.5, 0.3}, {3, 1}, {3, -1}, {3, 2}, {0, 0}}
	for _, gain := range []float64{0.5, 0.8, 1} {
		for _, delay := range []int{0, 4} {
			r := newTrial(t, cfg, unicycle{gain: gain, delay: delay})
			r.path(t, path...)
			next := 0
			r.until(t, PhaseArrived, 300, func(Command, Status) {
				if next < len(cusps) && r.u.distance(cusps[next]) <= cfg.GoalTolerance {
					next++
				}
			})
			if next != len(cusps) {
				t.Errorf("gain %g, delay %d: cusp %d at %v was not driven to", gain, delay, next, cusps[next])
			}
		}
	}
}

// The robot drives all round a closed path; it does not count as arrived at the start.
func TestClosedPath(t *testing.T) {
	r := newTrial(t, DefaultConfig(), unicycle{x: 3, yaw: math.Pi / 2})
	r.path(t, circle(3, 60, 1)...)
	driven := 0.0
	r.until(t, PhaseArrived, 120, func(c Command, _ Status) { driven += c.Linear * dt })
	if want := 2 * math.Pi * 3; math.Abs(driven-want) > 0.5 {
		t.Errorf("drove %.2f m round a circle of %.2f m", driven, want)
	}
}

// On an arc of radius R < CurveRadius the speed is reduced by R/CurveRadius, never below CurveSpeed; at the end it falls to
// ApproachSpeed.
func TestSpeedRegulation(t *testing.T) {
	cfg := DefaultConfig()
	cfg.LookaheadMin, cfg.LookaheadMax = 0.3, 0.3 // short enough for the chord on the small circle
	for _, c := range []struct{ radius, want float64 }{
		{0.6, 0.8 * 0.6 / 0.9},
		{0.75, 0.8 * 0.75 / 0.9}, // turn rate 0.89 rad/s, below the limit
		{2, 0.8},
	} {
		r := newTrial(t, cfg, unicycle{x: c.radius, yaw: math.Pi / 2})
		r.path(t, circle(c.radius, 400, 4)...)
		for range 150 {
			r.step()
		}
		sum := 0.0
		for range 100 {
			cmd, _ := r.step()
			sum += cmd.Linear / 100
		}
		if math.Abs(sum-c.want) > 0.04*c.want {
			t.Errorf("radius %g m: speed %.3f m/s, want %.3f m/s", c.radius, sum, c.want)
		}
	}
	r := newTrial(t, DefaultConfig(), unicycle{})
	r.path(t, orb.Point{5, 0})
	top, last := 0.0, 0.0
	r.until(t, phaseStopping, 60, func(c Command, st Status) {
		top = max(top, c.Linear)
		if st.Phase == PhaseTracking {
			last = c.Linear
		}
	})
	if top != 0.8 || math.Abs(last-0.1) > 0.02 {
		t.Errorf("top speed %g m/s, %g m/s before stopping; want 0.8 and 0.1", top, last)
	}
}
