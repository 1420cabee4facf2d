// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
)

// lane returns the ground of a field of 100 × 100 m with a lane, 6 m wide and 40 m long, to its
// east; a thin hedge runs along the lane's northern side, with a strip behind it.
func lane(t *testing.T) *Ground {
	t.Helper()
	outline := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 40}, {140, 40}, {140, 60}, {100, 60}, {100, 100}, {0, 100}, {0, 0}}},
		KeepOuts: []orb.Polygon{{{{100, 46}, {140, 46}, {140, 46.2}, {100, 46.2}, {100, 46}}}},
	}
	region := fieldtest.Region(t, outline, 1)
	g, err := New(Config{Outline: outline, Region: region, Inscribed: 50, Radius: 0.8, Sigmas: 2, HomeTolerance: 2})
	must.OK(t, err)
	return g
}

func uncertain(x, y, stdDev float64) *localization.Pose {
	v := stdDev * stdDev
	return &localization.Pose{X: x, Y: y, Cov: [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 0.01}}}
}

func TestRoom(t *testing.T) {
	g := lane(t)
	if r := g.Room(uncertain(5, 50, 2), 1); r != (Room{Distance: 5, Spread: 4, Body: 0.8}) || math.Abs(r.Shortfall()+0.2) > 1e-9 {
		t.Errorf("%+v", r)
	}
	if r := g.Room(uncertain(5, 50, 2), 1.25); math.Abs(r.Shortfall()-0.8) > 1e-9 {
		t.Errorf("%+v", r)
	}
	if p := uncertain(3, 50, 2); !g.Inwards(p, orb.Point{5, 50}) || g.Inwards(p, orb.Point{3, 60}) || g.Inwards(p, orb.Point{1, 50}) || g.Inwards(p, orb.Point{3, 50}) {
		t.Error("only from the edge is inwards")
	}
	// In the lane there are 3 m to either side.
	if p := uncertain(130, 43, 1.5); !g.WayOut(p, []orb.Point{{95, 43}, {50, 50}}) || g.WayOut(p, []orb.Point{{138, 43}}) || g.WayOut(p, []orb.Point{{130, 41.5}, {95, 43}}) {
		t.Error("only along the lane to the field is the way out")
	}
	g.SetHome(orb.Point{0, 50}) // the gate
	if !g.AtHome(uncertain(2, 50, 1)) || g.AtHome(uncertain(2, 50, 2)) || g.AtHome(uncertain(2, 60, 1)) {
		t.Error("a robot may come as near to the edge as its home only near it, and with a position that is certain")
	}
}

// Paths keep away from edges as far as the position needs, but do not jump over a hedge where
// that leaves no room.
func TestExpect(t *testing.T) {
	g := lane(t)
	for _, c := range []struct{ stdDev, inset float64 }{{0, 1}, {0.1, 1}, {1, 2.8}, {100, 25.5}} {
		g.Expect(c.stdDev)
		if d, more := g.Inset(); math.Abs(d-c.inset) > 0.2 || more != (c.inset > 1) {
			t.Errorf("with %g m targets keep %.2f m away, %v; want %g m", c.stdDev, d, more, c.inset)
		}
	}
	g.Expect(2)
	path, err := g.PathTo(orb.Point{90, 90}, orb.Point{99, 30}) // past the corner at (100, 60)
	must.OK(t, err)
	for _, p := range path[:len(path)-1] {
		if d := g.Region().SignedDistance(p); d < 4.8 && p != (orb.Point{90, 90}) {
			t.Errorf("the path %v comes to %.2f m", path, d)
		}
	}
	from := orb.Point{130, 43}
	if path, err = g.PathTo(from, orb.Point{50, 50}); err != nil {
		t.Fatal(err)
	}
	at := from
	for _, p := range path {
		if !g.Region().Clear(at, p, 0.5) {
			t.Errorf("the path %v from %v crosses an edge or the hedge", path, from)
		}
		at = p
	}
}

// A robot that is known to be near an edge need not wait: nothing would become clearer.
func TestRoomFits(t *testing.T) {
	for _, c := range []struct {
		room Room
		want bool
	}{
		{Room{Distance: 2, Spread: 1, Body: 0.9}, true},
		{Room{Distance: 2, Spread: 1.2, Body: 0.9}, false},
		{Room{Distance: 0.3, Spread: 0.02, Body: 0.4}, true},
		{Room{Distance: 0.3, Spread: 0.12, Body: 0.4}, false},
		{Room{Distance: 0.3, Spread: 0.19, Body: 0.8}, true},
		{Room{Distance: 0.1, Spread: 0.2, Body: 0}, false},
	} {
		if got := c.room.Fits(); got != c.want {
			t.Errorf("%+v fits: %v, want %v", c.room, got, c.want)
		}
	}
}

// TestRoomy: whatever was asked before, a robot fits wherever Roomy says so and on the way from there, and it says so of most places far
// from all edges.
func TestRoomy(t *testing.T) {
	g := lane(t)
	rng := plantest.Rand(3)
	roomy := 0
	for range 3000 {
		way := 2 * rng.Float64()
		p := uncertain(140*rng.Float64(), 100*rng.Float64(), 3*rng.Float64())
		if !g.Roomy(p, 1.25, way) {
			continue
		}
		roomy++
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		for _, part := range []float64{0, 0.5, 1} {
			at := *p
			at.X, at.Y = p.X+part*way*cos, p.Y+part*way*sin
			if r := g.Room(&at, 1.25); r.Shortfall() > 0 {
				t.Fatalf("%+v at (%g, %g), %g m from a roomy place", r, at.X, at.Y, part*way)
			}
			if out := g.Outside(orb.Point{at.X, at.Y}); out != 0 {
				t.Fatalf("a roomy place is %g m outside", out)
			}
		}
	}
	if roomy < 1000 {
		t.Errorf("%d of 3000 places are roomy", roomy)
	}
}

// Targets are where the position is expected to be certain enough for the room that they have, and
// so are the places of the field on the straight way to them.
func TestCertain(t *testing.T) {
	g := lane(t)
	cfg := localizability.Config{Bound: orb.Bound{Max: orb.Point{140, 100}}}
	box := func(x0, y0, x1, y1 float64) orb.Polygon {
		return orb.Polygon{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}}
	}
	cfg.Zones = []field.LocalizationZone{
		{Polygon: box(0, 0, 35, 100), StdDev: 4},     // 8.8 m are needed with the robot's body
		{Polygon: box(42, 40, 70, 60), StdDev: 30},   // more than there is anywhere
		{Polygon: box(101, 61, 140, 100), StdDev: 4}, // beyond the field
	}
	expected := localizability.New(cfg).Expect(0)
	for _, c := range []struct {
		name     string
		from, to orb.Point
		want     bool
	}{
		{"room for an uncertain position", orb.Point{20, 50}, orb.Point{10, 50}, true},
		{"too near to the edge for it", orb.Point{20, 50}, orb.Point{8.4, 50}, false},
		{"near to the edge with a certain position", orb.Point{50, 20}, orb.Point{60, 1.5}, true},
		{"a way that has the room", orb.Point{60, 10}, orb.Point{15, 10}, true},
		{"a way that lacks it in the middle", orb.Point{60, 2}, orb.Point{15, 10}, false},
		{"far from all edges, however uncertain", orb.Point{50, 50}, orb.Point{60, 50}, true},
		{"a straight way that leads over land that is not the field's", orb.Point{93, 95}, orb.Point{105, 50}, true},
	} {
		if got := g.Certain(c.from, expected)(c.to[:]); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
