// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// MaxNodes is the largest number of nodes of a grid: 2^24 nodes take 128 MiB per layer.
const MaxNodes = 1 << 24

// Grid is a regular grid of nodes: node (i, j) is at (X0 + i·DX, Y0 + j·DY) and has the
// index j·NX + i.
type Grid struct {
	X0, Y0 float64 // position of node (0, 0), m
	DX, DY float64 // spacing, m
	NX, NY int     // nodes along x and y
}

// GridOver returns the smallest grid of the given spacing in metres, with nodes
// at whole multiples of it, that covers b grown by margin metres on all sides.
func GridOver(b orb.Bound, spacing, margin float64) (Grid, error) {
	if !(spacing > 0) || math.IsInf(spacing, 0) {
		return Grid{}, fmt.Errorf("surface: grid spacing is %v m: must be finite and positive", spacing)
	}
	lox, loy := math.Floor((b.Min[0]-margin)/spacing), math.Floor((b.Min[1]-margin)/spacing)
	hix, hiy := math.Ceil((b.Max[0]+margin)/spacing), math.Ceil((b.Max[1]+margin)/spacing)
	nx, ny := hix-lox+1, hiy-loy+1
	if !(nx >= 1 && ny >= 1) || nx*ny > MaxNodes {
		return Grid{}, fmt.Errorf("surface: a grid of %v m over %v–%v × %v–%v m has %.4g nodes: must be between 1 and %d; use a wider spacing",
			spacing, b.Min[0], b.Max[0], b.Min[1], b.Max[1], nx*ny, MaxNodes)
	}
	return Grid{X0: lox * spacing, Y0: loy * spacing, DX: spacing, DY: spacing, NX: int(nx), NY: int(ny)}, nil
}

// validate returns an error unless the grid has nodes at finite places, and not too many.
func (g Grid) validate() error {
	finite := !math.IsInf(g.X0, 0) && !math.IsInf(g.Y0, 0) && !math.IsNaN(g.X0+g.Y0) && g.DX > 0 && g.DY > 0 && !math.IsInf(g.DX+g.DY, 0)
	if !finite || g.NX < 1 || g.NX > MaxNodes || g.NY < 1 || g.NY > MaxNodes || g.NX*g.NY > MaxNodes {
		return fmt.Errorf("surface: grid %+v: places must be finite, spacings positive, and there must be 1 to %d nodes in all", g, MaxNodes)
	}
	return nil
}

// Len returns the number of nodes.
func (g Grid) Len() int { return g.NX * g.NY }

// Index returns the index of node (i, j).
func (g Grid) Index(i, j int) int { return j*g.NX + i }

// Node returns the position of node (i, j) in metres.
func (g Grid) Node(i, j int) (x, y float64) {
	return g.X0 + float64(i)*g.DX, g.Y0 + float64(j)*g.DY
}
