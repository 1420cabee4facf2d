package ground

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// detours are the places where the robot was stuck. Paths lead around them for a while, as
// around keep-outs, and keep more than the region's margin from edges while the position is
// uncertain, where that is possible.
type detours struct {
	field  field.Field
	least  float64 // m, margin of the whole region
	margin float64 // m, that paths keep now, ≥ least
	discs  []detour
	region *field.Region // without the discs, with the margin; nil: that is the whole region, or leaves no room
}

type detour struct {
	centre orb.Point
	disc   orb.Polygon
	until  int64 // ns
}

// mostDoublings bounds how much larger than the robot a disc gets.
const mostDoublings = 3

// ahead returns the disc in front of a robot of a radius, m, that is stuck. It has the size of
// the robot, and twice that for each disc close by: then the obstacle is larger.
func (d *detours) ahead(x, y, yaw, robot float64) (centre orb.Point, radius float64) {
	near := 0
	for _, v := range d.discs {
		if math.Hypot(v.centre[0]-x, v.centre[1]-y) < 10*robot {
			near++
		}
	}
	radius = robot * float64(int(1)<<min(near, mostDoublings))
	sin, cos := math.Sincos(yaw)
	return orb.Point{x + (robot+radius)*cos, y + (robot+radius)*sin}, radius
}

// discCorners is the number of corners of the polygon around a disc.
const discCorners = 12

// add leaves out a disc, with a centre and a radius in m, until a stamp in ns.
func (d *detours) add(centre orb.Point, radius float64, until int64) {
	ring := make(orb.Ring, 0, discCorners+1)
	for i := range discCorners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / discCorners)
		ring = append(ring, orb.Point{centre[0] + radius*cos, centre[1] + radius*sin})
	}
	d.discs = append(d.discs, detour{centre, orb.Polygon{append(ring, ring[0])}, until})
	d.build()
}

// expire forgets the discs whose time is over.
func (d *detours) expire(now int64) {
	before := len(d.discs)
	if d.discs = slices.DeleteFunc(d.discs, func(v detour) bool { return v.until <= now }); len(d.discs) < before {
		d.build()
	}
}

// shift moves the ends of the discs' times after the clock was set.
func (d *detours) shift(by int64) {
	for i := range d.discs {
		if v := &d.discs[i]; v.until != math.MaxInt64 {
			v.until += by
		}
	}
}

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
		around.KeepOuts = append(around.KeepOuts, v.disc)
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
