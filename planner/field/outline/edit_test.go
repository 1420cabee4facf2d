// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field"
)

// square returns the corners of a square with its lower left corner at (x, y), not closed.
func square(x, y, edge float64) []orb.Point {
	return []orb.Point{{x, y}, {x + edge, y}, {x + edge, y + edge}, {x, y + edge}}
}

func closed(corners []orb.Point) orb.Ring { return append(orb.Ring(slices.Clone(corners)), corners[0]) }

// loaded returns a recorder with a field of 40 m and a keep-out of 5 m in it.
func loaded(t *testing.T) *Recorder {
	t.Helper()
	r := New(DefaultConfig())
	f := field.Field{Boundary: orb.Polygon{closed(square(0, 0, 40))}, KeepOuts: []orb.Polygon{{closed(square(10, 10, 5))}}, StdDev: 0.125}
	must.OK(t, r.Load(f))
	return r
}

// A corner is moved, inserted and deleted, and all of it is taken back in turn.
func TestEdit(t *testing.T) {
	r := loaded(t)
	moved := square(0, 0, 40)
	moved[2] = orb.Point{50, 45}
	ring, err := r.Edit(0, moved)
	must.OK(t, err)
	// Two triangles beside the square: 40·10/2 and 40·5/2 m².
	if math.Abs(ring.Area-(1600+200+100)) > 1e-9 || ring.StdDev != 0.125 || len(ring.Points) != 5 {
		t.Errorf("moved: %+v", ring)
	}
	if ring, err = r.Edit(1, []orb.Point{{10, 15}, {15, 15}, {15, 10}, {12, 9}, {10, 10}}); err != nil || len(ring.Points) != 6 || planar.Area(ring.Points) < 0 {
		t.Errorf("inserted, clockwise: %+v, %v", ring, err)
	}
	must.OK(t, r.Remove(1))
	if f, err := r.Field(); err != nil || len(f.KeepOuts) != 0 || f.StdDev != 0.125 || len(r.Rings()) != 2 || r.Rings()[1].Points != nil {
		t.Errorf("removed: %+v, %v", f, err)
	}
	for _, want := range [][2]int{{5, 6}, {5, 5}} { // corners of both rings, with the first again
		if err := r.Undo(); err != nil || len(r.Rings()[0].Points) != want[0] || len(r.Rings()[1].Points) != want[1] {
			t.Errorf("undo: %+v, %v, want %v", r.Rings(), err, want)
		}
	}
	if err := r.Undo(); err != nil || r.Rings()[0].Points[2] != (orb.Point{40, 40}) {
		t.Errorf("undo: %+v, %v", r.Rings()[0], err)
	}
	if err := r.Undo(); !errors.Is(err, ErrNotOpen) {
		t.Errorf("undo of a field that was loaded: %v", err)
	}
}

// Undo goes back through edits and rings in the order in which they were made.
func TestUndoMixed(t *testing.T) {
	b := newRobot(t, DefaultConfig(), Boundary, 0, 0, 0.05)
	b.to([2]float64{30, 0}, [2]float64{30, 30}, [2]float64{0, 30}, [2]float64{0, 0})
	if _, err := b.r.Close(); err != nil {
		t.Fatal(err)
	}
	first := b.r.Rings()[0].Points
	if _, err := b.r.Edit(0, square(0, 0, 28)); err != nil {
		t.Fatal(err)
	}
	must.OK(t, b.r.Begin(KeepOut))
	if _, err := b.r.Edit(0, square(0, 0, 27)); !errors.Is(err, errOpen) {
		t.Errorf("an edit beside an open ring: %v", err)
	}
	b.to([2]float64{5, 0}, [2]float64{5, 5}, [2]float64{0, 5}, [2]float64{0, 0})
	if _, err := b.r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.r.Edit(0, square(0, 0, 26)); err != nil {
		t.Fatal(err)
	}
	undo := func() {
		t.Helper()
		must.OK(t, b.r.Undo())
	}
	undo() // the last edit
	if got := b.r.Rings()[0].Points[1][0]; got != 28 {
		t.Errorf("the edge is %g m, want 28", got)
	}
	undo() // opens the keep-out
	for {
		_, points, open := b.r.Open()
		if !open {
			break
		}
		if len(points) == 0 {
			undo()
			break
		}
		undo()
	}
	undo() // the first edit
	if got := b.r.Rings()[0].Points; !slices.Equal(got, first) {
		t.Errorf("the ring is %v, want %v", got, first)
	}
	undo()
	if kind, points, open := b.r.Open(); !open || kind != Boundary || len(points) == 0 {
		t.Errorf("the outline is not open again")
	}
}

// What is refused names the reason, and changes nothing.
func TestEditRefuses(t *testing.T) {
	many := make([]orb.Point, maxCorners+1)
	for i := range many {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(many)))
		many[i] = orb.Point{1000 * cos, 1000 * sin}
	}
	for name, c := range map[string]struct {
		ring    int
		corners []orb.Point
		want    string
		crossed int
	}{
		"a crossing":         {0, []orb.Point{{0, 0}, {40, 0}, {0, 40}, {40, 40}}, "would cross itself in 1 place: (20.00, 20.00) m", 1},
		"a corner on a line": {0, []orb.Point{{0, 0}, {40, 0}, {40, 40}, {20, 0}}, "would cross itself", 2},
		"two corners":        {0, []orb.Point{{0, 0}, {40, 0}, {40, 0.0001}}, "2 distinct corners, want at least 3", 0},
		"no area":            {1, []orb.Point{{0, 0}, {40, 0}, {20, 0}}, "cross itself", 1},
		"not a number":       {1, []orb.Point{{0, 0}, {40, math.NaN()}, {20, 10}}, "a corner at (40, NaN) m", 0},
		"too far":            {1, []orb.Point{{0, 0}, {4e6, 0}, {20, 10}}, "a corner at (4e+06, 0) m", 0},
		"too many corners":   {0, many, "2001 corners, and a ring that is edited has at most 2000", 0},
		"no such ring":       {2, square(0, 0, 1), "there is no ring 3", 0},
		"a negative ring":    {-1, square(0, 0, 1), "there is no ring 0", 0},
	} {
		r := loaded(t)
		_, err := r.Edit(c.ring, c.corners)
		var crossed *CrossingsError
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &crossed) != (c.crossed > 0) || crossed != nil && len(crossed.Crossings) < c.crossed {
			t.Errorf("%s: %v", name, err)
		}
		if len(r.Rings()[0].Points) != 5 || len(r.Rings()[1].Points) != 5 || r.Undo() == nil {
			t.Errorf("%s changed the rings", name)
		}
	}
	r := loaded(t)
	if _, err := r.Edit(1, square(50, 0, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Field(); !errors.Is(err, errRing) || !strings.Contains(err.Error(), "keep-out 1 near (50.0, 0.0) m lies outside of the outline") {
		t.Errorf("a keep-out outside: %v", err)
	}
	if _, err := r.Edit(1, square(38, 38, 5)); err != nil { // across the edge
		t.Fatal(err)
	}
	if _, err := r.Field(); err != nil {
		t.Errorf("a keep-out across the edge: %v", err)
	}
	must.OK(t, r.Remove(0))
	if _, err := r.Field(); !errors.Is(err, errBoundary) {
		t.Errorf("without an outline: %v", err)
	}
	if err := errors.Join(r.Begin(Boundary), r.Undo()); err != nil {
		t.Errorf("another outline in place of one that was removed: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	hole := orb.Polygon{closed(square(0, 0, 40)), closed(square(5, 5, 3))}
	r := New(DefaultConfig())
	if err := r.Load(field.Field{}); !errors.Is(err, errBoundary) {
		t.Errorf("no boundary: %v", err)
	}
	if err := r.Load(field.Field{Boundary: closedPolygon(60), KeepOuts: []orb.Polygon{hole}}); !errors.Is(err, errRing) {
		t.Errorf("a keep-out with a hole: %v", err)
	}
	if len(r.Rings()) != 0 {
		t.Errorf("rings %v", r.Rings())
	}
	if err := r.Load(field.Field{Boundary: hole}); err != nil || len(r.Rings()) != 2 || r.Rings()[1].Kind != KeepOut {
		t.Errorf("a hole: %v, %v", r.Rings(), err)
	}
	if err := r.Load(field.Field{Boundary: hole}); !errors.Is(err, errOpen) {
		t.Errorf("a second field: %v", err)
	}
}

func closedPolygon(edge float64) orb.Polygon { return orb.Polygon{closed(square(0, 0, edge))} }

// A ring takes a limited number of points.
func TestMostPoints(t *testing.T) {
	b := newRobot(t, Config{Spacing: 0.1, Turn: 1, MaxStdDev: 1, MaxGap: 5}, Boundary, 0, 0, 0.01)
	var err error
	for i := 0; i <= maxPoints && err == nil; i++ {
		b.p.X, b.p.Stamp = float64(i), int64(i)*1e9
		_, err = b.r.Drive(b.pose())
	}
	if _, points, _ := b.r.Open(); !errors.Is(err, errRing) || len(points) != maxPoints {
		t.Errorf("%d points, %v", len(points), err)
	}
}
