// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
)

// square returns the ground of a square field of 100 m with a margin of 2 m, the probe half a
// metre behind the robot's base.
func square(t *testing.T, cell float64) (*Ground, error) {
	t.Helper()
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}}}
	region := fieldtest.Region(t, outline, 2)
	return New(Config{Outline: outline, Region: region, Inscribed: 50, Radius: 0.8, Probe: localization.Lever{X: -0.5}, HomeTolerance: 3, Cell: cell})
}

func TestGround(t *testing.T) {
	g, err := square(t, 0)
	must.OK(t, err)
	if g.Passable(orb.Point{0.5, 50}) || !g.Passable(orb.Point{1, 50}) || g.Cells().At(orb.Point{1, 50}) || !g.Cells().At(orb.Point{50, 50}) {
		t.Error("the edge must be occupied, the rest of the margin passable, and the middle free")
	}
	if p := g.Allowed(orb.Point{-5, 50}); !g.Cells().At(p) || math.Hypot(p[0]-2, p[1]-50) > 0.2 {
		t.Errorf("the allowed place nearest to (-5, 50) is %v, want one close to (2, 50)", p)
	}
	g.SetHome(orb.Point{50, -1})
	if d := g.HomeDistance(orb.Point{50, 1}); d != 2 {
		t.Errorf("the distance home is %g m, want 2 m straight from a place within the tolerance", d)
	}
	if path, err := g.PathHome(orb.Point{51, -1}); err != nil || len(path) != 1 || path[0] != g.Home() {
		t.Errorf("the path home of a robot that stands there, outside the field, is %v, %v", path, err)
	}
	if _, err := square(t, 0.001); err == nil || !strings.HasPrefix(err.Error(), "keepout.cell is 0.001 m: the grid would have") {
		t.Errorf("New: %v", err)
	}
}

// What is left out is so until its time, also after the clock was set.
func TestLeftOutForAWhile(t *testing.T) {
	g, err := square(t, 0)
	must.OK(t, err)
	g.Skip(orb.Point{10, 10}, 5, 100, false)
	g.Skip(orb.Point{20, 20}, 5, 1e9, true)
	from, home := orb.Point{20, 50}, orb.Point{80, 50}
	g.SetHome(home)
	centre, radius := g.Obstructed(orb.Point{49, 50}, 0, 100)
	if math.Abs(centre[0]-50.6) > 1e-9 || centre[1] != 50 || radius != 0.8 {
		t.Errorf("the disc is at %v, %g m, want it before the robot, and as large", centre, radius)
	}
	if path, err := g.PathHome(from); err != nil || len(path) < 3 {
		t.Errorf("the path home is %v: %v, want it around the disc", path, err)
	}
	g.Shift(1000)
	if n := len(g.Skipped(1099)); n != 2 {
		t.Errorf("%d targets are left out before the end, want 2", n)
	}
	if path, err := g.PathHome(from); err != nil || len(path) < 3 {
		t.Errorf("the path home is %v: %v, want it around the disc still", path, err)
	}
	left := g.Skipped(1100)
	if len(left) != 1 || left[0].Centre[0] != 20 || left[0].Radius != 5 {
		t.Errorf("left out after the end are %v, want the one with the later end", left)
	}
	if path, err := g.PathHome(from); err != nil || len(path) != 2 {
		t.Errorf("the path home is %v: %v, want it straight", path, err)
	}
	if g.Readmit() {
		t.Error("the place that a person does not want is no longer left out")
	}
	g.Skip(orb.Point{10, 10}, 5, 1e9, false)
	if again := g.Readmit(); !again || len(g.Skipped(1100)) != 1 {
		t.Errorf("readmitted: %t, %d targets are left out, want that of a person", again, len(g.Skipped(1100)))
	}
}

// Wherever a target is, the probe lies on it at the end of the path, straight on from the point before,
// and the base stays in the field and out of the keep-outs on that leg: within the margin only where
// there is no other way.
func TestPathPutsTheProbeOnTheTarget(t *testing.T) {
	outline := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}},
		KeepOuts: []orb.Polygon{{{{30, 30}, {70, 30}, {70, 70}, {30, 70}, {30, 30}}}, {{{80, 10}, {84, 10}, {84, 60}, {80, 60}, {80, 10}}}},
	}
	region := fieldtest.Region(t, outline, 0.5)
	for _, lever := range []localization.Lever{{}, {X: 6}, {X: -3}, {Y: 2.5}, {X: -2, Y: -2}} {
		g, err := New(Config{Outline: outline, Region: region, Inscribed: 15, Radius: 0.8, Probe: lever, HomeTolerance: 3})
		must.OK(t, err)
		rng := rand.New(rand.NewPCG(1, 2))
		targets := region.Points(200, rng)
		from, tight := orb.Point{10, 10}, 0
		for i := range 200 {
			target := orb.Point(targets.RawRowView(i))
			if i%10 == 0 { // nearer than the probe
				target = orb.Point{from[0] + 0.5, from[1]}
			}
			path, err := g.PathTo(from, target)
			if err != nil {
				t.Fatalf("lever %v: %v", lever, err)
			}
			before, base := from, path[len(path)-1]
			if len(path) > 1 {
				before = path[len(path)-2]
			}
			sin, cos := math.Sincos(math.Atan2(base[1]-before[1], base[0]-before[0]))
			probe := orb.Point{base[0] + cos*lever.X - sin*lever.Y, base[1] + sin*lever.X + cos*lever.Y}
			if math.Hypot(probe[0]-target[0], probe[1]-target[1]) > 1e-9 {
				t.Errorf("lever %v: from %v the probe comes to %v, want %v", lever, before, probe, target)
			}
			for k := range 21 {
				share := float64(k) / 20
				p := orb.Point{before[0] + share*(base[0]-before[0]), before[1] + share*(base[1]-before[1])}
				// The rule looks at a run-up's ends and middle, so half a metre may lack.
				if d := region.SignedDistance(p); d < -0.5 || k == 20 && d <= 0 {
					t.Errorf("lever %v: from %v to %v the base is %.2f m deep in what it is to stay out of", lever, before, base, -d)
					break
				}
			}
			if !region.Contains(base[:]) {
				tight++
			}
			from = base
		}
		if tight > 20 {
			t.Errorf("lever %v: %d of 200 targets are reached within the margin", lever, tight)
		}
	}
}

// The cells of ~/keepout follow the sizes of the field and the robot.
func TestKeepoutCell(t *testing.T) {
	for _, c := range []struct{ edge, margin, cell, want float64 }{
		{5, 0.3, 0, 0.05}, {84, 2, 0, 0.2}, {300, 2, 0, 0.2}, {700, 2, 0, 0.5}, {5000, 20, 0, 5}, {100, 2, 0.25, 0.25},
	} {
		region := fieldtest.Region(t, field.Field{Boundary: orb.Polygon{{{0, 0}, {c.edge, 0}, {c.edge, c.edge}, {0, c.edge}, {0, 0}}}}, c.margin)
		if got, err := keepoutCell(region, 0.8, c.cell); err != nil || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("a field of %g m has cells of %g m, want %g m: %v", c.edge, got, c.want, err)
		}
	}
}
