// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface_test

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/surface"
)

func TestGridFieldInterpolation(t *testing.T) {
	// z = 2 + 3x − y + 0.5xy is bilinear, so interpolation gives it back.
	z := func(x, y float64) float64 { return 2 + 3*x - y + 0.5*x*y }
	g := surface.Grid{X0: -4, Y0: 10, DX: 2, DY: 5, NX: 4, NY: 3} // x −4…2, y 10…20
	value, smooth := make([]float64, g.Len()), make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			x, y := g.Node(i, j)
			value[g.Index(i, j)], smooth[g.Index(i, j)] = z(x, y), -z(x, y)
		}
	}
	f, err := surface.NewGridField(g, value, smooth, "z", "m")
	must.OK(t, err)
	tests := []struct{ x, y, atX, atY float64 }{
		{-4, 10, -4, 10}, {2, 20, 2, 20}, {0, 15, 0, 15}, // nodes
		{-3.3, 17.1, -3.3, 17.1}, {1.9, 10.2, 1.9, 10.2}, // inside
		{-50, 12, -4, 12}, {7, 13, 2, 13}, {0.5, -3, 0.5, 10}, {99, 99, 2, 20}, {math.Inf(-1), math.Inf(1), -4, 20}, // nearest place inside
	}
	for _, tt := range tests {
		near(t, "value", f.Value(tt.x, tt.y), z(tt.atX, tt.atY), 1e-12)
		near(t, "smooth", f.Smooth(tt.x, tt.y), -z(tt.atX, tt.atY), 1e-12)
	}
	if !math.IsNaN(f.Value(math.NaN(), 15)) || !math.IsNaN(f.Smooth(0, math.NaN())) {
		t.Error("a place that is no number has a value")
	}
	if v, s := f.At(3, 2); v != z(2, 20) || s != -v {
		t.Errorf("At(3, 2) = %v, %v", v, s)
	}
	if f.Resolution() != 2 || f.Name() != "z" || f.Units() != "m" || f.Grid() != g {
		t.Error("resolution, name, units or grid are not those given")
	}
	if n := testing.AllocsPerRun(100, func() { f.Value(0.3, 12) }); n != 0 {
		t.Errorf("Value allocates %v times", n)
	}
}

func TestGridErrors(t *testing.T) {
	good := surface.Grid{DX: 1, DY: 1, NX: 2, NY: 1}
	_, err := surface.NewGridField(good, []float64{1}, []float64{1, 2}, "", "")
	wantError(t, err, "1 values and 2 smooth values")
	_, err = surface.NewGridField(good, []float64{1, math.NaN()}, []float64{1, 2}, "K", "")
	wantError(t, err, `"K" at node (1, 0): value NaN`)
	for _, g := range []surface.Grid{
		{DX: 0, DY: 1, NX: 1, NY: 1}, {DX: 1, DY: -1, NX: 1, NY: 1}, {DX: 1, DY: 1, NX: 0, NY: 1}, {DX: 1, DY: 1, NX: 1 << 40, NY: 1 << 40}, {X0: math.NaN(), DX: 1, DY: 1, NX: 1, NY: 1},
	} {
		_, err := surface.NewGridField(g, []float64{1}, []float64{1}, "", "")
		wantError(t, err, "surface: grid")
	}
}

func TestGridOver(t *testing.T) {
	g, err := surface.GridOver(orb.Bound{Min: orb.Point{3, -7}, Max: orb.Point{21, 9}}, 5, 2)
	must.OK(t, err)
	// 1…23 is covered by 0…25, −9…11 by −10…15.
	if want := (surface.Grid{X0: 0, Y0: -10, DX: 5, DY: 5, NX: 6, NY: 6}); g != want {
		t.Errorf("got %+v, want %+v", g, want)
	}
	for _, tt := range []struct {
		spacing, margin float64
		want            string
	}{{0, 0, "spacing is 0"}, {1e-6, 0, "wider spacing"}} {
		_, err := surface.GridOver(orb.Bound{Max: orb.Point{100, 100}}, tt.spacing, tt.margin)
		wantError(t, err, tt.want)
	}
}
