// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/acquire"
)

// Skip excludes places within radius m of a target until a stamp, ns. byPerson: Readmit does not end it.
func (g *Ground) Skip(target orb.Point, radius float64, until int64, byPerson bool) {
	g.skipped = append(g.skipped, leftOut{Disc: acquire.Disc{Centre: target[:], Radius: radius}, until: until, byPerson: byPerson})
}

// Readmit ends the exclusions around targets, and reports whether there were any.
func (g *Ground) Readmit() bool {
	before := len(g.skipped)
	g.skipped = slices.DeleteFunc(g.skipped, func(v leftOut) bool { return !v.byPerson })
	return len(g.skipped) < before
}

// Obstructed makes paths lead around the place in front of a stuck robot until a stamp, ns, where possible. It returns the excluded disc,
// m: its size is that of the robot, doubled for each disc close by, because the obstacle is then larger.
func (g *Ground) Obstructed(at orb.Point, yaw float64, until int64) (centre orb.Point, radius float64) {
	robot, near := g.cfg.Radius, 0
	for _, v := range g.detours.discs {
		if math.Hypot(v.Centre[0]-at[0], v.Centre[1]-at[1]) < 10*robot {
			near++
		}
	}
	radius = robot * float64(int(1)<<min(near, mostDoublings))
	sin, cos := math.Sincos(yaw)
	centre = orb.Point{at[0] + (robot+radius)*cos, at[1] + (robot+radius)*sin}
	g.Avoid(centre, radius, until)
	return centre, radius
}

// Avoid makes paths lead around a disc, m, until a stamp in ns, where that is possible.
func (g *Ground) Avoid(centre orb.Point, radius float64, until int64) {
	d := &g.detours
	d.discs = append(d.discs, leftOut{Disc: acquire.Disc{Centre: centre[:], Radius: radius}, until: until})
	d.build()
}

// Skipped forgets exclusions that have ended by now, a stamp in ns. It returns the discs around targets that are still excluded.
func (g *Ground) Skipped(now int64) []acquire.Disc {
	d, before := &g.detours, len(g.detours.discs)
	if d.discs = still(d.discs, now); len(d.discs) < before {
		d.build()
	}
	g.skipped = still(g.skipped, now)
	discs := make([]acquire.Disc, len(g.skipped))
	for i, v := range g.skipped {
		discs[i] = v.Disc
	}
	return discs
}

// Shift moves the ends of all exclusions after the clock was shifted by a number of ns.
func (g *Ground) Shift(by int64) {
	shift(g.detours.discs, by)
	shift(g.skipped, by)
}
