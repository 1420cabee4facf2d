package field

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// Limits of a field. They bound the time and memory of [NewRegion], which grow with the square of
// the corners, and keep lengths and areas within what can be computed.
const (
	// maxCorners is the largest number of corners of the boundary, its holes, the keep-outs
	// and the zones of localisation together.
	maxCorners = 2000
	// maxReach is the largest coordinate of a field file, m: UTM's have up to 10⁷ m.
	maxReach = 1e8
	// maxExtent is the largest width or height of the boundary of a field file, m.
	maxExtent = 1_000_000
)

// simplify says how corners that a robot cannot notice are left out. 0.1 m are 0.000001 degrees.
func simplify(degrees bool) string {
	tolerance := "0.1"
	if degrees {
		tolerance = "0.000001"
	}
	return "simplify the outline and leave out what the robot cannot notice, for example with ogr2ogr -simplify " + tolerance
}

// checkSize returns an error if the field has too many corners.
func (f *Field) checkSize(degrees bool) error {
	corners, rings := 0, 0
	for _, p := range f.polygons() {
		rings += len(p)
		for _, ring := range p {
			corners += len(ring)
			if n := len(ring); n > 1 && ring[0] == ring[n-1] {
				corners--
			}
		}
	}
	if corners > maxCorners {
		return fmt.Errorf("%w: the field has %d corners in %d rings, at most %d are allowed: %s", errPolygon, corners, rings, maxCorners, simplify(degrees))
	}
	return nil
}

// checkReach returns an error if a corner is farther from the origin, or the field larger, than can
// be meant.
func (f *Field) checkReach() error {
	b := f.Boundary.Bound()
	if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; max(w, h) > maxExtent {
		return fmt.Errorf("%w: the boundary measures %.6g by %.6g m, at most %d m are allowed: are its coordinates metres?", errGeoJSON, w, h, maxExtent)
	}
	return f.each(func(p *orb.Point) error {
		if reach := max(math.Abs(p[0]), math.Abs(p[1])); reach > maxReach {
			return fmt.Errorf("%w: a corner is at (%g, %g) m, want coordinates from -%g to %g m", errGeoJSON, p[0], p[1], float64(maxReach), float64(maxReach))
		}
		return nil
	})
}
