// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

// A yard of 4 m beside a field of 20 m, behind a fence, with a gate at its far end. In the
// yard the robot cannot keep a margin of 2.5 m.
func yard(gate float64) Field {
	return Field{
		Boundary: orb.Polygon{plantest.Rect(0, 0, 24, 20)},
		KeepOuts: []orb.Polygon{{plantest.Rect(4, gate, 4.2, 20)}},
	}
}

func TestWayInLeadsRoundAFence(t *testing.T) {
	r := mustRegion(t, yard(4), 2.5)
	path, length, err := r.Path(orb.Point{2, 18}, orb.Point{15, 18})
	must.OK(t, err)
	free := r.free()
	sum := 0.0
	for i := 1; i < len(path); i++ {
		sum += dist(path[i-1], path[i])
		if !free.Clear(path[i-1], path[i], 0.6) {
			t.Errorf("path %v comes nearer than 0.6 m to an edge on its leg %d", path, i)
		}
	}
	if math.Abs(sum-length) > 1e-9*sum || length < 33 { // round the end of the fence; through it are 13 m
		t.Errorf("path %v of %g m, said to be %g m", path, sum, length)
	}
	back, length2, err := r.Path(orb.Point{15, 18}, orb.Point{2, 18})
	if err != nil || math.Abs(length-length2) > 1e-9*length || len(back) != len(path) {
		t.Errorf("%g m there by %v, %g m back by %v, error %v", length, path, length2, back, err)
	}
}

// Behind a fence without a gate there is no way in, and the robot must not go through it.
func TestNoWayInThroughAFence(t *testing.T) {
	r := mustRegion(t, yard(0), 2.5)
	if path, _, err := r.Path(orb.Point{2, 18}, orb.Point{15, 18}); !errors.Is(err, errUnreachable) {
		t.Errorf("path %v, error %v", path, err)
	}
	if path, _, err := r.Path(orb.Point{15, 18}, orb.Point{2, 18}); !errors.Is(err, errUnreachable) {
		t.Errorf("path %v, error %v", path, err)
	}
	d := r.NewDistanceField()
	d.From([]float64{2, 18})
	if l := d.Length([]float64{15, 18}); !math.IsInf(l, 1) {
		t.Errorf("%g m through a fence", l)
	}
	if d.From([]float64{15, 17}); d.Length([]float64{15, 18}) != 1 {
		t.Error("the distances do not recover from a start that is closed in")
	}
}

// On random fields a path from any place, and to it, leaves the field nowhere but in the
// shortest way in.
func TestWayInProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		margin := rapid.SampledFrom([]float64{0, 0.3, 2}).Draw(t, "margin")
		r, err := NewRegion(f, margin)
		if err != nil {
			return
		}
		lo, hi := r.Bounds()
		inside := orb.Point(r.Points(1, rng).RawRowView(0))
		for range 10 {
			p := orb.Point{lo[0] - 3 + (hi[0]-lo[0]+6)*rng.Float64(), lo[1] - 3 + (hi[1]-lo[1]+6)*rng.Float64()}
			path, length, err := r.Path(p, inside)
			if errors.Is(err, errUnreachable) {
				continue
			}
			must.OK(t, err)
			sum, out, entered := 0.0, 0.0, false
			for i := 1; i < len(path); i++ {
				leg := dist(path[i-1], path[i])
				sum += leg
				const n = 50
				for k := range n {
					s := (float64(k) + 0.5) / n
					q := orb.Point{path[i-1][0] + s*(path[i][0]-path[i-1][0]), path[i-1][1] + s*(path[i][1]-path[i-1][1])}
					switch c := bruteClearance(f, q); {
					case c > 1e-4:
						entered = true
					case entered && c < -1e-4:
						t.Fatalf("path %v leaves the field at %v", path, q)
					case c < -1e-4:
						out += leg / n
					}
				}
			}
			if math.Abs(sum-length) > 1e-9*(1+sum) {
				t.Fatalf("path %v is %g m long, said to be %g m", path, sum, length)
			}
			if nearest := dist(p, r.free().snap(p)); out > nearest+0.05*sum+1e-3 {
				t.Fatalf("path %v is outside for %g m, but the field is %g m from its start", path, out, nearest)
			}
		}
	})
}
