// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package gather begins and ends the observations of a mission according to its mode, and detects that none come.
package gather

import (
	"cmp"
	"fmt"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// Gatherer makes observations from readings. Use it only from its node's executor.
type Gatherer struct {
	Readings  sense.Gatherer  // of the sought quantity
	Secondary sense.Gatherer  // of the second sensor; nil: there is none
	Also      []*sense.Beside // of the other quantities of the samples

	node   *ros.Node
	limit  float64         // time without an observation after which a target is given up, s
	stops  *sense.Stops    // nil in a mode with pieces
	pieces *sense.Pieces   // nil in one without
	all    []*sense.Pieces // with those of the second sensor, in every mode
	heard  int64           // when the last reading was used, or the robot set out, ns
}

// New returns a gatherer for a mode. It calls seen with each reading of an observation, observed with each observation and the values of the
// other quantities there, in their order (nil for those not measured), and second with each value of the second sensor.
func New(node *ros.Node, cfg *settings.Config, rules *sense.Config, mode mission.Mode,
	seen func(localization.Observation), observed func(localization.Observation, []*record.Value), second func(localization.Observation)) *Gatherer {
	g := &Gatherer{node: node, limit: cfg.Mission.SampleTimeout}
	done := func(o localization.Observation) { observed(o, g.values()) }
	var beside func(*sense.Readings) *sense.Beside
	if mode.Pieces {
		g.pieces = sense.NewPieces(&rules.Reading, func(m localization.Observation) {
			g.heard = node.Now()
			seen(m)
		}, done)
		g.Readings, g.all, beside = g.pieces, append(g.all, g.pieces), g.pieces.Beside
	} else {
		g.stops = sense.NewStops(&rules.Reading, seen, done)
		g.Readings, beside = g.stops, g.stops.Beside
	}
	if rules.Secondary != nil {
		pieces := sense.NewPieces(rules.Secondary, func(localization.Observation) {}, second)
		g.Secondary, g.all = pieces, append(g.all, pieces)
	}
	for i := range rules.Also {
		g.Also = append(g.Also, beside(&rules.Also[i]))
	}
	if mode.Suggests {
		g.begin()
	}
	return g
}

// begin gathers readings wherever the robot goes.
func (g *Gatherer) begin() {
	for _, p := range g.all {
		p.Begin()
	}
}

// Begin begins the sample of a stop.
func (g *Gatherer) Begin() { g.stops.Begin(g.node.Now()) }

// values returns the values of the other quantities at the stop that has just ended.
func (g *Gatherer) values() (values []*record.Value) {
	for _, other := range g.Also {
		var value *record.Value
		if o, ok := other.Value(); ok {
			value = &record.Value{Value: o.Value, Variance: o.Variance, Readings: o.Readings}
		}
		values = append(values, value)
	}
	return values
}

// Cancel gives up the sample of a stop.
func (g *Gatherer) Cancel() {
	if g.stops != nil {
		g.stops.Cancel()
	}
}

// Moved is called when the robot has driven a number of metres to a new pose.
func (g *Gatherer) Moved(stamp int64, speed, metres float64) {
	for _, p := range g.all {
		p.Moved(stamp, speed, metres)
	}
}

// Entered is called with each new state of a mission that sends the robot. While the mission is interrupted nothing is observed, since
// anybody may move the robot.
func (g *Gatherer) Entered(s mission.State) {
	if !s.Active() {
		g.End()
		return
	}
	g.heard = g.node.Now()
	g.begin()
}

// End makes an observation from the readings since the last one.
func (g *Gatherer) End() {
	for _, p := range g.all {
		p.End()
	}
}

// ClockChanged is called after the clock was set.
func (g *Gatherer) ClockChanged() {
	g.Readings.ClockChanged(g.node.Now())
	if g.Secondary != nil {
		g.Secondary.ClockChanged(g.node.Now())
	}
}

// LacksSample says what is wrong with the readings of a stop that has lasted almost as long as it may, and cancels the sample; "" if
// nothing is wrong. silent says what is wrong with the topic of readings.
func (g *Gatherer) LacksSample(s mission.Status, silent func() string) string {
	if g.stops == nil || s.State != mission.StateSampling || time.Duration(s.PhaseTime) < ros.Duration(g.limit-1) {
		return ""
	}
	why := silent()
	if why == "" {
		return ""
	}
	g.stops.Cancel()
	return fmt.Sprintf("none within %g s, %s; if a sample takes longer, set budget.sample_time", g.limit, why)
}

// LacksPieces says why no piece of path has been observed for too long on the way to a target; "" if one has. See LacksSample.
func (g *Gatherer) LacksPieces(s mission.State, silent func() string) string {
	now := g.node.Now()
	if g.pieces == nil || s != mission.StateTravelling || now-g.heard <= int64(ros.Duration(g.limit)) {
		return ""
	}
	g.heard = now
	why := cmp.Or(silent(), "a probe that measures only while the robot stands needs sample.stop true")
	return fmt.Sprintf("no reading within %g s of driving; %s", g.limit, why)
}
