// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/planner/field"
)

func TestFieldMarkers(t *testing.T) {
	f := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {400, 0}, {400, 300}, {0, 300}}, {{10, 10}, {10, 20}, {20, 20}, {10, 10}}},
		KeepOuts: []orb.Polygon{{{{100, 100}, {150, 100}, {150, 150}, {100, 100}}}},
	}
	for _, margin := range []float64{0, 2} {
		r, err := field.NewRegion(f, margin)
		must.OK(t, err)
		m := FieldMarkers("map", f, r)
		type key struct {
			ns string
			id int32
		}
		got := map[key]visualization_msgs.Marker{}
		for _, marker := range m.Markers {
			got[key{marker.Ns, marker.ID}] = marker
			if marker.Header.FrameID != "map" || marker.Pose.Orientation.W != 1 || marker.Scale.X <= 0 || marker.Color.A == 0 || marker.Action != visualization_msgs.MarkerAdd {
				t.Errorf("RViz does not draw %+v", marker)
			}
		}
		want := map[key]int{{"boundary", 0}: 5, {"boundary", 1}: 4, {"keep-outs", 0}: 4}
		if margin > 0 {
			want[key{"margin", 0}] = 2 * len(r.Edge())
		}
		if len(got) != len(want) || len(m.Markers) != len(want) {
			t.Errorf("margin %g: %d markers, want %d", margin, len(m.Markers), len(want))
		}
		for k, n := range want {
			p := got[k].Points
			if len(p) != n {
				t.Errorf("margin %g: %v has %d points, want %d", margin, k, len(p), n)
			} else if got[k].Type == visualization_msgs.MarkerLineStrip && p[0] != p[n-1] {
				t.Errorf("%v is open", k)
			}
		}
		if p := got[key{"boundary", 0}].Points; p[2] != (geometry_msgs.Point{X: 400, Y: 300}) {
			t.Errorf("the boundary's third point is %v", p[2])
		}
		for _, p := range got[key{"margin", 0}].Points {
			if d := r.SignedDistance([2]float64{p.X, p.Y}); math.Abs(d-margin) > 1e-6 {
				t.Errorf("the margin is drawn %g m from what it keeps clear of", d)
			}
		}
	}
}
