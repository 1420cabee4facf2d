// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/planner/field"
)

const (
	// leastReach is the least share of the field that a guard must let the robot reach for a mission to start.
	leastReach = 0.1
	// nearlyAll is the share of the field above which the reach is not worth reporting.
	nearlyAll = 0.9
)

// Reach is the part of a field that a guard leaves, given the position fixes. The zero value means that no guard has stated its need.
type Reach struct {
	StdDev    float64 // largest standard deviation that the fixes have stated lately, m
	Allowance float64 // of the guard, m
	Inset     float64 // how far inside the field a place must be to be sampled, m, rounded up: it varies a little from fix to fix
	Share     float64 // of the field within its margin that is so far inside
	Refused   bool    // too little can be reached even with usual errors of the fixes: no mission starts
	Least     float64 // least allowance with which a mission starts, m, if it is refused
	Enough    float64 // allowance with which targets may be anywhere, m

	area float64 // of the field within its margin, m²
}

// Reaches returns the part of a field that a guard leaves now.
func Reaches(g *ground.Ground, of *drive.Guard) Reach {
	stdDev, allowance := of.Fixes()
	if !(stdDev > 0) {
		return Reach{}
	}
	region, usual, always := g.Region(), of.Needs(), of.NeedsAlways()
	r := Reach{StdDev: stdDev, Allowance: allowance, Share: 1, area: region.Area()}
	r.Enough = max(0, math.Ceil(allowance+always-region.Margin()))
	if r.Inset = math.Ceil(max(usual, guarded(region, always))); r.Inset > region.Margin() {
		r.Share = g.Share(r.Inset)
	}
	if least := g.Deepest(leastReach); usual > max(region.Margin(), least) {
		r.Refused, r.Least = true, math.Ceil(allowance+usual-least)
	}
	return r
}

// Text says this to a person; "" if no guard has stated its need.
func (r *Reach) Text() string {
	part := fmt.Sprintf("%.0f %% of it (%s of %s)", math.Floor(100*r.Share), show.Area(r.Share*r.area, r.area), show.Area(r.area, r.area))
	with := fmt.Sprintf("the receiver states up to %s m, and with an allowance of %.1f m ", num.Short(r.StdDev, 2), r.Allowance)
	switch {
	case r.StdDev == 0:
		return ""
	case r.Refused:
		return with + fmt.Sprintf("the guard lets the robot reach, and leave again, only places %.0f m inside the field, which are %s: "+
			"raise allowance of the guard to %.0f m, or to %.0f m for all of the field, or use a better receiver, corrections for it (RTK) or a larger field", r.Inset, part, r.Least, r.Enough)
	case r.Share < 1:
		return with + fmt.Sprintf("only places %.0f m inside the field are sampled, which are %s; with an allowance of %.0f m, all of it can be sampled", r.Inset, part, r.Enough)
	}
	return with + "all of the field can be sampled"
}

// News is the same, or "" if nearly all of the field can be sampled.
func (r *Reach) News() string {
	if r.Share >= nearlyAll {
		return ""
	}
	return r.Text()
}

// guarded returns how far inside the region a target must be, m, for a guard with a need, m, to let the robot go there and back; 0 if all
// places are far enough inside. If no place is, targets stay near the middle of the field.
func guarded(region *field.Region, needs float64) float64 {
	if !(needs > region.Margin()) {
		return 0
	}
	return min(needs, (region.Margin()+region.SignedDistance(orb.Point(region.Centre())))/2)
}
