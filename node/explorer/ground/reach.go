// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
)

// reachPlaces is the number of places from which the distribution of the distance to edges is computed.
const reachPlaces = 2000

// insets returns the distances from edges of places spread over the region, m, in ascending order.
func (g *Ground) insets() []float64 {
	if g.depths == nil {
		places := g.cfg.Region.Points(reachPlaces, rand.New(rand.NewPCG(1, 1)))
		for i := range reachPlaces {
			g.depths = append(g.depths, g.cfg.Region.SignedDistance(orb.Point(places.RawRowView(i))))
		}
		slices.Sort(g.depths)
	}
	return g.depths
}

// Share returns the share of the region that is at least inset inside the field, m.
func (g *Ground) Share(inset float64) float64 {
	all := g.insets()
	first, _ := slices.BinarySearch(all, inset)
	return 1 - float64(first)/float64(len(all))
}

// Deepest returns how far inside the field, m, the innermost share of the region is at least.
func (g *Ground) Deepest(share float64) float64 {
	all := g.insets()
	return all[int((1-share)*float64(len(all)-1))]
}
