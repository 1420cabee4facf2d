package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// hull is the convex hull of places that are added one by one.
type hull struct{ points []orb.Point }

// mostPoints is the number of stored places at which those inside the hull are dropped.
const mostPoints = 4096

func (h *hull) add(x, y float64) {
	if h.points = append(h.points, orb.Point{x, y}); len(h.points) == mostPoints {
		h.points = convex(h.points)
	}
}

// convex returns the corners of the convex hull, counter-clockwise, by Andrew's
// monotone chain (Information Processing Letters 9, 1979). points are sorted.
func convex(points []orb.Point) []orb.Point {
	slices.SortFunc(points, func(a, b orb.Point) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	var corners []orb.Point
	chain := func(p orb.Point, least int) {
		for n := len(corners); n >= least+2 && cross(corners[n-2], corners[n-1], p) <= 0; n = len(corners) {
			corners = corners[:n-1]
		}
		corners = append(corners, p)
	}
	for _, p := range points {
		chain(p, 0)
	}
	lower := len(corners) - 1
	for _, p := range slices.Backward(points[:len(points)-1]) {
		chain(p, lower)
	}
	return corners[:len(corners)-1]
}

func cross(a, b, c orb.Point) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// extent returns the longer side of the box around the hull, m.
func (h *hull) extent() float64 {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range h.points {
		for i := range p {
			lo[i], hi[i] = min(lo[i], p[i]), max(hi[i], p[i])
		}
	}
	return max(hi[0]-lo[0], hi[1]-lo[1])
}

// field returns the hull extended by a margin around it, m, with rounded corners. The hull
// must have at least one place.
func (h *hull) field(around float64) field.Field {
	const corners = 16 // corners per circle; its chords are at most 2 % inside
	var wide []orb.Point
	for _, p := range convex(h.points) {
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
			wide = append(wide, orb.Point{p[0] + around*cos, p[1] + around*sin})
		}
	}
	ring := orb.Ring(convex(wide))
	return field.Field{Boundary: orb.Polygon{append(ring, ring[0])}}
}
