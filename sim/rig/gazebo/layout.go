package gazebo

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/planner/field"
)

// Datum is the origin of the frame map in the worlds.
var Datum = field.Datum{Lon: 8.5, Lat: 52}

// Box is an upright cuboid that stands in the field.
type Box struct {
	Name                  string
	X, Y, Yaw             float64 // centre, m, and heading of the length, rad
	Length, Width, Height float64 // m
}

// Footprint returns the corners of the box on the ground, closed and counter-clockwise.
func (b Box) Footprint() orb.Ring {
	s, c := math.Sincos(b.Yaw)
	var ring orb.Ring
	for _, k := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		along, across := k[0]*b.Length/2, k[1]*b.Width/2
		ring = append(ring, orb.Point{b.X + c*along - s*across, b.Y + s*along + c*across})
	}
	return ring
}

// Tree is a trunk with a crown.
type Tree struct {
	X, Y          float64 // m
	Trunk, Height float64 // radius and height of the trunk, m
	Crown         float64 // radius of the crown, m
}

// Layout is what stands in the worlds.
type Layout struct {
	Outline orb.Ring // of the field, closed
	Boxes   []Box    // the shed and the two parts of the hedge
	Wood    orb.Ring // closed; all trunks are at least trunkDistance inside
	Trees   []Tree
	Shadow  orb.Ring // about the wood, where position fixes are poor
}

// trunkDistance is how far inside the edge of the wood the trunks are, m.
const trunkDistance = 1.5

// NewLayout returns the layout of the worlds.
func NewLayout() Layout {
	l := Layout{
		Outline: closed(orb.Point{-142, -138}, orb.Point{-20, -146}, orb.Point{120, -128}, orb.Point{146, -30}, orb.Point{130, 66},
			orb.Point{145, 128}, orb.Point{40, 146}, orb.Point{-60, 132}, orb.Point{-138, 142}, orb.Point{-147, 20}),
		Boxes: []Box{
			{Name: "shed", X: 62, Y: 48, Yaw: 0.4, Length: 14, Width: 9, Height: 4.5},
			{Name: "hedge_west", X: -45, Y: -40, Yaw: 0.6, Length: 56, Width: 1.8, Height: 1.9},
			{Name: "hedge_east", X: -7, Y: -33, Yaw: -0.6, Length: 30, Width: 1.8, Height: 1.9},
		},
		Wood: closed(orb.Point{-100, 57}, orb.Point{-78, 50}, orb.Point{-58, 62}, orb.Point{-54, 84}, orb.Point{-70, 100},
			orb.Point{-94, 98}, orb.Point{-106, 78}),
	}
	centre, _ := planar.CentroidArea(l.Wood)
	for _, p := range l.Wood {
		l.Shadow = append(l.Shadow, orb.Point{math.Round(centre[0] + 1.8*(p[0]-centre[0])), math.Round(centre[1] + 1.8*(p[1]-centre[1]))})
	}
	l.Trees = plant(l.Wood)
	return l
}

// Field returns the layout as the explorer sees it: nobody drives through boxes or the wood.
func (l Layout) Field() field.Field {
	f := field.Field{Boundary: orb.Polygon{l.Outline}}
	for _, b := range l.Boxes {
		f.KeepOuts = append(f.KeepOuts, orb.Polygon{b.Footprint()})
	}
	f.KeepOuts = append(f.KeepOuts, orb.Polygon{l.Wood})
	return f
}

// plant returns trees at random places within the edge of a wood.
func plant(edge orb.Ring) (trees []Tree) {
	const spacing = 4.0 // smallest distance of two trunks, m
	rng := rand.New(rand.NewPCG(52, 8))
	bound := edge.Bound()
	for range 2000 {
		tree := Tree{
			X:     centimetres(bound.Left() + rng.Float64()*(bound.Right()-bound.Left())),
			Y:     centimetres(bound.Bottom() + rng.Float64()*(bound.Top()-bound.Bottom())),
			Trunk: centimetres(0.18 + 0.17*rng.Float64()), Height: centimetres(4 + 3*rng.Float64()), Crown: centimetres(2 + 1.2*rng.Float64()),
		}
		at := orb.Point{tree.X, tree.Y}
		if !planar.RingContains(edge, at) || planar.DistanceFrom(orb.LineString(edge), at) < trunkDistance+tree.Trunk {
			continue
		}
		free := true
		for _, other := range trees {
			free = free && math.Hypot(other.X-tree.X, other.Y-tree.Y) >= spacing
		}
		if free {
			trees = append(trees, tree)
		}
	}
	return trees
}

func centimetres(v float64) float64 { return math.Round(100*v) / 100 }

func closed(points ...orb.Point) orb.Ring { return append(orb.Ring(points), points[0]) }
