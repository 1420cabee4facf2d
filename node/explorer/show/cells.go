// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"math"
	"slices"

	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// mostCells bounds the maps: the largest cloud has 32 MB.
const mostCells = 1_000_000

// cells are the cells of the maps. They never change.
type cells struct {
	record.Grid
	inside []int          // indices of those whose centres lie in the region
	at     []record.Place // these centres, m
}

// newCells returns the cells that cover a region and its margin.
func newCells(region *field.Region, cell float64) (*cells, error) {
	lo, hi := region.Bounds()
	margin := region.Margin()
	c := &cells{Grid: record.Grid{
		X: math.Floor((lo[0]-margin)/cell) * cell, Y: math.Floor((lo[1]-margin)/cell) * cell, Cell: cell,
	}}
	nx, ny := math.Ceil((hi[0]+margin-c.X)/cell), math.Ceil((hi[1]+margin-c.Y)/cell)
	if nx*ny > mostCells {
		return nil, fmt.Errorf("explorer: the cells of the maps measure %g m: there would be %.3g cells, at most %d are allowed", cell, nx*ny, mostCells)
	}
	c.NX, c.NY = int(nx), int(ny)
	for k := range c.NX * c.NY {
		if p := c.Centre(k%c.NX, k/c.NX); region.SignedDistance(p) >= 0 {
			c.inside, c.at = append(c.inside, k), append(c.at, p)
		}
	}
	return c, nil
}

// layer returns a map with these values in the region, and NaN outside.
func (c *cells) layer(values []float64) []float64 {
	all := slices.Repeat([]float64{math.NaN()}, c.NX*c.NY)
	for i, k := range c.inside {
		all[k] = values[i]
	}
	return all
}

// layers returns the maps of rasters and of quantities other than the sought one.
func (c *cells) layers(b *export.Beside, m *record.Mission) ([]record.Layer, error) {
	list, err := b.Layers(m, c.at)
	for i := range list {
		list[i].Values = c.layer(list[i].Values)
	}
	return list, err
}

// truth returns the map of the true field.
func (c *cells) truth(field *surface.GridField) []float64 {
	values := make([]float64, len(c.at))
	for i, p := range c.at {
		values[i] = field.Smooth(p[0], p[1])
	}
	return c.layer(values)
}
