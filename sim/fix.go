package sim

import (
	"math/rand/v2"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Shadow is an area in which position fixes are worse or missing, such as beside a wood.
type Shadow struct {
	Area    orb.Polygon // m
	Factor  float64     // on the standard deviation of the white error, ≥ 1; the covariance states it
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
}

// FixSensor measures positions. It is not safe for concurrent use.
type FixSensor struct {
	cfg            FixConfig
	white, outages *rand.Rand
	driftX, driftY drift
	pace           pace
	delay          int64
	silent         bool
	toggle         int64 // time at which the next outage begins or ends, ns
	queue          delayQueue[Fix]
}

// NewFixSensor returns a receiver whose first fix is on the first tick.
func NewFixSensor(cfg FixConfig, rng *rand.Rand) *FixSensor {
	return &FixSensor{
		cfg: cfg, white: split(rng), outages: split(rng),
		driftX: newDrift(cfg.CorrelatedStdDev, cfg.CorrelationTime, split(rng)),
		driftY: newDrift(cfg.CorrelatedStdDev, cfg.CorrelationTime, split(rng)),
		pace:   pace{period: nanoseconds(cfg.Period)}, delay: nanoseconds(cfg.Delay),
	}
}

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
	dt, due := f.pace.due(now)
	if !due {
		return
	}
	// Drawn whether or not the fix is sent, so that outages and shadows do not change
	// the errors of the remaining fixes.
	ex, ey := f.white.NormFloat64(), f.white.NormFloat64()
	dx, dy := f.driftX.step(dt), f.driftY.step(dt)
	factor, missing := 1.0, false
	for _, s := range f.cfg.Shadows {
		if planar.PolygonContains(s.Area, orb.Point{truth.X, truth.Y}) {
			factor, missing = max(factor, s.Factor), missing || s.Missing
		}
	}
	sd := f.cfg.StdDev * factor
	if f.silent || missing {
		return
	}
	f.queue.push(now+f.delay, Fix{
		Stamp: now,
		X:     truth.X + dx + sd*ex,
		Y:     truth.Y + dy + sd*ey,
		Cov:   [2][2]float64{{sd * sd, 0}, {0, sd * sd}},
	})
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
		f.toggle += max(nanoseconds(mean*f.outages.ExpFloat64()), 1)
	}
}
