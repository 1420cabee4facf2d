// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/resample"
)

// Narrow is where a way through a field is too narrow for the margin on both sides.
type Narrow struct {
	At    orb.Point // m
	Width float64   // m, between the edges; 0: there is no way, and At is in the part that is closed off
}

// Narrows returns why a region is in parts: a narrow place on the way from its centre to each of the other parts.
func (r *Region) Narrows() (list []Narrow) {
	if r.Parts() == 1 {
		return nil
	}
	paths := r.NewDistanceField() // from the centre
	for left := r.tips; ; paths.From(left[0][:]) {
		left = slices.DeleteFunc(slices.Clone(left), func(p orb.Point) bool { return !math.IsInf(paths.Length(p[:]), 1) })
		if len(left) == 0 {
			return list
		}
		list = append(list, r.narrowest(left[0]))
	}
}

// narrowest returns the narrowest place on the way from the centre that keeps the most margin.
func (r *Region) narrowest(to orb.Point) Narrow {
	for wider := r.wider(); wider != nil; wider = wider.wider() {
		path, _, err := wider.Path(r.pole, to)
		if err != nil {
			continue
		}
		const places = 1000
		way := resample.Resample(path, planar.Distance, places)
		n := Narrow{Width: math.Inf(1)}
		for i := 1; i < len(way); i++ {
			if at, room := r.across(way[i-1], way[i], r.margin); 2*room < n.Width {
				n = Narrow{at, 2 * room}
			}
		}
		return n
	}
	return Narrow{At: to}
}

// across returns the place farthest from the edges beside a step of a way, at most so far away from it, and its distance from them, m.
func (w *walls) across(from, to orb.Point, most float64) (best orb.Point, room float64) {
	room = math.Inf(-1)
	l := dist(from, to)
	for _, side := range []float64{-1, 1} {
		for t := 0.0; t <= 1; t += 1.0 / 16 {
			off := side * t * most / l
			at := orb.Point{to[0] - off*(to[1]-from[1]), to[1] + off*(to[0]-from[0])}
			d := w.SignedDistance(at)
			if d > room {
				best, room = at, d
			}
			if d <= 0 {
				break // an edge is between
			}
		}
	}
	return best, room
}
