package ground

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// leftOut is a disc that is left out until a stamp, ns; math.MaxInt64: for good.
type leftOut struct {
	acquire.Disc
	until int64
}

// shift moves the times until which places are avoided, after the clock was shifted by a number of ns.
func shift(list []leftOut, by int64) {
	for i := range list {
		if v := &list[i]; v.until != math.MaxInt64 {
			v.until += by
		}
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
	d.region = nil
	if len(d.discs) == 0 && d.margin == d.least {
		return
	}
	around := field.Field{Boundary: d.field.Boundary, KeepOuts: slices.Clone(d.field.KeepOuts)}
	for _, v := range d.discs {
		ring := make(orb.Ring, 0, discCorners+1)
		for i := range discCorners {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / discCorners)
			ring = append(ring, orb.Point{v.Centre[0] + v.Radius*cos, v.Centre[1] + v.Radius*sin})
		}
		around.KeepOuts = append(around.KeepOuts, orb.Polygon{append(ring, ring[0])})
	}
	region, err := field.NewRegion(around, d.margin)
	if err != nil && len(d.discs) > 0 && d.margin > d.least { // at least the discs
		region, err = field.NewRegion(around, d.least)
	}
	if err == nil { // otherwise the discs cannot be avoided
		d.region = region
	}
}

// path returns the shortest path around the discs that keeps the margin, or the shortest path
// of the whole region where there is none.
func (d *detours) path(whole *field.Region, from, to orb.Point) ([]orb.Point, error) {
	if d.region != nil {
		path, _, err := d.region.Path(from, to)
		if err == nil {
			return path, nil
		}
	}
	path, _, err := whole.Path(from, to)
	return path, err
}
