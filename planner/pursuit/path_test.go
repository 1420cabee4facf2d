// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

func drawPath(t *rapid.T) []orb.Point {
	coordinate := rapid.Float64Range(-5, 5)
	n := rapid.IntRange(2, 8).Draw(t, "points")
	points := make([]orb.Point, n)
	for i := range points {
		points[i] = orb.Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
	}
	return points
}

// dense returns points along the leg of t from the arc length s on, a millimetre apart.
func dense(t *track, s float64) (points []orb.Point, arcs []float64) {
	for i := 0; i < t.legs[t.leg]; i++ {
		length := t.arc[i+1] - t.arc[i]
		n := int(length/1e-3) + 1
		for j := 0; j <= n; j++ {
			along := length * float64(j) / float64(n)
			if t.arc[i]+along >= s {
				points = append(points, at(t.pts[i], t.pts[i+1], along, length))
				arcs = append(arcs, t.arc[i]+along)
			}
		}
	}
	return append(points, t.end()), append(arcs, t.arc[t.legs[t.leg]])
}

// The nearest point within the window and the first point at the lookahead distance agree with a search over points a
// millimetre apart.
func TestTrackAgainstDenseSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr track
		must.OK(t, tr.set(drawPath(t)))
		tr.legs = []int{len(tr.pts) - 1} // no cusps: one leg
		for range 3 {
			p := orb.Point{rapid.Float64Range(-6, 6).Draw(t, "px"), rapid.Float64Range(-6, 6).Draw(t, "py")}
			window := rapid.Float64Range(0.1, 4).Draw(t, "window")
			before := tr.s
			tr.advance(p, window)
			near := dist(p, at(tr.pts[tr.seg], tr.pts[tr.seg+1], tr.s-tr.arc[tr.seg], tr.arc[tr.seg+1]-tr.arc[tr.seg]))
			points, arcs := dense(&tr, before)
			best := math.Inf(1)
			for i, q := range points {
				if arcs[i] <= before+window {
					best = min(best, dist(p, q))
				}
			}
			if math.Abs(near-best) > 2e-3 {
				t.Fatalf("nearest point is %g m away, dense search finds %g m", near, best)
			}
			if tr.s < before || tr.s > before+window+1e-9 {
				t.Fatalf("went from %g to %g m with a window of %g m", before, tr.s, window)
			}

			d := rapid.Float64Range(0.2, 3).Draw(t, "lookahead")
			got := tr.lookahead(p, d)
			points, _ = dense(&tr, tr.s)
			want := tr.end()
			for _, q := range points {
				if dist(p, q) >= d {
					want = q
					break
				}
			}
			// Where the path grazes the circle a millimetre decides between two points; both are then on the circle or beyond.
			if dist(got, want) > 5e-3 && !(math.Abs(dist(p, got)-d) < 2e-3) {
				t.Fatalf("lookahead point %v at %g m, dense search finds %v", got, dist(p, got), want)
			}
		}
	})
}

func TestTrackLegs(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []orb.Point
		want   []int
	}{
		{"straight", []orb.Point{{0, 0}, {1, 0}, {2, 0}}, []int{2}},
		{"corner of 80 degrees", []orb.Point{{0, 0}, {1, 0}, {1 + math.Cos(80*math.Pi/180), math.Sin(80 * math.Pi / 180)}}, []int{2}},
		{"corner of 100 degrees", []orb.Point{{0, 0}, {1, 0}, {1 + math.Cos(100*math.Pi/180), math.Sin(100 * math.Pi / 180)}}, []int{1, 2}},
		{"there and back", []orb.Point{{0, 0}, {1, 0}, {0, 0}}, []int{1, 2}},
		{"there and back with a double point", []orb.Point{{0, 0}, {1, 0}, {1, 0}, {0, 0}}, []int{1, 2}},
		{"goal", []orb.Point{{3, 4}}, []int{1}},
		{"goal given three times", []orb.Point{{3, 4}, {3, 4}, {3, 4}}, []int{1}},
	} {
		var tr track
		must.OK(t, tr.set(c.points))
		if !slices.Equal(tr.legs, c.want) {
			t.Errorf("%s: legs end at %v, want %v", c.name, tr.legs, c.want)
		}
	}
}

// Of millions of points the nearest would take the time in which the robot must be steered.
func TestSetPathRefuses(t *testing.T) {
	f, err := New(DefaultConfig())
	must.OK(t, err)
	many := make([]orb.Point, maxPoints+1)
	for want, points := range map[string][]orb.Point{
		"pursuit: path has no points: must have at least one, the goal": nil,
		"pursuit: path point 1 is (NaN, 1): must be within ±1e+09 m":    {{0, 0}, {math.NaN(), 1}},
		"pursuit: path point 0 is (0, -Inf): must be within ±1e+09 m":   {{0, math.Inf(-1)}},
		"pursuit: path has 100001 points: must have at most 100000":     many,
	} {
		if err := f.SetPath(points); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, st := f.Step(0, Pose{}); st.Phase != phaseIdle {
		t.Errorf("after refused paths: %v, want idle", st.Phase)
	}
}
