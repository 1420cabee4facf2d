// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
)

// farthestStart is how far outside the field a mission may start, m: at its gate. A robot that is farther away, or whose field is elsewhere
// than its owner believes, would drive there across other people's land.
const farthestStart = 50.0

// guardSettles is the time after which the guard knows how far a robot has to drive with its receiver until its heading is known.
const guardSettles = 17 * time.Second

// Far returns why a mission does not start from a place that is far outside the field and outside its configured home, or with a home that
// is so far away that it is probably wrong, or "".
func Far(c *settings.Config, g *ground.Ground, at orb.Point) string {
	region := g.Region()
	home := c.HomeOr(orb.Point(region.Centre())) // without one, a place inside
	away := max(0, -region.SignedDistance(home))
	beyond := farthestStart + away
	out := -region.SignedDistance(at)
	bound := g.Outline().Boundary.Bound()
	length := max(farthestStart, bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1])
	switch {
	case away > length && planar.Distance(at, home) > farthestStart:
		return fmt.Sprintf("home is (%g, %g) m, %s outside the field, and the robot is not there: correct home, which is in metres of the map, or start there; "+
			"a home that is farther from the field than the field is long, %s, is probably in other coordinates", home[0], home[1], show.Metres(away), show.Metres(length))
	case out <= beyond:
		return ""
	}
	return fmt.Sprintf("the robot is at %s, %s outside the field, and a mission starts at most %s outside: check field.file and field.datum, or drive the robot closer by hand",
		show.PlaceText(c, at), show.Metres(out), show.Metres(beyond))
}

// Cramped returns why a mission does not start from a place, or "" if there is room: the field may be too narrow, see Narrow, or the guard
// would stop the robot.
func (g *Edge) Cramped(at orb.Point, stdDev float64) string {
	if why := Narrow(g.cfg, g.ground, at, stdDev); why != "" {
		return why
	}
	if reach := Reaches(g.ground, g.guard); reach.Refused {
		return reach.Text()
	}
	return g.guard.Helpless()
}

// Narrow returns why the field has no room for a mission from a place, or "" if it has. The place may be far away, or the mission could not
// finish if the position stayed as uncertain as it is, because the robot would wait for ever.
func Narrow(c *settings.Config, g *ground.Ground, at orb.Point, stdDev float64) string {
	if why := Far(c, g, at); why != "" {
		return why
	}
	if tight, ok := g.Tight(c.HomeOr(at), moreCertain*stdDev); ok && c.Field.Sigmas > 0 {
		return crampedText(c, &tight, stdDev)
	}
	return ""
}

func crampedText(c *settings.Config, t *ground.Tight, stdDev float64) string {
	where, remedy := "the field is at most %.1f m wide between its edges and keep-outs, at %s", "use a better receiver, or set robot.radius if the robot is smaller"
	if t.OnWay {
		where, remedy = "the passage from home into the field is only %.1f m wide at %s", "start in a wider part of the field, or "+remedy
	}
	return fmt.Sprintf(where+", and %.1f m are needed: twice %.2g m for the robot and %.3g standard deviations of its position, each %.2g m; %s",
		math.Floor(20*t.Distance)/10, show.PlaceText(c, t.At), math.Ceil(20*(t.Body+t.Spread))/10, t.Body, moreCertain*c.Field.Sigmas, stdDev, remedy)
}

// Lacks returns what a mission that starts by itself is waiting for, or "" if it may start: the first position, before more fixes have
// come, can be too uncertain for the field.
func (g *Edge) Lacks() string { return g.cramped }

// Refusal returns the same once waiting does not help, and "" before.
func (g *Edge) Refusal(now int64, stdDev float64) string {
	if g.cramped == "" || g.helps(now, stdDev) || now-g.since < int64(guardSettles) {
		return ""
	}
	return g.cramped
}

// Roomy reports whether a mission that starts by itself may do so now, from a place. news says what it is waiting for, when the wait
// begins.
func (g *Edge) Roomy(now int64, home orb.Point, stdDev float64) (roomy bool, news string) {
	if g.cramped != "" && now < g.next {
		return false, ""
	}
	before := g.cramped
	if g.cramped = g.Cramped(home, stdDev); g.cramped == "" {
		return true, ""
	}
	g.next = now + int64(askPath)
	if before != "" {
		return false, ""
	}
	g.since, g.stdDev = now, stdDev
	return false, g.cramped
}
