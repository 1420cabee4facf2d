// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	// maxExtent is the largest width or height of the boundary of a field file, m: as far as a file in degrees may reach to both sides of the
	// datum.
	maxExtent = 60_000
	// minExtent is the smallest length of a field of a file, m: no robot explores less.
	minExtent = 0.5
	// maxBeside is the largest distance of a keep-out or a zone of localisation from the boundary, m. The pond and the
	// wood beside a field are often in its file. What is farther away changes nothing for the robot: it belongs to
	// another field, or its coordinates are wrong, and then the robot would not be kept from it.
	maxBeside = 100
)

// thin says how corners that a robot cannot notice are left out.
const thin = "simplify the outline: ogr2ogr -simplify 1 for a file in metres, -simplify 0.00001 for one in degrees"

// checkSize returns an error if the field has too many corners.
func (f *Field) checkSize() error {
	corners, rings := f.corners()
	if corners > maxCorners {
		return fmt.Errorf("%w: the field has %d corners in %d rings, at most %d are allowed: %s", errPolygon, corners, rings, maxCorners, thin)
	}
	return nil
}

// corners returns the number of corners and of rings.
func (f *Field) corners() (corners, rings int) {
	for _, p := range f.polygons() {
		rings += len(p)
		for _, ring := range p {
			corners += len(ring)
			if n := len(ring); n > 1 && ring[0] == ring[n-1] {
				corners--
			}
		}
	}
	return corners, rings
}

// checkReach returns an error if a corner is farther from the origin, or the field larger, than can
// be meant.
func (f *Field) checkReach() error {
	b := f.Boundary.Bound()
	if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; max(w, h) > maxExtent {
		return fmt.Errorf("%w: the boundary measures %.6g by %.6g m, at most %d m are allowed: its coordinates may be millimetres or centimetres: convert them to metres", errGeoJSON, w, h, maxExtent)
	} else if max(w, h) < minExtent {
		return fmt.Errorf("%w: the boundary measures %.3g by %.3g m, want at least %g m: its coordinates may be kilometres, or degrees and minutes, as 5215.3 is for 52° 15.3': convert them to metres or degrees",
			errGeoJSON, w, h, minExtent)
	}
	return f.each(func(p *orb.Point) error {
		if reach := max(math.Abs(p[0]), math.Abs(p[1])); reach > maxReach {
			return fmt.Errorf("%w: a corner is at (%g, %g) m, want coordinates from -%g to %g m", errGeoJSON, p[0], p[1], float64(maxReach), float64(maxReach))
		}
		return nil
	})
}

// checkBeside returns an error that names all holes, keep-outs and zones of localisation that are too far outside the boundary.
func (f *Field) checkBeside() error {
	var errs []error
	check := func(name string, p orb.Polygon) {
		if d, err := f.apart(p); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s: %w", errGeoJSON, name, err))
		} else if d > maxBeside {
			errs = append(errs, fmt.Errorf("%w: %s of the file lies %.0f m outside the boundary, at most %d m are allowed: it has no effect on this field; correct its coordinates, or delete it if it belongs to another field",
				errGeoJSON, name, d, maxBeside))
		}
	}
	for i, hole := range f.Boundary[1:] {
		check(fmt.Sprintf("hole %d of the boundary", i+1), orb.Polygon{hole})
	}
	for i, k := range f.KeepOuts {
		check(f.KeepOut(i), k)
	}
	for i, z := range f.Localization {
		check(fmt.Sprintf("zone of localisation %d", i+1), z.Polygon)
	}
	return errors.Join(errs...)
}

// forgetFar leaves out keep-outs and zones that belong to other fields of the file.
func (f *Field) forgetFar() {
	far := func(p orb.Polygon) bool {
		d, err := f.apart(p)
		return err == nil && d > maxBeside
	}
	var keepOuts []orb.Polygon
	var names []string
	for i, k := range f.KeepOuts {
		if !far(k) {
			keepOuts, names = append(keepOuts, k), append(names, f.nameOf(i))
		}
	}
	f.KeepOuts, f.KeepOutNames = keepOuts, names
	f.Localization = slices.DeleteFunc(f.Localization, func(z LocalizationZone) bool { return far(z.Polygon) })
}

// Outside returns the number of keep-outs no part of which is within the boundary.
func (f *Field) Outside() (n int) {
	for _, k := range f.KeepOuts {
		if d, err := f.apart(k); err == nil && d > 0 {
			n++
		}
	}
	return n
}

// apart returns the distance between the outer rings of the boundary and of p, m; 0 if they have a point in common.
func (f *Field) apart(p orb.Polygon) (float64, error) {
	var rings [2]ring
	for i, points := range []orb.Ring{f.Boundary[0], p[0]} {
		distinct, err := ringPoints("outer ring", points)
		if err != nil {
			return 0, err
		}
		rings[i].edges = edgesOf(distinct)
	}
	least := math.Inf(1)
	for i := range rings {
		own, other := rings[i].edges, rings[1-i]
		for j := range own {
			var inside bool
			if least, inside = other.nearest(own[j].ax, own[j].ay, least); inside {
				return 0, nil
			}
			for k := range other.edges {
				if i == 0 && touch(&own[j], &other.edges[k]) {
					return 0, nil
				}
			}
		}
	}
	return math.Sqrt(least), nil
}
