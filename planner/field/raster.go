// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

const (
	// rasterBorder is the number of cells by which a raster extends beyond the field on
	// every side.
	rasterBorder = 2
	// rasterInset is the least distance of [Raster.Nearest]'s result from the edges of its
	// cell, in cells. Rounding then does not move it into a neighbouring cell.
	rasterInset = 1e-4
)

// Raster is a grid of square cells over a region. It errs on the safe side: a cell is
// free only if all of it belongs to the region.
type Raster struct {
	Origin orb.Point // m, lower left corner of the first cell
	Cell   float64   // m, edge length of a cell
	NX, NY int       // number of columns and rows
	Free   []bool    // NX·NY, row by row from the origin
	Beside []bool    // the same of [Raster.Widen]; nil: none
}

// RasterSize returns the numbers of columns and rows of the region's raster with cells of
// the given edge length in metres.
func (r *Region) RasterSize(cell float64) (nx, ny float64) {
	b, before := &r.outlines[0].rings[0], r.rasterBefore(cell)
	size := func(axis int, hi float64) float64 {
		return before[axis] + math.Ceil((hi-r.lo[axis])/cell) + rasterBorder
	}
	return size(0, b.maxX), size(1, b.maxY)
}

// rasterBefore returns the numbers of cells to the left of and below the region's bounding
// box.
func (r *Region) rasterBefore(cell float64) [2]float64 {
	b := &r.outlines[0].rings[0]
	return [2]float64{math.Ceil((r.lo[0]-b.minX)/cell) + rasterBorder, math.Ceil((r.lo[1]-b.minY)/cell) + rasterBorder}
}

// mostRasterCells bounds the memory of a raster.
const mostRasterCells = 1 << 28

// Raster returns the raster of the region with cells of the given edge length in metres. It
// covers the whole field, and a border of two cells round it. The lower left corner of the
// region's bounding box is a corner of a cell. The time grows with the number of cells,
// and with the number of edges times the number of cells that they touch.
func (r *Region) Raster(cell float64) (*Raster, error) {
	if !num.Finite(cell) || cell <= 0 {
		return nil, fmt.Errorf("planner: raster cell is %g m, want a finite number > 0", cell)
	}
	nx, ny := r.RasterSize(cell)
	if nx*ny > mostRasterCells {
		return nil, fmt.Errorf("planner: raster cell is %g m: the raster would have %.3g cells, at most %d are allowed", cell, nx*ny, mostRasterCells)
	}
	before := r.rasterBefore(cell)
	g := &Raster{
		Origin: orb.Point{r.lo[0] - before[0]*cell, r.lo[1] - before[1]*cell},
		Cell:   cell, NX: int(nx), NY: int(ny), Free: make([]bool, int(nx)*int(ny)),
	}
	g.fill(r)
	for i := range r.outlines {
		for j := range r.outlines[i].rings {
			edges := r.outlines[i].rings[j].edges
			for k := range edges {
				g.block(&edges[k], r.keep-r.tol)
			}
		}
	}
	return g, nil
}

// fill marks the cells whose centres are inside the boundary and outside of all holes and
// keep-outs.
func (g *Raster) fill(r *Region) {
	out := make([]bool, g.NX)
	var crossings []float64
	set := func(dst []bool, ring *ring, y float64, value bool) {
		if y < ring.minY || y > ring.maxY {
			return
		}
		crossings = crossings[:0]
		for i := range ring.edges {
			if e := &ring.edges[i]; (e.ay > y) != (e.by > y) {
				crossings = append(crossings, e.ax+(y-e.ay)/e.dy*e.dx)
			}
		}
		slices.Sort(crossings)
		for k := 0; k+1 < len(crossings); k += 2 {
			from, to := g.column(crossings[k]+g.Cell/2), g.column(crossings[k+1]+g.Cell/2) // by the cells' centres
			for i := max(from, 0); i < min(to, g.NX); i++ {
				dst[i] = value
			}
		}
	}
	for j := range g.NY {
		y := g.Origin[1] + (float64(j)+0.5)*g.Cell
		row := g.Free[j*g.NX : (j+1)*g.NX]
		for i := range r.outlines {
			o := &r.outlines[i]
			if o.free {
				for k := range o.rings {
					set(row, &o.rings[k], y, k == 0)
				}
				continue
			}
			if y < o.rings[0].minY || y > o.rings[0].maxY {
				continue
			}
			clear(out)
			for k := range o.rings {
				set(out, &o.rings[k], y, k == 0)
			}
			for i, is := range out {
				row[i] = row[i] && !is
			}
		}
	}
}

// column returns the index of the column at x, which may lie outside the raster.
func (g *Raster) column(x float64) int { return int(math.Floor((x - g.Origin[0]) / g.Cell)) }

// row returns the index of the row at y, which may lie outside the raster.
func (g *Raster) row(y float64) int { return int(math.Floor((y - g.Origin[1]) / g.Cell)) }

// block marks the cells with a point nearer than need metres to the edge as not free.
func (g *Raster) block(e *edge, need float64) {
	loY, hiY := min(e.ay, e.by)-need, max(e.ay, e.by)+need
	for j := max(g.row(loY)-1, 0); j <= min(g.row(hiY)+1, g.NY-1); j++ {
		// The part of the edge that is near enough to the row.
		y := g.Origin[1] + float64(j)*g.Cell
		from, to := 0.0, 1.0
		if e.dy != 0 {
			t0, t1 := (y-need-e.ay)/e.dy, (y+g.Cell+need-e.ay)/e.dy
			from, to = max(min(t0, t1), 0), min(max(t0, t1), 1)
			if from > to {
				continue
			}
		}
		x0, x1 := e.ax+from*e.dx, e.ax+to*e.dx
		first, last := g.column(min(x0, x1)-need)-1, g.column(max(x0, x1)+need)+1
		for i := max(first, 0); i <= min(last, g.NX-1); i++ {
			free := &g.Free[j*g.NX+i]
			*free = *free && e.boxDistance2(g.Origin[0]+float64(i)*g.Cell, y, g.Cell) >= need*need
		}
	}
}

// boxDistance2 returns the squared distance between the edge and the square with the lower
// left corner (x, y), 0 if they have a point in common.
func (e *edge) boxDistance2(x, y, size float64) float64 {
	// Liang and Barsky: the part of the edge in the square.
	from, to := 0.0, 1.0
	for _, c := range [...]struct{ d, lo, hi float64 }{{e.dx, x - e.ax, x + size - e.ax}, {e.dy, y - e.ay, y + size - e.ay}} {
		if c.d == 0 {
			if c.lo > 0 || c.hi < 0 {
				from, to = 1, 0
			}
			continue
		}
		t0, t1 := c.lo/c.d, c.hi/c.d
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	if from <= to {
		return 0
	}
	// Otherwise the nearest point of one of them is an end or a corner.
	least := math.Inf(1)
	for _, p := range [...]orb.Point{{e.ax, e.ay}, {e.bx, e.by}} {
		dx, dy := max(x-p[0], p[0]-x-size, 0), max(y-p[1], p[1]-y-size, 0)
		least = min(least, dx*dx+dy*dy)
	}
	for _, p := range [...]orb.Point{{x, y}, {x + size, y}, {x, y + size}, {x + size, y + size}} {
		dx, dy := e.from(p[0], p[1])
		least = min(least, dx*dx+dy*dy)
	}
	return least
}

// Area returns the area of the free cells in m².
func (g *Raster) Area() float64 {
	n := 0
	for _, free := range g.Free {
		if free {
			n++
		}
	}
	return float64(n) * g.Cell * g.Cell
}

// At reports whether p lies in a free cell.
func (g *Raster) At(p orb.Point) bool { return g.free(g.column(p[0]), g.row(p[1])) }

// Widen sets Beside: the occupied cells that lie entirely within width metres of a free cell. With a width of the region's margin, or less, none reaches an edge.
func (g *Raster) Widen(width float64) {
	g.Beside = make([]bool, len(g.Free))
	width += 1e-6 * g.Cell // an edge length in single precision is a little larger than the number meant
	reach := int(width / g.Cell)
	var near [][2]int // offsets of the cells whose farthest point is near enough
	for dj := -reach; dj <= reach; dj++ {
		for di := -reach; di <= reach; di++ {
			if math.Hypot(float64(di), float64(dj))*g.Cell <= width {
				near = append(near, [2]int{di, dj})
			}
		}
	}
	for j := range g.NY {
		for i := range g.NX {
			if !g.free(i, j) || g.free(i-1, j) && g.free(i+1, j) && g.free(i, j-1) && g.free(i, j+1) {
				continue // what is near a cell inside is nearer to one at the edge
			}
			for _, d := range near {
				if x, y := i+d[0], j+d[1]; x >= 0 && x < g.NX && y >= 0 && y < g.NY && !g.free(x, y) {
					g.Beside[y*g.NX+x] = true
				}
			}
		}
	}
}

// Passable reports whether p lies in a cell that is free or beside free ones.
func (g *Raster) Passable(p orb.Point) bool {
	i, j := g.column(p[0]), g.row(p[1])
	return g.free(i, j) || g.Beside != nil && i >= 0 && i < g.NX && j >= 0 && j < g.NY && g.Beside[j*g.NX+i]
}

func (g *Raster) free(i, j int) bool {
	return i >= 0 && i < g.NX && j >= 0 && j < g.NY && g.Free[j*g.NX+i]
}

// Nearest returns the point inside a free cell that is nearest to p, which is p itself if
// it lies in one and not on its edge. It is false if no cell is free. It looks at all cells.
func (g *Raster) Nearest(p orb.Point) (orb.Point, bool) {
	best, best2 := p, math.Inf(1)
	inset := rasterInset * g.Cell
	for k, free := range g.Free {
		if !free {
			continue
		}
		x, y := g.Origin[0]+float64(k%g.NX)*g.Cell, g.Origin[1]+float64(k/g.NX)*g.Cell
		q := orb.Point{min(max(p[0], x+inset), x+g.Cell-inset), min(max(p[1], y+inset), y+g.Cell-inset)}
		if d2 := (q[0]-p[0])*(q[0]-p[0]) + (q[1]-p[1])*(q[1]-p[1]); d2 < best2 {
			best, best2 = q, d2
		}
	}
	return best, !math.IsInf(best2, 1)
}
