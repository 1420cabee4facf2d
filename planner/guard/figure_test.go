// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/node/chart"
	"ugp_explorer/planner/guard"
)

// TestFigure keeps figure.svg what the code does: UPDATE_GENERATED=1 writes it anew.
func TestFigure(t *testing.T) {
	distance := square(20)
	const sticks = 12
	truth, proven, speed := chart.Line{Label: "true"}, chart.Line{Label: "proven by the guard"}, chart.Line{}
	g := guard.New(distance, guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(8, 8)), g, receiver{period: 4 * tick, stdDev: 0.02, noisy: true})
	w.yaw = 0.3
	for w.now < 40*second {
		w.receiver.stuck = w.now > sticks*second
		w.drive(1)
		at := float64(w.now)/1e9 - 1
		truth.X, truth.Y = append(truth.X, at), append(truth.Y, distance(w.at))
		speed.X, speed.Y = append(speed.X, at), append(speed.Y, w.speed)
		if clear := g.Clearance(); w.now > second+10*tick {
			proven.X, proven.Y = append(proven.X, at), append(proven.Y, clear)
		}
	}
	if last := truth.Y[len(truth.Y)-1]; last < 0 || speed.Y[len(speed.Y)-1] > 0.01 {
		t.Errorf("the figure ends %.2f m from the edge at %.2f m/s", last, speed.Y[len(speed.Y)-1])
	}
	if _, reason := g.Limit(w.now, 1, 0); reason != guard.Unmoved {
		t.Errorf("the reason is %q", reason)
	}
	stuck := func(top float64) chart.Line {
		return chart.Line{Label: "the receiver sticks, with noise", X: []float64{sticks - 1, sticks - 1}, Y: []float64{0, top}}
	}
	figure := chart.SVG([]chart.Panel{
		{Title: "distance to the edge, m", Axis: "time, s", Lines: []chart.Line{truth, proven, stuck(20)}},
		{Title: "speed, m/s", Axis: "time, s", Lines: []chart.Line{speed, {}, stuck(1)}},
	}, 1, "")
	if runtime.GOARCH == "amd64" { // others round otherwise
		generated.Check(t, "figure.svg", string(figure), generated.Command("./planner/guard", "Figure"))
	}
}
