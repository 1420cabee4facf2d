// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// travel returns a mission on its way from (0, 0) to a target 100 m east.
func travel(t *testing.T, change func(*Config)) (*Mission, func(e Event) []Command) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Speed = 1
	if change != nil {
		change(&cfg)
	}
	m, err := New(cfg)
	must.OK(t, err)
	handle := func(e Event) []Command { return append([]Command(nil), m.Handle(e)...) }
	handle(EventStart{Stamp: 0, HomeDistance: 0})
	handle(EventPose{Stamp: 0})
	handle(EventPlanned{Stamp: 0, Plan: m.Status().Plan, Target: orb.Point{100, 0}, PathLength: 100, HomeDistance: 100})
	if m.State() != StateTravelling {
		t.Fatalf("%+v", m.Status())
	}
	return m, handle
}

// drive tells positions at 10 Hz along x, and returns the commands and when the first came.
func drive(m *Mission, handle func(Event) []Command, from time.Duration, length time.Duration, stdDev, speed float64, x func(s float64) float64) (commands []Command, at time.Duration) {
	for now := from; now < from+length; now += 100 * time.Millisecond {
		s := now.Seconds()
		home := math.Abs(x(s))
		for _, e := range []Event{
			EventPose{Stamp: int64(now), TargetDistance: math.Abs(100 - x(s)), HomeDistance: home, Speed: speed},
			EventPosition{Stamp: int64(now), Position: orb.Point{x(s), 0}, StdDev: stdDev, Speed: speed},
		} {
			if commands = handle(e); len(commands) > 0 {
				return commands, now
			}
		}
	}
	return nil, 0
}

// A robot that steers turns in arcs of a metre, back and forth, and has not moved after that; against a wall it is stuck both ways.
func TestShuntingIsNotStuck(t *testing.T) {
	const speed = 0.4
	for _, wall := range []bool{false, true} {
		m, handle := travel(t, nil)
		var got []Command
		for s := 0.0; s < 60 && len(got) == 0; s += 0.1 {
			e := EventPosition{Stamp: int64(s * 1e9), Position: orb.Point{50, 0}, StdDev: 0.02, Speed: speed}
			if !wall && math.Mod(s, 5) >= 2.5 {
				e.Speed = -speed
			}
			if !wall {
				e.Position[0] += 0.4 * math.Abs(2.5-math.Mod(s, 5))
			}
			handle(EventPose{Stamp: e.Stamp, TargetDistance: 50, HomeDistance: 50, Speed: e.Speed})
			got = handle(e)
		}
		if stuck := len(got) > 0; stuck != wall {
			t.Errorf("against a wall: %v: %+v, state %v", wall, got, m.Status().State)
		}
	}
}

func TestStuck(t *testing.T) {
	wall := func(s float64) float64 { return min(s, 20) } // 1 m/s, against a wall at 20 m
	for _, c := range []struct {
		name          string
		change        func(*Config)
		stdDev, speed float64
		x             func(s float64) float64
		from, to      float64 // s, when it is noticed; 0: never
	}{
		{"against a wall", nil, 0.2, 1, wall, 28, 30.2},
		{"the position drifts", nil, 0.5, 1, func(s float64) float64 { return wall(s) + 0.1*max(0, s-20) }, 28, 38},
		{"shaking", nil, 0.5, 1, func(s float64) float64 { return wall(s) + 0.7*math.Sin(s) }, 28, 31},
		{"in mud from the start", nil, 0.2, 1, func(float64) float64 { return 0 }, 10, 10.3},
		{"driving", nil, 0.2, 1, func(s float64) float64 { return s }, 0, 0},
		{"driving slowly", nil, 0.2, 0.1, func(s float64) float64 { return 0.1 * s }, 0, 0},
		{"driving less slowly", nil, 0.2, 0.2, func(s float64) float64 { return 0.2 * s }, 0, 0},
		{"the wheels stand", nil, 0.2, 0, wall, 0, 0},
		{"a position that is set back", nil, 0.2, 1, func(s float64) float64 { // by a filter that has noticed
			if s < 25 {
				return s
			}
			return 20
		}, 29, 30.6},
		{"there and back", nil, 0.2, 1, func(s float64) float64 { return 15 - math.Abs(math.Mod(s, 12)-6) }, 0, 0},
		{"an uncertain position", nil, 10, 1, wall, 60, 62}, // the wheels have to drive 61 m
		{"a narrow curve", nil, 1, 0.2, func(s float64) float64 { return 0.2 * s }, 0, 0},
		{"another time", func(c *Config) { c.StuckTime = 5 }, 0.2, 1, wall, 23, 25.2},
		{"off", func(c *Config) { c.StuckTime = 0 }, 0.2, 1, wall, 0, 0},
		{"no numbers", nil, math.NaN(), 1, wall, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, handle := travel(t, c.change)
			got, at := drive(m, handle, 0, 90*time.Second, c.stdDev, c.speed, c.x)
			if s := at.Seconds(); s < c.from || s > c.to {
				t.Fatalf("%.1f s: %+v; want it from %g to %g s", s, got, c.from, c.to)
			}
			if c.to == 0 {
				return
			}
			if _, ok := got[0].(CommandStuck); !ok || got[1] != (CommandHalt{}) {
				t.Fatalf("%+v, want stuck and halt", got)
			}
			if k := got[2].(CommandSkipped); k.Target != (orb.Point{100, 0}) || !strings.Contains(k.Reason, "stuck at (") || !strings.Contains(k.Reason, "the wheels turned for") {
				t.Errorf("%+v", k)
			}
			if s := m.Status(); s.State != StatePlanning || s.Failures != 1 || s.Skipped != 1 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Near its target a robot drives to and fro until it stands; that is not being stuck.
func TestArrivingIsNotStuck(t *testing.T) {
	m, handle := travel(t, nil)
	if got, at := drive(m, handle, 0, 150*time.Second, 0.2, 0.3, func(s float64) float64 { return min(s, 99.2) }); got != nil {
		t.Errorf("%v: %+v, 0.8 m from the target", at, got)
	}
}

// A robot that is stuck on its way home tries again, and then waits for a person.
func TestStuckOnTheWayHome(t *testing.T) {
	m, handle := travel(t, func(c *Config) { c.MaxFailures = 2 })
	drive(m, handle, 0, 50*time.Second, 0.2, 1, func(s float64) float64 { return s })
	handle(EventHome{Stamp: int64(50 * time.Second)})
	got, at := drive(m, handle, 50*time.Second, time.Minute, 0.2, 1, func(float64) float64 { return 50 })
	if _, ok := got[0].(CommandStuck); !ok || got[1] != (CommandHalt{}) || got[len(got)-1] != (CommandDriveHome{}) {
		t.Fatalf("%v: %+v, want stuck, halt and another drive home", at, got)
	}
	got, at = drive(m, handle, at, time.Minute, 0.2, 1, func(float64) float64 { return 50 })
	if s := m.Status(); s.State != StateFault || !strings.Contains(s.Fault, "stuck at (50.0, 0.0) m") {
		t.Errorf("%v: %+v, %+v", at, got, s)
	}
}

// A pause begins the time again.
func TestStuckAfterAPause(t *testing.T) {
	m, handle := travel(t, nil)
	stay := func(float64) float64 { return 10 }
	if got, _ := drive(m, handle, 0, 9*time.Second, 0.2, 1, stay); got != nil {
		t.Fatalf("%+v", got)
	}
	handle(EventPause{Stamp: int64(9 * time.Second)})
	handle(EventPose{Stamp: int64(20 * time.Second), TargetDistance: 90, HomeDistance: 10})
	handle(EventResume{Stamp: int64(20 * time.Second)})
	if _, at := drive(m, handle, 20*time.Second, time.Minute, 0.2, 1, stay); at < 30*time.Second || at > 31*time.Second {
		t.Errorf("stuck at %v, want 10 s after the resume at 20 s", at)
	}
}
