// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// Tight is a place that is too narrow for a robot with an uncertain position.
type Tight struct {
	At    orb.Point // m
	Room            // at that place
	OnWay bool      // the place is on the way from home into the region; otherwise no place of the field is wider
}

// swing is a factor on the robot's body for the follower's deviation from its path in curves. The region's margin includes it, too.
const swing = 1.5

// Tight returns the place where a mission from home and back would wait for ever if the standard deviation of its position were never below
// stdDev, m; ok is false if there is none. It is the widest place of the field, or a place on the way from home to the places that keep the
// margin.
func (g *Ground) Tight(home orb.Point, stdDev float64) (tight Tight, ok bool) {
	region := g.cfg.Region
	tight = Tight{At: orb.Point(region.Centre()), Room: Room{Spread: g.cfg.Sigmas * stdDev, Body: g.cfg.body()}}
	if tight.Distance = region.SignedDistance(tight.At); !tight.Fits() {
		return tight, true
	}
	if region.Contains(home[:]) {
		return tight, false
	}
	if tight.known() {
		return tight, false
	}
	on := Tight{Room: Room{Spread: tight.Spread, Body: swing * tight.Body}, OnWay: true}
	wayIn(region, home, func(p orb.Point) {
		on.At, on.Distance = p, region.SignedDistance(p)
		if on.Shortfall() > 0 && !g.near(p, home) && (!ok || on.Distance < tight.Distance) {
			tight, ok = on, true
		}
	})
	return tight, ok
}

// wayIn calls look with the places of the way from one outside a region to the region.
func wayIn(region *field.Region, from orb.Point, look func(orb.Point)) {
	path, _, err := region.Path(from, orb.Point(region.Centre()))
	if err != nil { // the centre is in another part
		var nearest orb.Point
		region.Project(nearest[:], from[:])
		if path, _, err = region.Path(from, nearest); err != nil {
			return
		}
	}
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		n := math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1]) / outStep)
		for k := 1.0; k <= n; k++ {
			p := orb.Point{a[0] + k/n*(b[0]-a[0]), a[1] + k/n*(b[1]-a[1])}
			if region.Contains(p[:]) {
				return
			}
			look(p)
		}
	}
}
