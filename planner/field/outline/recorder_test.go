// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
)

// robot drives about and knows its position to stdDev.
type robot struct {
	t      *testing.T
	r      *Recorder
	p      localization.Pose
	stdDev float64
	noise  *rand.Rand // of the positions; nil: exact
	drift  [2]float64 // of the position, correlated, in standard deviations
}

func newRobot(t *testing.T, cfg Config, kind Kind, x, y, stdDev float64) *robot {
	t.Helper()
	r := New(cfg)
	must.OK(t, r.Begin(kind))
	return &robot{t: t, r: r, p: localization.Pose{X: x, Y: y}, stdDev: stdDev}
}

// pose returns what the robot knows about itself.
func (b *robot) pose() localization.Pose {
	p := b.p
	if b.noise != nil { // an error that changes over about 5 s, or 5 m
		const keep = 0.98
		for i := range b.drift {
			b.drift[i] = keep*b.drift[i] + math.Sqrt(1-keep*keep)*b.noise.NormFloat64()
		}
		p.X, p.Y = p.X+b.stdDev*b.drift[0], p.Y+b.stdDev*b.drift[1]
	}
	v := b.stdDev * b.stdDev
	p.Cov = [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 1e-4}}
	return p
}

// tick gives the recorder a pose; a refused one is no failure.
func (b *robot) tick() {
	b.t.Helper()
	b.p.Stamp += 1e8
	if _, err := b.r.Drive(b.pose()); err != nil && !errors.As(err, new(*PoseError)) {
		b.t.Fatal(err)
	}
}

// to turns on the spot and drives to each place in turn, with a pose every 0.1 m.
func (b *robot) to(places ...[2]float64) {
	b.t.Helper()
	for _, q := range places {
		dx, dy := q[0]-b.p.X, q[1]-b.p.Y
		turn := math.Remainder(math.Atan2(dy, dx)-b.p.Yaw, 2*math.Pi)
		for range 10 {
			b.p.Yaw += turn / 10
			b.tick()
		}
		n := math.Round(math.Hypot(dx, dy) / 0.1)
		for range int(n) {
			b.p.X, b.p.Y = b.p.X+dx/n, b.p.Y+dy/n
			b.tick()
		}
	}
}

func (b *robot) close() Ring {
	b.t.Helper()
	ring, err := b.r.Close()
	must.OK(b.t, err)
	return ring
}

// check compares a ring with the true one, to a tolerance in m, both ways.
func check(t *testing.T, name string, ring Ring, want orb.Ring, tolerance float64) {
	t.Helper()
	for _, c := range [][2]orb.Ring{{ring.Points, want}, {want, ring.Points}} {
		for _, p := range c[0] {
			d := math.Inf(1)
			for i := 1; i < len(c[1]); i++ {
				d = min(d, planar.DistanceFromSegment(c[1][i-1], c[1][i], p))
			}
			if d > tolerance {
				t.Errorf("%s: (%.2f, %.2f) is %.2f m away from the other ring, want at most %g", name, p[0], p[1], d, tolerance)
			}
		}
	}
	if last := len(ring.Points) - 1; ring.Points[0] != ring.Points[last] || planar.Area(ring.Points) <= 0 {
		t.Errorf("%s: the ring is not closed and counter-clockwise: %v", name, ring.Points)
	}
}

func rectangle(x0, y0, x1, y1 float64) orb.Ring {
	return orb.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}
}

// An outline that is smaller than its own uncertainty is none; a keep-out may be.
func TestSmallerThanUncertain(t *testing.T) {
	for _, c := range []struct {
		kind         Kind
		edge, stddev float64
		refused      bool
	}{{Boundary, 3, 0.9, true}, {Boundary, 3, 0.2, false}, {KeepOut, 3, 0.9, false}} {
		b := newRobot(t, DefaultConfig(), c.kind, 0, 0, c.stddev)
		b.to([2]float64{c.edge, 0}, [2]float64{c.edge, c.edge}, [2]float64{0, c.edge}, [2]float64{0, 0})
		_, err := b.r.Close()
		if refused := errors.Is(err, errRing); refused != c.refused || err != nil && !strings.Contains(err.Error(), "2σ of its edge") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A rectangle that is driven round, beyond its start, becomes its four corners.
func TestDrive(t *testing.T) {
	for name, turn := range map[string]func(x, y float64) [2]float64{
		"counter-clockwise": func(x, y float64) [2]float64 { return [2]float64{x, y} },
		"clockwise":         func(x, y float64) [2]float64 { return [2]float64{x, 30 - y} },
	} {
		for beyond := range 8 {
			b := newRobot(t, DefaultConfig(), Boundary, 20, turn(0, 0)[1], 0.05)
			b.to(turn(40, 0), turn(40, 30), turn(0, 30), turn(0, 0), turn(18+float64(beyond), 0.3))
			ring := b.close()
			check(t, name, ring, rectangle(0, 0, 40, 30), 0.31)
			if math.Abs(ring.Area-1200) > 15 || math.Abs(ring.Length-140) > 2 || len(ring.Points) > 12 || ring.Collected < 250 {
				t.Errorf("%s: area %.1f, length %.1f, %d of %d points", name, ring.Area, ring.Length, len(ring.Points)-1, ring.Collected)
			}
			if math.Abs(ring.Overlap-max(0, float64(beyond)-2)) > 1.1 {
				t.Errorf("%s: %g m beyond: overlap %.2f m", name, float64(beyond)-2, ring.Overlap)
			}
			if ring.StdDev < 0.05 || ring.StdDev > 0.0708 || ring.Tolerance > 0.05 || ring.Shift > 0.05 {
				t.Errorf("%s: edge ±%.3f m, tolerance %.3f, shift %.3f", name, ring.StdDev, ring.Tolerance, ring.Shift)
			}
		}
	}
}

// A way out and back on one line, or a small scribble at a corner, is no part of the edge.
func TestOutAndBack(t *testing.T) {
	b := newRobot(t, DefaultConfig(), Boundary, 20, 0, 0.05)
	b.to([2]float64{46, 0}, [2]float64{40, 0}, [2]float64{40, 30}, [2]float64{40.5, 30.2}, [2]float64{40.3, 29.9}, [2]float64{39.9, 30.4}, [2]float64{0, 30}, [2]float64{0, 0}, [2]float64{20, 0})
	ring := b.close()
	check(t, "out and back", ring, rectangle(0, 0, 40, 30), 0.6)
	if ring.Loops < 2 || ring.StdDev > 0.5 {
		t.Errorf("%d loops, edge ±%.2f m", ring.Loops, ring.StdDev)
	}
}

// A drive that begins inside the field loses its way in.
func TestWayIn(t *testing.T) {
	b := newRobot(t, DefaultConfig(), Boundary, 5, 8, 0.02)
	b.to([2]float64{5, 0}, [2]float64{40, 0}, [2]float64{40, 30}, [2]float64{0, 30}, [2]float64{0, 0.1}, [2]float64{8, 0.1})
	ring := b.close()
	check(t, "way in", ring, rectangle(0, 0, 40, 30), 0.2)
	if ring.Overlap < 10 || ring.Overlap > 12 {
		t.Errorf("overlap %.2f m, want 8 m of way in and 3 m beyond", ring.Overlap)
	}
}

// With an uncertain position the ring is what the poses say, and the truth lies within its 2σ.
func TestNoise(t *testing.T) {
	for seed := range uint64(20) {
		b := newRobot(t, DefaultConfig(), Boundary, 20, 0, 0.3)
		b.noise = rand.New(rand.NewPCG(seed, 1))
		b.to([2]float64{60, 0}, [2]float64{60, 40}, [2]float64{30, 25}, [2]float64{0, 40}, [2]float64{0, 0}, [2]float64{20, 0})
		ring, err := b.r.Close()
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		want := orb.Ring{{0, 0}, {60, 0}, {60, 40}, {30, 25}, {0, 40}, {0, 0}}
		outside := 0
		for _, p := range ring.Points {
			d := math.Inf(1)
			for i := 1; i < len(want); i++ {
				d = min(d, planar.DistanceFromSegment(want[i-1], want[i], p))
			}
			if d > 2*ring.StdDev {
				outside++
			}
		}
		if outside > len(ring.Points)/5 {
			t.Errorf("seed %d: %d of %d corners are farther than 2σ, %.2f m, from the true edge", seed, outside, len(ring.Points), 2*ring.StdDev)
		}
		if ring.StdDev < 0.3 || ring.StdDev > 2 || len(crossings(ring.Points, 1)) > 0 {
			t.Errorf("seed %d: edge ±%.2f m", seed, ring.StdDev)
		}
	}
}

// The edge beside the robot: a field is larger than the drive, a keep-out smaller, and neither
// has loops at corners where the robot turned on the spot.
func TestOffset(t *testing.T) {
	left := DefaultConfig()
	left.Offset = 1
	right := left
	right.Offset = -1
	round := [][2]float64{{40, 0}, {40, 30}, {0, 30}, {0, 0}, {20, 0}} // counter-clockwise
	back := [][2]float64{{0, 0}, {0, 30}, {40, 30}, {40, 0}, {20, 0}}  // clockwise
	outside, inside := rectangle(-1, -1, 41, 31), rectangle(1, 1, 39, 29)
	for _, c := range []struct {
		name string
		cfg  Config
		kind Kind
		way  [][2]float64
		want orb.Ring
	}{
		{"a field to the left", left, Boundary, back, outside},
		{"a field to the right", right, Boundary, round, outside},
		{"a keep-out to the left", left, KeepOut, round, inside},
		{"a keep-out to the right", right, KeepOut, back, inside},
	} {
		b := newRobot(t, c.cfg, c.kind, 20, 0, 0.02)
		b.to(c.way...)
		ring := b.close()
		check(t, c.name, ring, c.want, 0.45) // outside, the corners are rounded
		if c.kind == KeepOut && ring.Loops != 4 {
			t.Errorf("%s: %d loops are cut, want one per corner", c.name, ring.Loops)
		}
		wrong := newRobot(t, c.cfg, 1-c.kind, 20, 0, 0.02)
		wrong.to(c.way...)
		if _, err := wrong.r.Close(); !errors.Is(err, errRing) || !strings.Contains(err.Error(), "1 m to the robot's "+strings.Fields(c.name)[4]) {
			t.Errorf("%s, as the other kind: %v", c.name, err)
		}
	}
	b := newRobot(t, left, Boundary, 0, 0, 0.02)
	p := b.pose()
	p.Cov[2][2] = 100
	var refused *PoseError
	if _, err := b.r.Drive(p); !errors.As(err, &refused) || !refused.Heading {
		t.Errorf("a pose without a heading: %v", err)
	}
}

// Crossings are named with their places.
func TestCrossing(t *testing.T) {
	b := newRobot(t, DefaultConfig(), Boundary, 0, 0, 0.05)
	b.to([2]float64{40, 30}, [2]float64{40, 0}, [2]float64{0, 30}, [2]float64{0, 0})
	_, err := b.r.Close()
	var c *CrossingsError
	if !errors.As(err, &c) || len(c.Crossings) != 1 || distance(c.Crossings[0].At, orb.Point{20, 15}) > 1e-2 {
		t.Fatalf("%v, want a crossing at (20, 15)", err)
	}
	if first, second := c.Crossings[0].First, c.Crossings[0].Second; !(first > 0 && second > first+50e9) {
		t.Errorf("passed at %d and %d ns", first, second)
	}
	if !strings.Contains(err.Error(), "1 place: (20.00, 15.00) m") {
		t.Error(err)
	}
	// The ring is still open. Without the points since the second corner it is a triangle.
	for {
		_, points, _ := b.r.Open()
		if last := points[len(points)-1]; distance(last, orb.Point{40, 0}) < 0.3 {
			break
		}
		must.OK(t, b.r.Undo())
	}
	b.p.X, b.p.Y = 40, 0
	b.to([2]float64{0, 0})
	check(t, "after undo", b.close(), orb.Ring{{0, 0}, {40, 0}, {40, 30}, {0, 0}}, 0.4)
}

// Uncertain poses are refused with numbers; a short stretch is replaced by a line, a long one is
// an error with its places.
func TestRefused(t *testing.T) {
	for _, length := range []float64{3, 12} {
		b := newRobot(t, DefaultConfig(), Boundary, 0, 0, 0.1)
		b.to([2]float64{10, 0})
		b.stdDev = 1.7
		b.p.Stamp++
		_, err := b.r.Drive(b.pose())
		var refused *PoseError
		if !errors.As(err, &refused) || math.Abs(refused.StdDev-1.7) > 1e-9 || refused.Limit != 1 || !strings.Contains(err.Error(), "1.7 m, and the limit is 1 m") {
			t.Fatalf("%v", err)
		}
		b.to([2]float64{10 + length, 0})
		b.stdDev = 0.1
		b.to([2]float64{40, 0}, [2]float64{40, 30}, [2]float64{0, 30}, [2]float64{0, 0})
		ring, err := b.r.Close()
		if length == 3 {
			if err != nil || len(ring.Refused) != 1 || math.Abs(ring.Refused[0].Length-3.1) > 0.15 || ring.Refused[0].StdDev != refused.StdDev || ring.Refused[0].Poses != 41 {
				t.Errorf("%v; %+v", err, ring.Refused)
			}
			check(t, "short stretch", ring, rectangle(0, 0, 40, 30), 0.3)
			continue
		}
		var gap *GapError
		if !errors.As(err, &gap) || len(gap.Gaps) != 1 || distance(gap.Gaps[0].From, orb.Point{10, 0}) > 0.2 || distance(gap.Gaps[0].To, orb.Point{22, 0}) > 0.2 {
			t.Errorf("%v", err)
		}
	}
	// A drive that was not finished.
	b := newRobot(t, DefaultConfig(), Boundary, 0, 0, 0.1)
	b.to([2]float64{40, 0}, [2]float64{40, 30})
	if _, err := b.r.Close(); !errors.Is(err, errRing) || !strings.Contains(err.Error(), "50.0 m from its start") {
		t.Errorf("an open drive: %v", err)
	}
	// Poses that stop coming, and nothing but refused poses.
	b = newRobot(t, DefaultConfig(), Boundary, 0, 0, 0.1)
	b.to([2]float64{10, 0})
	b.p.X = 30
	b.to([2]float64{40, 0}, [2]float64{40, 30}, [2]float64{0, 30}, [2]float64{0, 0})
	if _, err := b.r.Close(); err == nil || !strings.Contains(err.Error(), "20.1 m from (10.00, 0.00) to (30.10, 0.00) m without a pose") && !strings.Contains(err.Error(), "20.0 m from (10.00, 0.00) to (30.00, 0.00) m without a pose") {
		t.Errorf("a gap: %v", err)
	}
	b = newRobot(t, DefaultConfig(), Boundary, 0, 0, 2)
	b.to([2]float64{10, 0})
	if _, err := b.r.Close(); !errors.Is(err, errRing) || !strings.Contains(err.Error(), "110 poses refused, with standard deviations up to 2 m, and the limit is 1 m") {
		t.Errorf("only refused poses: %v", err)
	}
}

// Corners are collected one by one, keep-outs in any order, and everything can be undone.
func TestCorners(t *testing.T) {
	r := New(DefaultConfig())
	corners := func(places ...[2]float64) {
		t.Helper()
		for _, q := range places {
			must.OK(t, r.Corner(localization.Pose{X: q[0], Y: q[1], Cov: [3][3]float64{{0.01}, {0, 0.04}, {0, 0, 1}}}))
		}
	}
	must := func(err error) {
		t.Helper()
		must.OK(t, err)
	}
	if err := r.Corner(localization.Pose{}); !errors.Is(err, ErrNotOpen) {
		t.Error(err)
	}
	if err := r.Undo(); !errors.Is(err, ErrNotOpen) {
		t.Error(err)
	}
	must(r.Begin(KeepOut))
	if err := r.Begin(Boundary); !errors.Is(err, errOpen) {
		t.Error(err)
	}
	corners([2]float64{10, 10}, [2]float64{14, 10}, [2]float64{100, 100})
	must(r.Undo())
	corners([2]float64{14, 13})
	keepOut, err := r.Close()
	must(err)
	if keepOut.Area != 6 || keepOut.StdDev != 0.2 {
		t.Errorf("%+v", keepOut)
	}
	if _, err := r.Field(); !errors.Is(err, errBoundary) {
		t.Error(err)
	}
	must(r.Begin(Boundary))
	corners([2]float64{0, 0}, [2]float64{60, 0}, [2]float64{60, 40}, [2]float64{0, 40}, [2]float64{0.1, 0.1}) // the first one again
	if _, err := r.Field(); !errors.Is(err, errOpen) {
		t.Error(err)
	}
	ring, err := r.Close()
	must(err)
	if ring.Area != 2400 || len(ring.Points) != 5 {
		t.Errorf("%+v", ring)
	}
	if err := r.Begin(Boundary); !errors.Is(err, errBoundary) {
		t.Error(err)
	}
	must(r.Begin(KeepOut))
	corners([2]float64{30, 20}, [2]float64{31, 20})
	if _, err := r.Close(); !errors.Is(err, errRing) {
		t.Error(err)
	}
	corners([2]float64{30.5, 22})
	_, err = r.Close()
	must(err)
	f, err := r.Field()
	must(err)
	if len(f.KeepOuts) != 2 || len(f.Boundary) != 1 || f.StdDev != 0.2 || len(r.Rings()) != 3 {
		t.Errorf("%+v", f)
	}
	must(r.Undo()) // opens the last keep-out
	if kind, points, ok := r.Open(); !ok || kind != KeepOut || len(points) != 3 {
		t.Errorf("open: %v %v %v", kind, points, ok)
	}
	for range 4 {
		must(r.Undo())
	}
	if f, err = r.Field(); err != nil || len(f.KeepOuts) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	must(r.Begin(KeepOut)) // all over the field
	corners([2]float64{-9, -9}, [2]float64{99, -9}, [2]float64{99, 99}, [2]float64{-9, 99})
	_, err = r.Close()
	must(err)
	if _, err := r.Field(); !errors.As(err, new(*field.EmptyRegionError)) {
		t.Error(err)
	}
}

// Whatever is driven, a ring that is closed does not cross itself, and every point that was
// collected lies within its own standard deviation of it, or of a loop that was cut.
func TestNeverCrossing(t *testing.T) {
	closed := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		cfg := DefaultConfig()
		cfg.Spacing = 0.2 + rng.Float64()
		b := newRobot(t, cfg, Kind(seed%2), 10, 0, 0.02+0.5*rng.Float64())
		if seed%3 > 0 {
			b.noise = rng
		}
		for k := 1; k <= 12; k++ {
			a, d := float64(k)*math.Pi/6, 4+8*rng.Float64()
			if k == 12 {
				d = 10
			}
			b.to([2]float64{d * math.Cos(a), d * math.Sin(a)})
		}
		ring, err := b.r.Close()
		if err != nil {
			if !errors.As(err, new(*CrossingsError)) {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		closed++
		if len(crossings(ring.Points, 1)) > 0 {
			t.Errorf("seed %d crosses itself", seed)
		}
		if _, err := field.NewRegion(field.Field{Boundary: orb.Polygon{ring.Points}}, 0); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if ring.Loops == 0 && ring.Shift > b.stdDev+2.0/grid {
			t.Errorf("seed %d: a point is %.3f m from the ring, more than its %.3f m", seed, ring.Shift, b.stdDev)
		}
	}
	if closed < 150 {
		t.Errorf("%d of 200 rings could be closed", closed)
	}
}
