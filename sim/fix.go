// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
)

// Shadow is an area in which position fixes are worse or missing, such as beside a wood.
type Shadow struct {
	Area    orb.Polygon // m
	Factor  float64     // on the white error, or on the whole one of a Receiver or Trace, ≥ 1; the covariance states it
	Missing bool        // whether there are no fixes at all
}

// FixConfig describes a position receiver, such as GNSS, that measures the position of
// the robot's base.
type FixConfig struct {
	Period float64 // interval between two fixes, s
	Delay  float64 // delay between a fix's stamp and its delivery, s
	StdDev float64 // standard deviation of the white error in x and y, m; the covariance states only this

	// CorrelatedStdDev is the standard deviation in metres of a further, slowly
	// varying error in x and y. Real receivers have such an error and do not state
	// it. A filter that trusts the stated covariance cannot be consistent unless this
	// is 0.
	CorrelatedStdDev float64
	CorrelationTime  float64 // s

	// Outages begin and end at random, with exponentially distributed lengths.
	// OutageGap is the mean time between two outages; 0 means no outages.
	OutageGap    float64 // s
	OutageLength float64 // mean, s

	Shadows []Shadow // where several overlap, the worst counts

	// Receiver and Trace replace the white and the correlated error by those of a kind of receivers, or by those of a
	// recording, whose gaps are then the only outages. At most one is given; nil: the errors above.
	Receiver *Receiver
	Trace    *Trace
}

// Real reports whether the errors are those of a receiver or of a recorded one.
func (c *FixConfig) Real() bool { return c.Receiver != nil || c.Trace != nil }

// ErrorStdDev returns the standard deviation of the errors, of one axis, m: outside shadows, and that of a receiver most of the time
// in its worst mode. What the fixes state may be less.
func (c *FixConfig) ErrorStdDev() float64 {
	switch {
	case c.Trace != nil:
		return c.Trace.StdDev()
	case c.Receiver != nil:
		return c.Receiver.StdDev()
	}
	return math.Hypot(c.StdDev, c.CorrelatedStdDev)
}

// LeastStated returns the least standard deviation that a fix states, m.
func (c *FixConfig) LeastStated() float64 {
	least := math.Inf(1)
	switch {
	case c.Trace != nil:
		for _, r := range c.Trace.rows {
			least = min(least, r.stdDev)
		}
	case c.Receiver != nil:
		for _, m := range c.Receiver.modes {
			least = min(least, m.stated)
		}
	default:
		least = c.StdDev
	}
	return least
}

// DefaultFixConfig returns a receiver with a white error of 1 m and 1 Hz, which has an
// outage of 10 s about every 5 min. It has no correlated error.
func DefaultFixConfig() FixConfig {
	return FixConfig{Period: 1, Delay: 0.1, StdDev: 1, CorrelationTime: 60, OutageGap: 300, OutageLength: 10}
}

// Fix is a measured position of the robot's base with its stated covariance.
type Fix struct {
	Stamp int64 // ns, when the position was measured
	X, Y  float64
	Cov   [2][2]float64 // m²

	Status FixStatus
}

// FixSensor measures positions. It is not safe for concurrent use.
type FixSensor struct {
	cfg     FixConfig
	errors  fixErrors
	outages *rand.Rand
	pace    pace
	delay   int64
	silent  bool
	toggle  int64 // time at which the next outage begins or ends, ns
	held    *hold // while the robot stands; nil: it has moved
	queue   delayQueue[Fix]
}

// hold is what a receiver does while it takes the robot for standing.
type hold struct {
	place [2]float64 // that it repeats, m
	robot orb.Point  // where the robot was then, m
}

// NewFixSensor returns a receiver whose first fix is on the first tick.
func NewFixSensor(cfg FixConfig, rng *rand.Rand) *FixSensor {
	white := split(rng)
	f := &FixSensor{cfg: cfg, outages: split(rng), pace: pace{period: num.Nanoseconds(cfg.Period)}, delay: num.Nanoseconds(cfg.Delay)}
	switch {
	case cfg.Trace != nil:
		f.errors, f.cfg.OutageGap = cfg.Trace.play(rng), 0
	case cfg.Receiver != nil:
		f.errors = newModelErrors(cfg.Receiver, rng)
	default:
		f.errors = &whiteErrors{cfg.StdDev, white, [2]drift{
			newDrift(cfg.CorrelatedStdDev, cfg.CorrelationTime, split(rng)), newDrift(cfg.CorrelatedStdDev, cfg.CorrelationTime, split(rng)),
		}}
	}
	return f
}

// StdDev returns the standard deviation of the errors, see [FixConfig.ErrorStdDev].
func (f *FixSensor) StdDev() float64 { return f.cfg.ErrorStdDev() }

// Tick gives the receiver the true state at time now (ns). Call it after every step of
// the plant; a fix is measured on the first tick at or after each period.
func (f *FixSensor) Tick(now int64, truth PlantState) {
	if p := &f.pace; !p.started { // the first fix is on the first tick
		p.started, p.last, p.next = true, now, now
		f.toggle = now
		f.silent = true // so that the first toggle begins a gap
		f.alternate(now)
	}
	f.alternate(now)
	standing := f.cfg.Receiver != nil && f.cfg.Receiver.hold && math.Abs(truth.Forward) < holdSpeed
	robot := orb.Point{truth.X, truth.Y}
	if !standing || f.held != nil && planar.Distance(f.held.robot, robot) > holdDistance {
		f.held = nil
	}
	dt, due := f.pace.due(now)
	if !due {
		return
	}
	factor, missing := 1.0, false
	for _, s := range f.cfg.Shadows {
		if planar.PolygonContains(s.Area, robot) {
			factor, missing = max(factor, s.Factor), missing || s.Missing
		}
	}
	// Drawn whether or not the fix is sent, so that outages and shadows do not change
	// the errors of the remaining fixes.
	e, ok := f.errors.step(dt, factor)
	if !ok || f.silent || missing {
		f.held = nil // the robot may drive meanwhile
		return
	}
	at := [2]float64{truth.X + e.x, truth.Y + e.y}
	if standing {
		if f.held == nil {
			f.held = &hold{at, robot}
		}
		at = f.held.place
	}
	f.queue.push(now+f.delay, Fix{Stamp: now, X: at[0], Y: at[1], Cov: [2][2]float64{{e.stdDev * e.stdDev, 0}, {0, e.stdDev * e.stdDev}}, Status: e.status})
}

// Next returns the oldest fix whose delay has passed at time now, and false when there
// is none. Call it until it returns false.
func (f *FixSensor) Next(now int64) (Fix, bool) { return f.queue.pop(now) }

// alternate advances the outages to time now.
func (f *FixSensor) alternate(now int64) {
	if f.cfg.OutageGap == 0 {
		f.silent = false
		return
	}
	for now >= f.toggle {
		f.silent = !f.silent
		mean := f.cfg.OutageGap
		if f.silent {
			mean = f.cfg.OutageLength
		}
		// At least a nanosecond, so that this ends.
		f.toggle += max(num.Nanoseconds(mean*f.outages.ExpFloat64()), 1)
	}
}
