package explorer

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/fit"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// mostCells bounds the maps: a cloud of so many points has 32 MB.
const mostCells = 1_000_000

// newMapGrid returns the cells that cover a region and its margin.
func newMapGrid(region *field.Region, cell float64) (record.Grid, error) {
	lo, hi := region.Bounds()
	margin := region.Margin()
	g := record.Grid{
		X: math.Floor((lo[0]-margin)/cell) * cell, Y: math.Floor((lo[1]-margin)/cell) * cell, Cell: cell,
	}
	nx, ny := math.Ceil((hi[0]+margin-g.X)/cell), math.Ceil((hi[1]+margin-g.Y)/cell)
	if nx*ny > mostCells {
		return g, fmt.Errorf("explorer: the cells of the maps measure %g m: there would be %.3g cells, at most %d are allowed", cell, nx*ny, mostCells)
	}
	g.NX, g.NY = int(nx), int(ny)
	return g, nil
}

// mapping computes the maps of what is known of the field. It does not access the node, so it can run
// concurrently with the callbacks. With some hundred samples it takes seconds.
type mapping struct {
	// inputs
	region   *field.Region
	grid     record.Grid
	rasters  []record.Raster
	mixture  fit.Mixture   // nil before the first sample; then there are no maps
	queryCov *mat.SymDense // Σ̂
	beta     float64
	merit    acquire.Merit

	// results
	maps *record.Maps // in model units
	err  error
}

// newMapping returns a mapping of what is known now.
func (e *Explorer) newMapping() *mapping {
	o := e.optimizer
	return &mapping{
		region: e.ground.Region(), grid: e.view.grid, rasters: e.view.rasters,
		mixture: o.Learnt().Mixture, queryCov: o.QueryCov(),
		beta: o.Learnt().Beta, merit: e.cfg.Objective.Merit(e.cfg.Level()),
	}
}

// publishMaps computes and publishes the mean and the standard deviation over the field in the user's units. The
// topics are latched: if other nodes may subscribe later, the maps are published even
// without subscribers; otherwise they are computed when someone subscribes.
func (e *Explorer) publishMaps() {
	o := &e.view.out
	unheard := o.mean.Matched()+o.stddev.Matched()+o.acquisition.Matched()+o.cloud.Matched() == 0 && e.unheard()
	e.view.mapsDue = unheard || e.view.mapping
	if e.view.mapsDue {
		return
	}
	m := e.newMapping()
	e.view.mapping = true
	e.node.Async(m.run, func() { e.publishMapping(m) })
}

// publishMapping publishes the result of a mapping and starts the next one if new samples
// have come meanwhile.
func (e *Explorer) publishMapping(m *mapping) {
	e.view.mapping = false
	if m.err != nil {
		e.view.warn.Error("the maps cannot be computed", "error", m.err.Error())
	} else {
		e.view.maps = m
		e.sendMaps(m.maps)
	}
	if e.view.mapsDue {
		e.publishMaps()
	}
	if e.finished && !e.working && !e.memory.saved { // it waited for the maps
		e.save()
	}
}

func (e *Explorer) sendMaps(maps *record.Maps) {
	o := &e.view.out
	transform := e.memory.record.Transform
	mean, stddev := make([]float64, len(maps.Mean)), make([]float64, len(maps.Mean))
	for i, m := range maps.Mean {
		mean[i], stddev[i] = transform.Inverse(m), transform.Spread(m, maps.StdDev[i])
	}
	grid := surface.Grid{
		X0: maps.Grid.X + maps.Grid.Cell/2, Y0: maps.Grid.Y + maps.Grid.Cell/2,
		DX: maps.Grid.Cell, DY: maps.Grid.Cell, NX: maps.Grid.NX, NY: maps.Grid.NY,
	}
	for _, layer := range []struct {
		pub    *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
		values []float64
	}{{o.mean, mean}, {o.stddev, stddev}, {o.acquisition, maps.Acquisition}} {
		m := nav_msgs.OccupancyGrid{Header: e.header()}
		m.Info.MapLoadTime = m.Header.Stamp
		lo, hi := painter.Extent(layer.values)
		convert.OccupancyGrid(&m, grid, layer.values, lo, hi)
		sent(e.view.warn, layer.pub.Publish(&m))
	}
	cloud := sensor_msgs.PointCloud2{Header: e.header()}
	convert.Cloud(&cloud, grid, convert.Column{Name: "mean", Values: mean}, convert.Column{Name: "stddev", Values: stddev})
	sent(e.view.warn, o.cloud.Publish(&cloud))
}

// run computes mean and standard deviation at the centres of the map's cells, NaN outside the field.
// Running again does nothing.
func (m *mapping) run() {
	if m.maps != nil || m.err != nil {
		return
	}
	maps := &record.Maps{Grid: m.grid, Rasters: m.rasters}
	if len(m.mixture) == 0 {
		m.maps = maps
		return
	}
	predictor, err := m.mixture.NewPredictor(m.queryCov)
	if err != nil {
		m.err = err
		return
	}
	cells, at := cellsInside(m.grid, m.region)
	mean, variance := make([]float64, len(cells)), make([]float64, len(cells))
	if len(cells) > 0 {
		predictor.PredictBatch(mean, variance, mat.NewDense(len(cells), 2, at))
	}
	maps.Mean, maps.StdDev, maps.Acquisition = newLayer(m.grid), newLayer(m.grid), newLayer(m.grid)
	for i, k := range cells {
		maps.Mean[k], maps.StdDev[k] = mean[i], math.Sqrt(variance[i])
		worth, _ := m.merit(maps.Mean[k])
		maps.Acquisition[k] = worth + m.beta*maps.StdDev[k]
	}
	m.maps = maps
}

// cellsInside returns the indices of the cells whose centres lie in the region, and these
// centres as x, y pairs in sequence, m.
func cellsInside(g record.Grid, region *field.Region) (cells []int, at []float64) {
	for k := range g.NX * g.NY {
		if c := g.Centre(k%g.NX, k/g.NX); region.SignedDistance(c) >= 0 {
			cells, at = append(cells, k), append(at, c[0], c[1])
		}
	}
	return cells, at
}

// newLayer returns a layer with NaN in every cell.
func newLayer(g record.Grid) []float64 {
	values := make([]float64, g.NX*g.NY)
	for k := range values {
		values[k] = math.NaN()
	}
	return values
}

// leastKeepoutShare is the share of the region's area that must remain free in ~/keepout;
// below it the log advises a smaller cell.
const leastKeepoutShare = 0.9

// publishKeepout publishes the cells that are not entirely in the region as occupied, apart from a
// band beside the free ones, for a static layer of Nav2's costmap.
func (e *Explorer) publishKeepout() {
	e.view.keepoutDue = e.view.out.keepout.Matched() == 0 && e.unheard()
	if e.view.keepoutDue {
		return
	}
	cells := e.ground.Cells()
	m := nav_msgs.OccupancyGrid{Header: e.header()}
	m.Info.MapLoadTime = m.Header.Stamp
	convert.Keepout(&m, cells)
	sent(e.view.warn, e.view.out.keepout.Publish(&m))
	log := e.node.Logger()
	if free, whole := cells.Area(), e.ground.Region().Area(); free < leastKeepoutShare*whole {
		log.Warn("much of the field is occupied in ~/keepout, because a cell is free only if all of it keeps field.margin: set a smaller keepout.cell",
			"cell_m", cells.Cell, "free_m2", free, "field_m2", whole)
	}
}
