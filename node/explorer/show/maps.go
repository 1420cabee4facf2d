// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"errors"
	"fmt"
	"slices"
	"sync"

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
	"ugp_explorer/planner/surface"
)

// Mapping computes the maps of the field. It does not access the node, so it can run concurrently with the callbacks. With some hundred
// samples it takes seconds.
type Mapping struct {
	cells   *cells
	rasters []record.Layer
	beta    float64
	merit   acquire.Merit
	fit     func(samples []gp.Observation) ([]fit.Weighted, error)

	Record   record.Mission // record that is mapped; its other quantities get their models with the maps
	Mixture  fit.Mixture    // nil before the first sample: there are then no maps of the field
	QueryCov *mat.SymDense  // Σ̂
	Beside   export.Beside  // other quantities, once there are maps, and rasters

	once     sync.Once
	maps     *record.Maps // in model units
	err      error
	unmapped error // why other quantities have no maps
}

// newMapping returns a mapping of a snapshot.
func (v *Show) newMapping(s *Snapshot) *Mapping {
	m := &Mapping{
		cells: v.cells, rasters: v.rasters,
		beta: s.Known.Beta, merit: v.cfg.Objective.Merit(v.cfg.Level()), fit: v.mission.Fit,
		Record: s.Record, Mixture: s.Known.Mixture, QueryCov: s.QueryCov,
		Beside: export.Beside{Secondary: s.Known.Secondary, Rasters: v.beside.Rasters},
	}
	m.Record.Also = slices.Clone(m.Record.Also)
	return m
}

// Mapping returns a mapping of a snapshot: the newest one, which may already have run, if it has the same data.
func (v *Show) Mapping(s *Snapshot) *Mapping {
	if m := v.newest; m == nil || !slices.Equal(m.Mixture, s.Known.Mixture) || m.beta != s.Known.Beta || m.Beside.Secondary != s.Known.Secondary {
		v.newest = v.newMapping(s)
	}
	return v.newest
}

// Busy reports whether maps are being computed.
func (v *Show) Busy() bool { return v.mapping }

// Maps computes and publishes the mean and the standard deviation over the field in the user's units. The topics are latched: if other
// nodes may subscribe later, the maps are published even without subscribers; otherwise they are computed when someone subscribes. If other
// maps are being computed, these are computed afterwards.
func (v *Show) Maps() {
	o := &v.out
	unheard := o.mean.Matched()+o.stddev.Matched()+o.acquisition.Matched()+o.cloud.Matched() == 0 && v.unheard()
	v.mapsDue = unheard || v.mapping
	if v.mapsDue {
		return
	}
	m := v.newMapping(v.mission.Now())
	v.newest, v.mapping = m, true
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

// Maps returns the maps, with the true field if it is known. It computes them if necessary.
func (m *Mapping) Maps(truth *surface.GridField) (maps record.Maps, err error) {
	if m.run(); m.err != nil {
		return maps, m.err
	}
	maps = *m.maps
	if truth != nil {
		maps.Truth = m.cells.truth(truth)
	}
	return maps, nil
}

// run computes all maps at the centres of the map's cells, NaN outside the field. Running again does nothing.
func (m *Mapping) run() { m.once.Do(func() { m.maps, m.err = m.compute() }) }

func (m *Mapping) compute() (*record.Maps, error) {
	m.learnAlso()
	others := m.Beside
	others.Rasters = nil // their layers do not change
	layers, err := m.cells.layers(&others, &m.Record)
	if err != nil {
		return nil, err
	}
	maps := &record.Maps{Grid: m.cells.Grid, Layers: append(layers, m.rasters...)}
	if len(m.Mixture) == 0 {
		return maps, nil
	}
	surface, err := export.Posterior(m.Mixture, m.QueryCov)
	if err != nil {
		return nil, err
	}
	mean, stdDev := surface(m.cells.at)
	bound := make([]float64, len(mean))
	for i := range bound {
		worth, _ := m.merit(mean[i])
		bound[i] = worth + m.beta*stdDev[i]
	}
	maps.Mean, maps.StdDev, maps.Acquisition = m.cells.layer(mean), m.cells.layer(stdDev), m.cells.layer(bound)
	return maps, nil
}

// learnAlso learns the other quantities. If one cannot be learnt, only its own map is missing.
func (m *Mapping) learnAlso() {
	for k := range m.Record.Also {
		q, samples := &m.Record.Also[k], m.Record.AlsoSamples(k)
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
