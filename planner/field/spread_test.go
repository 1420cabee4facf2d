// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
)

// The room of an ellipse before a straight edge, at a corner of a keep-out and outside.
func TestSlack(t *testing.T) {
	r, err := NewRegion(Field{
		Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}},
		KeepOuts: []orb.Polygon{{{{40, 40}, {60, 40}, {60, 60}, {40, 60}}}},
	}, 2)
	if err != nil {
		t.Fatal(err)
	}
	along := localization.Covariance{XX: 0.04, YY: 9}      // 0.2 m in x, 3 m in y
	tilted := localization.Covariance{XX: 5, XY: 4, YY: 5} // 3 m along (1, 1), 1 m across
	for _, c := range []struct {
		name   string
		at     orb.Point
		cov    localization.Covariance
		sigmas float64
		want   float64
	}{
		{"no spread", orb.Point{5, 50}, localization.Covariance{}, 2, 5},
		{"sigmas 0", orb.Point{5, 50}, along, 0, 5},
		{"along the edge x = 0", orb.Point{5, 50}, along, 2, 4.6},
		{"towards the edge y = 0", orb.Point{50, 10}, along, 2, 4},
		{"a farther edge in a worse direction", orb.Point{4, 7}, along, 2, 1},
		{"towards the keep-out's corner", orb.Point{36, 37}, localization.Covariance{XX: 1, YY: 1}, 2, 3},
		{"the long axis towards a corner", orb.Point{37, 37}, tilted, 1, 3*math.Sqrt2 - 3},
		{"the long axis along the corner", orb.Point{63, 37}, tilted, 1, 3*math.Sqrt2 - 1},
		{"outside", orb.Point{-3, 50}, along, 2, -9},
		{"in the keep-out", orb.Point{42, 50}, along, 2, -8},
	} {
		if got := r.Slack(c.at, c.cov, c.sigmas); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g m, want %g m", c.name, got, c.want)
		}
	}
}
