// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

const (
	// mostKeepoutCells bounds keepout.cell: the largest grid has 16 MB.
	mostKeepoutCells = 16_000_000
	// usualKeepoutCells bounds the number of cells if the explorer chooses their edge length.
	usualKeepoutCells = 4_000_000
)

// keepoutCells are the edge lengths among which the explorer chooses, m.
var keepoutCells = []float64{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}

const (
	// sideCells is the number of cells along a square of the grid's size above which cells are
	// larger than the finest: Nav2's planner works on each of them.
	sideCells = 400
	// bodyCells is the least number of cells for the robot's radius: larger cells would close
	// ways that it can go.
	bodyCells = 2
)

// beside is the largest width of the band next to the free cells of ~/keepout in which Nav2 can plan, m. A robot that localisation or a
// recovery has put outside the free cells needs a way back: with fixes of 0.3 m Nav2 found one from a band of 1.2 m, and not from one of
// 0.6 m. Every point of the band is in the field, because it is not wider than the margin.
const beside = 1.2

// keepoutCell returns the edge length of the cells of ~/keepout, m: cell, or if that is 0
// the largest usual one that follows the sizes of field and robot, m, or a larger one with
// which the grid is not too large.
func keepoutCell(region *field.Region, radius, cell float64) (float64, error) {
	if cell > 0 {
		if nx, ny := region.RasterSize(cell); nx*ny > mostKeepoutCells {
			return 0, fmt.Errorf("keepout.cell is %g m: the grid would have %.3g cells, at most %d are allowed; set a larger keepout.cell", cell, nx*ny, mostKeepoutCells)
		}
		return float64(float32(cell)), nil // as the message has it
	}
	lo, hi := region.Bounds()
	fine := min(math.Sqrt((hi[0]-lo[0])*(hi[1]-lo[1]))/sideCells, radius/bodyCells)
	for i, cell := range keepoutCells {
		if i < len(keepoutCells)-1 && keepoutCells[i+1] <= fine {
			continue
		}
		cell = float64(float32(cell))
		if nx, ny := region.RasterSize(cell); nx*ny <= usualKeepoutCells {
			return cell, nil
		}
	}
	return 0, fmt.Errorf("keepout.cell is 0, and the field is too large for a grid of %g m: set keepout.cell", keepoutCells[len(keepoutCells)-1])
}

// Cells returns the region as cells, which are computed at the first call.
func (g *Ground) Cells() *field.Raster {
	if g.cells == nil {
		var err error
		if g.cells, err = g.cfg.Region.Raster(g.cfg.Cell); err != nil { // New has checked its size
			panic(err)
		}
		g.cells.Widen(min(beside, g.cfg.Region.Margin()))
	}
	return g.cells
}

// Passable reports whether Nav2 can plan from a place, m: it lies in a cell of ~/keepout that is not
// occupied.
func (g *Ground) Passable(at orb.Point) bool { return g.Cells().Passable(at) }

// Allowed returns the place nearest to p that lies in a free cell of ~/keepout, where a
// goal of Nav2 must lie: p itself if its cell is free. If no cell is free, it is the place
// of the region nearest to p.
func (g *Ground) Allowed(p orb.Point) orb.Point {
	var inside orb.Point
	g.cfg.Region.Project(inside[:], p[:])
	if q, ok := g.Cells().Nearest(inside); ok {
		return q
	}
	return inside
}
