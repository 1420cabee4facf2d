// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localizability

import (
	"math"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

const hour = int64(time.Hour)

func testConfig(zones ...field.LocalizationZone) Config {
	return Config{Bound: orb.Bound{Max: orb.Point{400, 200}}, Zones: zones, Lost: 15, Gap: 2 * time.Second}
}

func testMap(zones ...field.LocalizationZone) *Map { return newMap(testConfig(zones...), 40) }

// drive drives straight from one place to another in steps of a metre. Positions are known
// to 1 m in the west and to 10 m east of x = 200 m.
func drive(m *Map, stamp int64, from, to orb.Point, factor float64) {
	n := int(math.Hypot(to[0]-from[0], to[1]-from[1]))
	for i := range n + 1 {
		share := float64(i) / float64(n)
		p := orb.Point{from[0] + share*(to[0]-from[0]), from[1] + share*(to[1]-from[1])}
		s := factor
		if p[0] > 200 {
			s = 10 * factor
		}
		m.add(stamp, Seen{p, s * s, 1})
	}
}

func stdDev(e *Expectation, x, y float64) float64 { return math.Sqrt(e.Variance([]float64{x, y})) }

// On a path and beside it the map has what was seen there, far from all paths the mean.
func TestExpectation(t *testing.T) {
	m := testMap()
	if m.Expect(0) != nil {
		t.Error("something is expected of a map without poses")
	}
	drive(m, 0, orb.Point{5, 20}, orb.Point{395, 20}, 1)
	e := m.Expect(0)
	for _, c := range []struct{ x, y, low, high float64 }{
		{50, 20, 0.99, 1.1}, {50, 40, 0.99, 1.5}, {350, 20, 9.8, 10.1}, {350, 40, 9, 10.1},
		{50, 190, 5, 8}, // as much east as west was seen
		{195, 20, 0.99, 4}, {205, 20, 8, 10.1},
	} {
		if s := stdDev(e, c.x, c.y); s < c.low || s > c.high {
			t.Errorf("at (%g, %g): %.3g m, want %g to %g", c.x, c.y, s, c.low, c.high)
		}
	}
	if math.Abs(e.Highest()-100) > 1e-9 || math.Abs(e.Mean()-50.5) > 2 {
		t.Errorf("highest variance %g, mean %g, want 100 and half of it", e.Highest(), e.Mean())
	}
	before := stdDev(e, 50, 20)
	drive(m, 0, orb.Point{5, 20}, orb.Point{395, 20}, 5)
	if stdDev(e, 50, 20) != before || stdDev(m.Expect(0), 50, 20) < 2 {
		t.Error("an expectation changes with the map, or the map does not change")
	}
}

// A path that crosses the edge of a wood shows the edge to a cell: beside the path on the one
// side the place is known, on the other it is not.
func TestEdgeIsSharp(t *testing.T) {
	m := New(testConfig())
	drive(m, 0, orb.Point{5, 20}, orb.Point{395, 20}, 1)
	e := m.Expect(0)
	for _, c := range []struct{ x, y, low, high float64 }{
		{195, 20, 0.99, 1.3}, {206, 20, 9.5, 10.1}, {190, 26, 0.99, 1.5}, {212, 26, 9, 10.1},
	} {
		if s := stdDev(e, c.x, c.y); s < c.low || s > c.high {
			t.Errorf("at (%g, %g): %.3g m, want %g to %g", c.x, c.y, s, c.low, c.high)
		}
	}
}

// However much of a wood was seen: far from all paths the robot does not expect one for sure.
func TestUnknownIsNotPoor(t *testing.T) {
	m := testMap()
	drive(m, 0, orb.Point{180, 5}, orb.Point{395, 5}, 1)
	for y := 10.0; y < 200; y += 10 {
		drive(m, 0, orb.Point{205, y}, orb.Point{395, y}, 1)
	}
	e := m.Expect(0)
	if s := math.Sqrt(e.Mean()); s < 9.5 {
		t.Fatalf("%g m on average: the robot was to see little but the wood", s)
	}
	if s := stdDev(e, 20, 150); s > 7.2 {
		t.Errorf("%g m far from the wood", s)
	}
	if s := stdDev(e, 215, 150); s < 9 {
		t.Errorf("%g m in the wood", s)
	}
}

// Blocks of cells, and cells that are left out, change little: the variance everywhere is that
// of the sum over all cells, within a factor of 1.5.
func TestBlocksAgreeWithTheirCells(t *testing.T) {
	m := New(testConfig())
	drive(m, 0, orb.Point{5, 20}, orb.Point{395, 60}, 1)
	drive(m, 0, orb.Point{395, 60}, orb.Point{30, 190}, 1)
	e := m.Expect(0)
	for k := range m.cells {
		at, far := m.centre(k), typicalDistance*float64(m.side)
		sum, total, nearest, own := 0.0, 0.0, 0.0, shepard(far*far)
		for _, c := range e.seen {
			d := math.Hypot(c.x-at[0], c.y-at[1]) / m.edge
			sum += c.weight * shepard(d*d) * c.variance
			total += c.weight * shepard(d*d)
			nearest = max(nearest, c.weight*shepard(d*d))
		}
		if got, want := e.Variance(at[:]), (nearest*sum/total+own*e.unknown)/(nearest+own); math.Abs(math.Log(got/want)) > math.Log(1.5) {
			t.Errorf("at %v: %.3g m², want %.3g", at, got, want)
		}
	}
}

// What was seen hours ago yields to one new pass, and of two neighbours the newer counts.
func TestForgetting(t *testing.T) {
	m := testMap()
	for range 5 {
		drive(m, 0, orb.Point{5, 20}, orb.Point{195, 20}, 8) // fixes are poor everywhere
	}
	if s := stdDev(m.Expect(0), 100, 20); s < 7.9 {
		t.Errorf("%g m where 8 m were seen", s)
	}
	drive(m, 5*hour, orb.Point{5, 20}, orb.Point{100, 20}, 1)
	e := m.Expect(5 * hour)
	if s := stdDev(e, 50, 20); s > 1.5 {
		t.Errorf("%g m five hours later, where 1 m was seen just now", s)
	}
	if near, far := stdDev(e, 110, 20), stdDev(e, 190, 20); near > 7 || far < near {
		t.Errorf("%g m beside the new path and %g m far from it", near, far)
	}
	m.Shift(-hour)
	if s := stdDev(m.Expect(4*hour), 50, 20); math.Abs(s-stdDev(e, 50, 20)) > 1e-9 {
		t.Errorf("%g m after the clock was set, %g m before", s, stdDev(e, 50, 20))
	}
}

// A zone is what is stated, also far from all paths, until the robot was there; what is seen
// in it says nothing about its surroundings, and the other way round.
func TestZones(t *testing.T) {
	wood := orb.Polygon{{{200, 0}, {400, 0}, {400, 200}, {200, 200}, {200, 0}}}
	m := testMap(field.LocalizationZone{Polygon: wood, StdDev: 5})
	e := m.Expect(0)
	if s := stdDev(e, 300, 100); math.Abs(s-5) > 1e-9 || stdDev(e, 100, 100) != 0 || e.Highest() != 25 {
		t.Errorf("%g m in the zone, %g m outside", s, stdDev(e, 100, 100))
	}
	drive(m, 0, orb.Point{5, 20}, orb.Point{395, 20}, 1)
	e = m.Expect(0)
	for _, c := range []struct{ x, y, want, off float64 }{{300, 190, 5, 0.1}, {195, 190, 1, 0.01}, {205, 190, 5, 0.1}, {300, 20, 10, 0.5}} {
		if s := stdDev(e, c.x, c.y); math.Abs(s-c.want) > c.off {
			t.Errorf("at (%g, %g): %.3g m, want %g", c.x, c.y, s, c.want)
		}
	}
}

func TestMapTakesNoNonsense(t *testing.T) {
	m := testMap()
	at := orb.Point{100, 100}
	m.Add(0, []Seen{
		{at, math.NaN(), 1}, {at, math.Inf(1), 1}, {at, -1, 1}, {at, 1, 0}, {at, 1, -1}, {at, 1, math.NaN()},
		{orb.Point{math.NaN(), 1}, 1, 1}, {orb.Point{-20, 1}, 1, 1}, {orb.Point{100, 1e9}, 1, 1},
	})
	if m.Expect(0) != nil {
		t.Error("the map was changed")
	}
	m.Add(0, []Seen{{orb.Point{-5, 205}, 4, 1}}) // just outside of the field
	if s := stdDev(m.Expect(0), -1e9, math.Inf(1)); math.Abs(s-2) > 1e-9 {
		t.Errorf("%g m far outside, want 2", s)
	}
}

// Where the pose was silent, or was refused, the robot is expected to be lost again.
func TestTracker(t *testing.T) {
	const second = int64(time.Second)
	run := func(silent, refused bool) *Map {
		tr := New(testConfig())
		for i := range int64(300) {
			stamp, at := i*second, orb.Point{float64(i), 20}
			switch {
			case i >= 150 && i < 160 && silent:
				continue
			case i >= 150 && i < 160 && refused:
				tr.Refused(stamp, at)
			default:
				tr.Moved(stamp, at, 1, 1)
			}
			tr.Take(stamp)
		}
		return tr
	}
	for _, c := range []struct {
		silent, refused bool
		low, high       float64
	}{{false, false, 0, 1.01}, {true, false, 7, 15}, {false, true, 12, 15}} {
		e := run(c.silent, c.refused).Expect(300 * second)
		if s := stdDev(e, 149, 20); c.refused { // the refused ones are in the next cell
			if s = stdDev(e, 155, 20); s < c.low || s > c.high {
				t.Errorf("refused: %g m, want %g to %g", s, c.low, c.high)
			}
		} else if s < c.low || s > c.high {
			t.Errorf("%+v: %g m", c, s)
		}
		if s := stdDev(e, 50, 20); s > 1.5 {
			t.Errorf("%+v: %g m far from there", c, s)
		}
	}
	tr := run(false, false)
	tr.Shift(hour)
	tr.Moved(300*second+hour+100*second, orb.Point{300, 20}, 1, 1)
	tr.Take(300*second + hour + 100*second)
	if e := tr.Expect(2 * hour); e.Highest() > 1.01 {
		t.Errorf("a clock that was set is a silence: %g m²", e.Highest())
	}
	var none *Map
	none.Moved(0, orb.Point{}, 1, 1)
	none.Refused(0, orb.Point{})
	none.Add(0, none.Take(0))
	none.Shift(1)
	if none.Expect(0) != nil {
		t.Error("a tracker that is none expects something")
	}
}

// A map that is made again from what was taken is the same, and within a cell poses are one
// piece.
func TestTrackerIsRestored(t *testing.T) {
	a, b := testMap(), testMap()
	pieces := 0
	for i := range int64(4000) {
		stamp, at := i*int64(50*time.Millisecond), orb.Point{float64(i) / 10, 100 + 80*math.Sin(float64(i)/300)}
		switch {
		case i > 1000 && i < 1100: // silence
		case i > 2000 && i < 2100:
			a.Refused(stamp, at)
		default:
			a.Moved(stamp, at, 1+float64(i%7), 0.11)
		}
		if i%20 == 0 {
			seen := a.Take(stamp)
			pieces += len(seen)
			b.Add(stamp, seen)
		}
	}
	if pieces > 400 {
		t.Errorf("%d pieces of 200 s", pieces)
	}
	now := int64(time.Hour)
	ea, eb := a.Expect(now), b.Expect(now)
	for x := 5.0; x < 400; x += 10 {
		for y := 5.0; y < 200; y += 10 {
			if va, vb := ea.Variance([]float64{x, y}), eb.Variance([]float64{x, y}); va != vb {
				t.Fatalf("at %g, %g m: %g and %g m²", x, y, va, vb)
			}
		}
	}
	if ea.Highest() < 100 {
		t.Errorf("the highest variance is %g m²: the robot was lost", ea.Highest())
	}
}
