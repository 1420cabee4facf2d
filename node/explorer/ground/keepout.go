package explorer

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/planner/field"
)

const (
	// mostKeepoutCells bounds keepout.cell: a grid of so many cells has 16 MB.
	mostKeepoutCells = 16_000_000
	// usualKeepoutCells bounds the cells of the edge length that is chosen by itself.
	usualKeepoutCells = 4_000_000
	// leastKeepoutShare is the share of the region's area that must remain free in the grid;
	// below it the log advises a smaller cell.
	leastKeepoutShare = 0.9
)

// keepoutCells are the edge lengths among which the explorer chooses, m.
var keepoutCells = []float64{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}

// keepoutCell returns the edge length of the cells of ~/keepout, m: cell, or if that is 0
// the smallest usual one with which the grid is not too large.
func keepoutCell(region *field.Region, cell float64) (float64, error) {
	if cell > 0 {
		if nx, ny := region.RasterSize(cell); nx*ny > mostKeepoutCells {
			return 0, fmt.Errorf("explorer: keepout.cell is %g m: the grid would have %.3g cells, at most %d are allowed", cell, nx*ny, mostKeepoutCells)
		}
		return float64(float32(cell)), nil // as the message has it
	}
	for _, cell := range keepoutCells {
		cell = float64(float32(cell))
		if nx, ny := region.RasterSize(cell); nx*ny <= usualKeepoutCells {
			return cell, nil
		}
	}
	return 0, fmt.Errorf("explorer: keepout.cell is 0, and the field is too large for a grid of %g m: set keepout.cell", keepoutCells[len(keepoutCells)-1])
}

// raster returns the region as cells, which are computed at the first call.
func (g *ground) raster() *field.Raster {
	if g.cells == nil {
		var err error
		if g.cells, err = g.region.Raster(g.cell); err != nil { // newGround has checked its size
			panic(err)
		}
	}
	return g.cells
}

// allowed returns the place nearest to p that lies in a free cell of ~/keepout, where a
// goal of Nav2 must lie: p itself if its cell is free. If no cell is free, it is the place
// of the region nearest to p.
func (g *ground) allowed(p orb.Point) orb.Point {
	var inside orb.Point
	g.region.Project(inside[:], p[:])
	if q, ok := g.raster().Nearest(inside); ok {
		return q
	}
	return inside
}

// publishKeepout publishes the cells that are not entirely in the region as occupied, for a
// static layer of Nav2's costmap.
func (v *view) publishKeepout() {
	v.keepoutDue = v.out.keepout.Matched() == 0 && v.unheard()
	if v.keepoutDue {
		return
	}
	cells := v.ground.raster()
	m := nav_msgs.OccupancyGrid{Header: v.header()}
	m.Info.MapLoadTime = m.Header.Stamp
	convert.Keepout(&m, cells)
	sent(v.warn, v.out.keepout.Publish(&m))
	log := v.node.Logger()
	if free, whole := cells.Area(), v.ground.region.Area(); free < leastKeepoutShare*whole {
		log.Warn("much of the field is occupied in ~/keepout, because a cell is free only if all of it keeps field.margin: set a smaller keepout.cell",
			"cell_m", cells.Cell, "free_m2", free, "field_m2", whole)
	}
}
