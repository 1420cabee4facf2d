// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// mostCells bounds the maps: the largest cloud has 32 MB.
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

// Mapping computes the maps of what is known of the field. It does not access the node, so it can run
// concurrently with the callbacks. With some hundred samples it takes seconds.
type Mapping struct {
	region  *field.Region
	grid    record.Grid
	rasters []record.Layer
	beta    float64
	merit   acquire.Merit
	fit     func(samples []gp.Observation) ([]fit.Weighted, error)

	Record   record.Mission // that is mapped; its other quantities have the models of their maps once there are maps
	Mixture  fit.Mixture    // nil before the first sample; then there are no maps of the field
	QueryCov *mat.SymDense  // Σ̂
	Beside   export.Beside  // what is known of other quantities once there are maps, and of rasters

	maps     *record.Maps // in model units
	err      error
	unmapped error // why other quantities have no maps
}

// newMapping returns a mapping of what a snapshot knows.
func (v *Show) newMapping(s *Snapshot) *Mapping {
	m := &Mapping{
		region: v.ground.Region(), grid: v.grid, rasters: v.rasters,
		beta: s.Known.Beta, merit: v.cfg.Objective.Merit(v.cfg.Level()), fit: v.mission.Fit,
		Record: s.Record, Mixture: s.Known.Mixture, QueryCov: s.QueryCov,
		Beside: export.Beside{Secondary: s.Known.Secondary, Rasters: v.beside.Rasters},
	}
	m.Record.Also = slices.Clone(m.Record.Also)
	return m
}

// Mapping returns a mapping of what a snapshot knows: the newest one, which has run already, if it is of that.
func (v *Show) Mapping(s *Snapshot) *Mapping {
	if m := v.maps; m != nil && slices.Equal(m.Mixture, s.Known.Mixture) && m.beta == s.Known.Beta && m.Beside.Secondary == s.Known.Secondary {
		return m
	}
	return v.newMapping(s)
}

// Busy reports whether maps are being computed.
func (v *Show) Busy() bool { return v.mapping }

// Maps computes and publishes the mean and the standard deviation over the field in the user's units. The topics
// are latched: if other nodes may subscribe later, the maps are published even without subscribers; otherwise they
// are computed when someone subscribes. While others are being computed, they are computed after those.
func (v *Show) Maps() {
	o := &v.out
	unheard := o.mean.Matched()+o.stddev.Matched()+o.acquisition.Matched()+o.cloud.Matched() == 0 && v.unheard()
	v.mapsDue = unheard || v.mapping
	if v.mapsDue {
		return
	}
	m := v.newMapping(v.mission.Now())
	v.mapping = true
	v.node.Async(m.run, func() {
		v.mapping = false
		if m.unmapped != nil {
			v.warn.Error("there is no map of another quantity", "error", m.unmapped.Error())
		}
		if m.err != nil {
			v.warn.Error("the maps cannot be computed", "error", m.err.Error())
		} else {
			v.maps = m
			v.sendMaps(m.maps)
		}
		if v.mapsDue {
			v.Maps()
		}
		v.mission.Mapped()
	})
}

func (v *Show) sendMaps(maps *record.Maps) {
	o := &v.out
	transform := record.Transform(v.cfg.Reading.Transform)
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
		m := nav_msgs.OccupancyGrid{Header: v.header()}
		m.Info.MapLoadTime = m.Header.Stamp
		lo, hi := painter.Extent(layer.values)
		convert.OccupancyGrid(&m, grid, layer.values, lo, hi)
		v.warn.Unsent(layer.pub.Publish(&m))
	}
	cloud := sensor_msgs.PointCloud2{Header: v.header()}
	convert.Cloud(&cloud, grid, convert.Column{Name: "mean", Values: mean}, convert.Column{Name: "stddev", Values: stddev})
	v.warn.Unsent(o.cloud.Publish(&cloud))
}

// Maps returns the maps, with the true field if it is known. It computes them unless that is done.
func (m *Mapping) Maps(truth *surface.GridField) (maps record.Maps, err error) {
	if m.run(); m.err != nil {
		return maps, m.err
	}
	maps = *m.maps
	if truth != nil {
		maps.Truth = truthLayer(truth, m.grid, m.region)
	}
	return maps, nil
}

// run computes all maps at the centres of the map's cells, NaN outside the field. Running again does nothing.
func (m *Mapping) run() {
	if m.maps == nil && m.err == nil {
		m.maps, m.err = m.compute()
	}
}

func (m *Mapping) compute() (*record.Maps, error) {
	cells, at := cellsInside(m.grid, m.region)
	m.learnAlso()
	others := m.Beside
	others.Rasters = nil // their layers do not change
	layers, err := others.Layers(&m.Record, at)
	if err != nil {
		return nil, err
	}
	maps := &record.Maps{Grid: m.grid, Layers: append(spread(m.grid, cells, layers), m.rasters...)}
	if len(m.Mixture) == 0 {
		return maps, nil
	}
	surface, err := export.Posterior(m.Mixture, m.QueryCov)
	if err != nil {
		return nil, err
	}
	mean, stdDev := surface(at)
	maps.Mean, maps.StdDev, maps.Acquisition = onGrid(m.grid, cells, mean), onGrid(m.grid, cells, stdDev), newLayer(m.grid)
	for i, k := range cells {
		worth, _ := m.merit(mean[i])
		maps.Acquisition[k] = worth + m.beta*stdDev[i]
	}
	return maps, nil
}

// learnAlso learns the other quantities. One that cannot be learnt costs only its own map.
func (m *Mapping) learnAlso() {
	for k := range m.Record.Also {
		q, samples := &m.Record.Also[k], record.AlsoSamples(m.Record.Observations, k)
		q.Models = nil
		hypers, err := m.fit(samples)
		for _, h := range hypers {
			q.Models = append(q.Models, record.Model{Weight: h.Weight, Hyper: record.HyperOf(h.Hyper)})
		}
		var known fit.Mixture
		if err == nil {
			known, err = export.Mixture(q.Models, samples, nil, nil)
		}
		if err != nil {
			q.Models, m.unmapped = nil, errors.Join(m.unmapped, fmt.Errorf("%s: %w", q.Quantity, err))
		}
		m.Beside.Also = append(m.Beside.Also, known)
	}
}

// cellsInside returns the indices of the cells whose centres lie in the region, and these
// centres, m.
func cellsInside(g record.Grid, region *field.Region) (cells []int, at []record.Place) {
	for k := range g.NX * g.NY {
		if c := g.Centre(k%g.NX, k/g.NX); region.SignedDistance(c) >= 0 {
			cells, at = append(cells, k), append(at, c)
		}
	}
	return cells, at
}

// newLayer returns a layer with NaN in every cell.
func newLayer(g record.Grid) []float64 {
	return slices.Repeat([]float64{math.NaN()}, g.NX*g.NY)
}

// onGrid returns a layer with the values of some cells, and NaN in all others.
func onGrid(g record.Grid, cells []int, values []float64) []float64 {
	layer := newLayer(g)
	for i, k := range cells {
		layer[k] = values[i]
	}
	return layer
}

// spread gives layers of the values of some cells those of all, as onGrid does, and returns them.
func spread(g record.Grid, cells []int, layers []record.Layer) []record.Layer {
	for i := range layers {
		layers[i].Values = onGrid(g, cells, layers[i].Values)
	}
	return layers
}

// leastKeepoutShare is the share of the region's area that must remain free in ~/keepout;
// below it the log advises a smaller cell.
const leastKeepoutShare = 0.9

// publishKeepout publishes the cells that are not entirely in the region as occupied, apart from a
// band beside the free ones, for a static layer of Nav2's costmap.
func (v *Show) publishKeepout() {
	v.keepoutDue = v.out.keepout.Matched() == 0 && v.unheard()
	if v.keepoutDue {
		return
	}
	cells := v.ground.Cells()
	m := nav_msgs.OccupancyGrid{Header: v.header()}
	m.Info.MapLoadTime = m.Header.Stamp
	convert.Keepout(&m, cells)
	v.warn.Unsent(v.out.keepout.Publish(&m))
	log := v.node.Logger()
	if free, whole := cells.Area(), v.ground.Region().Area(); free < leastKeepoutShare*whole {
		log.Warn("much of the field is occupied in ~/keepout, because a cell is free only if all of it keeps field.margin: set a smaller keepout.cell",
			"cell_m", cells.Cell, "free_m2", free, "field_m2", whole)
	}
}

// truthLayer returns the true field at the cells' centres; NaN outside the region.
func truthLayer(field *surface.GridField, g record.Grid, region *field.Region) []float64 {
	cells, at := cellsInside(g, region)
	values := make([]float64, len(cells))
	for i, p := range at {
		values[i] = field.Smooth(p[0], p[1])
	}
	return onGrid(g, cells, values)
}
