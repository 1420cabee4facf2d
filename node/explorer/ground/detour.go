// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// leftOut is a disc that is left out until a stamp, ns.
type leftOut struct {
	acquire.Disc
	until    int64
	byPerson bool
}

// shift moves the times until which places are avoided, after the clock was shifted by a number of ns.
func shift(list []leftOut, by int64) {
	for i := range list {
		list[i].until += by
	}
}

// still returns what is left out beyond a stamp, ns.
func still(list []leftOut, now int64) []leftOut {
	return slices.DeleteFunc(list, func(v leftOut) bool { return v.until <= now })
}

// detours are the places where the robot was stuck. Paths lead around them for a while, as
// around keep-outs, and keep more than the region's margin from edges while the position is
// uncertain, where that is possible.
type detours struct {
	field  field.Field
	least  float64 // m, margin of the whole region
	margin float64 // m, that paths keep now, ≥ least
	discs  []leftOut
	region *field.Region // without the discs, with the margin; nil: that is the whole region, or leaves no room
	near   *field.Region // without the discs, with the least margin; nil: as above
}

const (
	// mostDoublings bounds how much larger than the robot a disc gets.
	mostDoublings = 3
	// discCorners is the number of corners of the polygon around a disc.
	discCorners = 12
)

// keep sets the margin of paths, m.
func (d *detours) keep(margin float64) {
	if margin != d.margin {
		d.margin = margin
		d.build()
	}
}

func (d *detours) build() {
	d.region, d.near = nil, nil
	around := field.Field{Boundary: d.field.Boundary, KeepOuts: slices.Clone(d.field.KeepOuts)}
	for _, v := range d.discs {
		ring := make(orb.Ring, 0, discCorners+1)
		for i := range discCorners {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / discCorners)
			ring = append(ring, orb.Point{v.Centre[0] + v.Radius*cos, v.Centre[1] + v.Radius*sin})
		}
		around.KeepOuts = append(around.KeepOuts, orb.Polygon{append(ring, ring[0])})
	}
	// An error says that the discs, or these and the margin, leave no room.
	if len(d.discs) > 0 {
		d.near, _ = field.NewRegion(around, d.least)
	}
	if d.margin > d.least {
		d.region, _ = field.NewRegion(around, d.margin)
	}
}

// path returns the shortest path around the discs that keeps the margin. Where there is none, or where the ways between
// the ends and places that keep the margin are longer than all of the way with the least margin, it is that way.
func (d *detours) path(whole *field.Region, from, to orb.Point) ([]orb.Point, error) {
	if d.region == nil {
		path, _, err := d.close(whole, from, to)
		return path, err
	}
	path, _, none := d.region.Path(from, to)
	outside := d.outside(path)
	if none == nil && outside == 0 {
		return path, nil
	}
	near, length, err := d.close(whole, from, to)
	if none != nil || err == nil && length <= outside {
		return near, err
	}
	return path, nil
}

// close returns the shortest path with the least margin, around the discs if there is one, and its length, m.
func (d *detours) close(whole *field.Region, from, to orb.Point) (path []orb.Point, length float64, err error) {
	if d.near != nil {
		if path, length, err = d.near.Path(from, to); err == nil {
			return path, length, nil
		}
	}
	return whole.Path(from, to)
}

// outside returns how much of a path does not keep the margin, m.
func (d *detours) outside(path []orb.Point) (length float64) {
	for i := 1; i < len(path); i++ {
		if m := middle(path[i-1], path[i]); !d.region.Contains(m[:]) {
			length += planar.Distance(path[i-1], path[i])
		}
	}
	return length
}
