// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/localization"
	"ugp_explorer/planner/field/localizability"
)

const (
	// insetStep is the step by which the distance of targets and paths from edges follows the uncertainty, as a share of the distance. Each
	// step needs a new region.
	insetStep = 0.1
	// mostInset bounds that distance, as a share of the room between the margin and the
	// place farthest from all edges: a poor position must not leave the robot nowhere to go.
	mostInset = 0.5
	// inwards is the least share of a way by which it must lead away from edges to lead
	// inwards.
	inwards = 0.25
	// outStep is the distance between the places at which a way out is examined, and tolerated
	// the room that it may lose on the way, m.
	outStep, tolerated = 0.25, 0.1
	// homeRoom is a factor on the room that a position needs near home: the robot halts with room
	// to brake, and drives on with more than it needs.
	homeRoom = 1.5
)

// body returns the part of the margin that the robot's body takes, m.
func (c *Config) body() float64 { return min(c.Radius, c.Region.Margin()) }

// need returns how far a target must be from edges and keep-outs, m, for a standard deviation of the position, m, and the robot's body. A
// robot that Nav2 drives must also probably stand in a free cell, because Nav2 plans the next path from there.
func (c *Config) need(stdDev float64) float64 {
	least := c.body()
	if c.Nav2 {
		least = c.Region.Margin() + c.Cell
	}
	return least + c.Sigmas*stdDev
}

// Expect keeps targets and paths as far from edges and keep-outs as a standard deviation of the position, m, requires, if that is more than
// the margin.
func (g *Ground) Expect(stdDev float64) {
	margin := g.cfg.Region.Margin()
	room := g.cfg.Region.SignedDistance(orb.Point(g.cfg.Region.Centre())) - margin
	g.inset = margin
	if need := min(g.cfg.need(stdDev), margin+mostInset*room); need > margin {
		g.inset = need
		steps := math.Ceil(math.Log(need/max(margin, insetStep)) / math.Log1p(insetStep))
		need = min(max(margin, insetStep)*math.Pow(1+insetStep, steps), margin+mostInset*room)
		g.detours.keep(max(need, margin))
		return
	}
	g.detours.keep(margin)
}

// Inset returns the present least distance of targets from edges and keep-outs, m, and whether it exceeds the margin.
func (g *Ground) Inset() (distance float64, more bool) {
	return g.inset, g.inset > g.cfg.Region.Margin()
}

// ahead is the number of places of a straight way at which its room is looked up.
const ahead = 8

// Certain returns a test for targets: the expected position there, and on the straight way from a place to it, must be certain enough that
// the robot need not wait before an edge. Use it only on the goroutine that uses the expectation.
func (g *Ground) Certain(from orb.Point, expected *localizability.Expectation) func(x []float64) bool {
	region, margin, body := g.cfg.Region, g.cfg.Region.Margin(), g.cfg.body()
	most := margin + mostInset*(region.SignedDistance(orb.Point(region.Centre()))-margin)
	fits := func(p orb.Point, need float64) bool {
		return need <= margin || region.SignedDistance(p) >= min(need, most)
	}
	stdDev := func(p orb.Point) float64 { return math.Sqrt(expected.Variance(p[:])) }
	return func(x []float64) bool {
		if to := orb.Point(x); !fits(to, g.cfg.need(stdDev(to))) { // first: it is refused most often
			return false
		}
		for i := 1; i < ahead; i++ {
			share := float64(i) / ahead
			p := orb.Point{from[0] + share*(x[0]-from[0]), from[1] + share*(x[1]-from[1])}
			if !fits(p, body+g.cfg.Sigmas*stdDev(p)) && region.SignedDistance(p) >= margin {
				return false
			}
		}
		return true
	}
}

// Room is the room between an uncertain position and the edges and keep-outs.
type Room struct {
	Distance float64 // from the position to the nearest of them, m
	Spread   float64 // Sigmas × the standard deviation towards the edge that the robot may have reached, m
	Body     float64 // of the robot, m
}

// Shortfall returns by how much the robot's body and the spread exceed the distance, m; it is at most 0 if they do not.
func (r Room) Shortfall() float64 { return r.Body + r.Spread - r.Distance }

// certain is the largest spread of a position, m, and certainShare the largest as a share of the robot's body, for which waiting for a more
// certain position is useless.
const certain, certainShare = 0.1, 0.25

// Fits reports whether a robot may drive there: there is room for body and spread, or the robot's position is known well, even close to an
// edge.
func (r Room) Fits() bool { return r.Shortfall() <= 0 || r.known() }

// known reports whether the explorer knows where the robot is.
func (r Room) known() bool { return r.Spread <= max(certain, certainShare*r.Body) }

// Room returns the room of a pose whose standard deviations are multiplied by a factor.
func (g *Ground) Room(p *localization.Pose, factor float64) Room {
	at, cov := orb.Point{p.X, p.Y}, p.PositionCovariance()
	d := g.cfg.Region.SignedDistance(at)
	return Room{Distance: d, Spread: d - g.cfg.Region.Slack(at, cov, factor*g.cfg.Sigmas), Body: g.cfg.body()}
}

// Roomy reports whether the robot fits at a pose and everywhere within way, m, of it, with standard deviations multiplied by a factor. It
// rarely needs the distance to edges, which changes by at most 1 per metre.
func (g *Ground) Roomy(p *localization.Pose, factor, way float64) bool {
	at := orb.Point{p.X, p.Y}
	major, _, _ := p.PositionCovariance().Axes()
	return g.within(at, g.cfg.body()+factor*g.cfg.Sigmas*major+way)
}

// rounding is more than the rounding of a distance, m.
const rounding = 1e-6

// within reports whether a place has more than a distance, m, to all edges.
func (g *Ground) within(at orb.Point, distance float64) bool {
	if g.seen.distance-planar.Distance(at, g.seen.at) > distance+rounding {
		return true
	}
	g.seen.at, g.seen.distance = at, g.cfg.Region.SignedDistance(at)
	return g.seen.distance > distance+rounding
}

// Inwards reports whether a robot that drives straight from a pose to a place has more room there: it may then drive, however little room
// it has.
func (g *Ground) Inwards(p *localization.Pose, to orb.Point) bool {
	at, cov := orb.Point{p.X, p.Y}, p.PositionCovariance()
	way := math.Hypot(to[0]-at[0], to[1]-at[1])
	r := g.cfg.Region
	return way > 0 && r.Slack(to, cov, g.cfg.Sigmas) > r.Slack(at, cov, g.cfg.Sigmas)+inwards*way
}

// WayOut reports whether a path from a pose leads to a place with enough room, and never through a place with clearly less room than now:
// for example, out of a lane.
func (g *Ground) WayOut(p *localization.Pose, path []orb.Point) bool {
	at, cov := orb.Point{p.X, p.Y}, p.PositionCovariance()
	r := g.cfg.Region
	least := r.Slack(at, cov, g.cfg.Sigmas) - tolerated
	for _, to := range path {
		way := math.Hypot(to[0]-at[0], to[1]-at[1])
		for n, i := int(math.Ceil(way/outStep)), 1; i <= n; i++ {
			share := float64(i) / float64(n)
			slack := r.Slack(orb.Point{at[0] + share*(to[0]-at[0]), at[1] + share*(to[1]-at[1])}, cov, g.cfg.Sigmas)
			if slack >= g.cfg.body() {
				return true
			}
			if slack < least {
				return false
			}
		}
		at = to
	}
	return false
}

// AtHome reports whether a robot at a pose is close enough to home, and its position certain enough, to come as close to an edge as home
// is.
func (g *Ground) AtHome(p *localization.Pose) bool {
	major, _, _ := p.PositionCovariance().Axes()
	return g.near(orb.Point{p.X, p.Y}, g.home) && g.cfg.Sigmas*major <= g.cfg.Region.Margin()+g.cfg.HomeTolerance
}

// MayBeHome reports whether home is in the 2σ ellipse of a pose.
func (g *Ground) MayBeHome(p *localization.Pose) bool {
	return p.At(localization.Lever{}).Inside(g.home)
}

// near reports whether a place is so close to a home that the robot may come as close to an edge there as at home.
func (g *Ground) near(at, home orb.Point) bool {
	least := g.cfg.Region.Margin() + g.cfg.HomeTolerance
	return math.Hypot(at[0]-home[0], at[1]-home[1]) <= homeRoom*(least+g.cfg.body())-g.cfg.Region.SignedDistance(home)
}
