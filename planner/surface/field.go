// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"fmt"
	"math"

	"ugp_explorer/internal/num"
)

// Surface returns a value at a position in metres. A field's methods Value and Smooth
// are surfaces.
type Surface func(x, y float64) float64

// GridField is a quantity over the plane, given at the nodes of a grid and interpolated
// bilinearly between them. Outside the grid the value is that of the nearest position inside.
// It does not change and is safe for concurrent use.
//
// Interpolation averages: a nugget that is independent from node to node has
// its full variance at the nodes and a quarter of it in the middle of a cell.
type GridField struct {
	grid          Grid
	value, smooth []float64
	name, units   string
}

// NewGridField returns a field over g from the values of its two surfaces at the nodes,
// in the order of Grid.Index. It keeps both slices; they may be the same slice. All
// values must be finite.
func NewGridField(g Grid, value, smooth []float64, name, units string) (*GridField, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	if len(value) != g.Len() || len(smooth) != g.Len() {
		return nil, fmt.Errorf("surface: a grid field of %d × %d nodes got %d values and %d smooth values", g.NX, g.NY, len(value), len(smooth))
	}
	for k := range value {
		if v, s := value[k], smooth[k]; !num.Finite(v) || !num.Finite(s) {
			return nil, fmt.Errorf("surface: grid field %q at node (%d, %d): value %v, smooth value %v: must be finite", name, k%g.NX, k/g.NX, v, s)
		}
	}
	return &GridField{grid: g, value: value, smooth: smooth, name: name, units: units}, nil
}

// Value returns the quantity at (x, y), with its variation over short distances: the reading
// of a probe without noise.
func (f *GridField) Value(x, y float64) float64 { return f.grid.interpolate(f.value, x, y) }

// Smooth returns the structured part of the quantity at (x, y), without the nugget.
func (f *GridField) Smooth(x, y float64) float64 { return f.grid.interpolate(f.smooth, x, y) }

// Resolution returns the distance in metres over which the field may change its slope: the
// smaller of the two node spacings.
func (f *GridField) Resolution() float64 { return min(f.grid.DX, f.grid.DY) }

// Name returns the quantity, such as "log10 K".
func (f *GridField) Name() string { return f.name }

// Units returns the unit of the quantity, such as "log10(mg/l)".
func (f *GridField) Units() string { return f.units }

// Grid returns the grid of the nodes.
func (f *GridField) Grid() Grid { return f.grid }

// At returns both surfaces at node (i, j).
func (f *GridField) At(i, j int) (value, smooth float64) {
	k := f.grid.Index(i, j)
	return f.value[k], f.smooth[k]
}

// interpolate returns the bilinear interpolation of node values z at (x, y),
// clamped to the grid. A position that is not a number gives NaN.
func (g Grid) interpolate(z []float64, x, y float64) float64 {
	i, u := locate((x-g.X0)/g.DX, g.NX)
	j, v := locate((y-g.Y0)/g.DY, g.NY)
	k := j*g.NX + i
	right, up := 0, 0
	if g.NX > 1 {
		right = 1
	}
	if g.NY > 1 {
		up = g.NX
	}
	low := z[k] + u*(z[k+right]-z[k])
	high := z[k+up] + u*(z[k+up+right]-z[k+up])
	return low + v*(high-low)
}

// locate splits a position in units of the spacing into the index of the node
// below, at most n−2 so that there is one above, and the fraction beyond it.
func locate(t float64, n int) (int, float64) {
	if math.IsNaN(t) {
		return 0, t
	}
	last := float64(n - 1)
	t = min(max(t, 0), last)
	i := min(int(t), max(n-2, 0))
	return i, t - float64(i)
}
