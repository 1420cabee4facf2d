// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
)

// Slack returns how much room a Gaussian place with the mean p and the covariance cov (m²) has
// within the free side of the field, m:
//
//	min over the edges of |q - p| - sigmas·√(uᵀ·cov·u)
//
// with q the point of the edge nearest to p and u the unit vector from p to q. So only the
// spread towards an edge counts: for a straight edge it is exact that the place lies beyond it
// with the probability Φ(-sigmas) where the slack is 0. A robot that drives along an edge or
// towards it knows its place in one direction better than in the other; the largest axis of
// the ellipse alone would stop it where the ellipse does not reach the edge.
//
// If p is not free, the slack is the signed distance less sigmas times the largest standard
// deviation. It grows along a way to free space, as [Region.SignedDistance] does.
func (w *walls) Slack(p orb.Point, cov localization.Covariance, sigmas float64) float64 {
	major, _, _ := cov.Axes()
	most := sigmas * major
	if d := w.SignedDistance(p); d <= 0 {
		return d - most
	}
	slack := math.Inf(1)
	for i := range w.outlines {
		for j := range w.outlines[i].rings {
			ring := &w.outlines[i].rings[j]
			if math.Sqrt(ring.boxDistance2(p[0], p[1]))-most >= slack {
				continue
			}
			for k := range ring.edges {
				x, y := ring.edges[k].from(p[0], p[1])
				d2 := x*x + y*y
				if d := math.Sqrt(d2); d-most < slack {
					spread := x*x*cov.XX + 2*x*y*cov.XY + y*y*cov.YY
					slack = min(slack, d-sigmas*math.Sqrt(max(0, spread/d2)))
				}
			}
		}
	}
	return slack
}

// from returns the vector from (x, y) to the nearest point of e.
func (e *edge) from(x, y float64) (dx, dy float64) {
	px, py := e.ax-x, e.ay-y
	t := min(max(-(px*e.dx+py*e.dy)*e.inv, 0), 1)
	return px + t*e.dx, py + t*e.dy
}
