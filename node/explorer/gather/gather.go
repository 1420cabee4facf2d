// Package gather begins and ends the observations of a mission as its mode wants, and notices that none come.
package gather

import (
	"cmp"
	"fmt"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// Gatherer makes observations of readings. Use it only from its node's executor.
type Gatherer struct {
	node   *ros.Node
	sense  *sense.Sense
	limit  float64       // time without an observation after which a target is given up, s
	stops  *sense.Stops  // nil in a mode with pieces
	pieces *sense.Pieces // nil in one without
	mode   mission.Mode
	heard  int64 // when a reading was taken up last, or the robot set out, ns
}

// New returns a gatherer of observations for a mode. It calls seen with each reading that belongs to an observation, and
// done with the observation.
func New(node *ros.Node, cfg *settings.Config, s *sense.Sense, mode mission.Mode, seen, done func(localization.Observation)) *Gatherer {
	g := &Gatherer{node: node, sense: s, limit: cfg.Mission.SampleTimeout, mode: mode}
	if !mode.Pieces {
		g.stops = s.Stops(seen, done)
		s.Gatherer = g.stops
		return g
	}
	g.pieces = s.Pieces(func(m localization.Observation) {
		g.heard = node.Now()
		seen(m)
	}, done)
	g.pieces.Ended = !mode.Suggests
	s.Gatherer = g.pieces
	return g
}

// Begin begins the sample of a stop.
func (g *Gatherer) Begin() { g.stops.Begin(g.node.Now()) }

// Cancel gives up the sample of a stop.
func (g *Gatherer) Cancel() {
	if g.stops != nil {
		g.stops.Cancel()
	}
}

// Moved takes up that the robot has driven so many metres.
func (g *Gatherer) Moved(metres float64) {
	if g.pieces != nil {
		g.pieces.Moved(g.sense.Pose().Stamp, g.sense.Speed(), metres)
	}
}

// Resume takes up how far the robot had driven in an earlier run.
func (g *Gatherer) Resume(metres float64) { g.pieces.Odometer = metres }

// Entered takes up a new state of a mission that sends the robot. While it is interrupted nothing is observed: anybody may
// move the robot then.
func (g *Gatherer) Entered(s mission.State) {
	switch {
	case g.pieces == nil:
	case s.Active():
		g.heard = g.node.Now()
		g.pieces.Ended = false
	case !g.pieces.Ended:
		g.End()
	}
}

// End makes an observation of the readings since the last one.
func (g *Gatherer) End() {
	g.pieces.Cut()
	g.pieces.Ended = true
}

// ClockChanged is called after the clock was set.
func (g *Gatherer) ClockChanged() { g.sense.Gatherer.ClockChanged(g.node.Now()) }

// LacksSample says what is wrong with the readings of a stop that has lasted almost as long as it may, "" for nothing. The
// sample is cancelled then.
func (g *Gatherer) LacksSample(s mission.Status) string {
	if g.stops == nil || s.State != mission.StateSampling || time.Duration(s.PhaseTime) < ros.Duration(g.limit-1) {
		return ""
	}
	why := g.sense.WhyNoReading()
	if why == "" {
		return ""
	}
	g.stops.Cancel()
	return fmt.Sprintf("none within %g s, %s", g.limit, why)
}

// LacksPieces says why no piece of path has been observed for too long on the way to a target, "" if one has.
func (g *Gatherer) LacksPieces(s mission.State) string {
	now := g.node.Now()
	if g.pieces == nil || s != mission.StateTravelling || now-g.heard <= int64(ros.Duration(g.limit)) {
		return ""
	}
	g.heard = now
	why := cmp.Or(g.sense.WhyNoReading(), "a probe that reads only while the robot stands needs sample.stop true")
	return fmt.Sprintf("no reading within %g s of driving; %s", g.limit, why)
}
