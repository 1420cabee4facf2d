// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/surface"
)

// ProbeConfig describes a probe that measures a field where it touches the
// ground.
type ProbeConfig struct {
	Forward, Left float64 // position of the probe in the robot's frame, m
	StdDev        float64 // standard deviation of the noise, in the field's units
	Period        float64 // mean interval between two readings, s
	Jitter        float64 // the period varies uniformly by ± this, s
	Delay         float64 // delay between a reading's stamp and its delivery, s

	// OnlyStanding says that the probe reads only while the robot stands still; the
	// first reading then comes one period after the robot stopped. Otherwise the probe
	// reads all the time.
	OnlyStanding bool
}

// DefaultProbeConfig returns a soil probe 0.4 m behind the robot's base, for
// log10 K.
func DefaultProbeConfig() ProbeConfig {
	return ProbeConfig{Forward: -0.4, StdDev: 0.02, Period: 1.5, Jitter: 0.1, Delay: 0.2, OnlyStanding: true}
}

// ProbeReading is one measurement of the field, without its position.
type ProbeReading struct {
	Stamp    int64   // ns, when it was measured
	Value    float64 // in the field's units
	Variance float64 // of the noise
}

// Probe measures a field. It is not safe for concurrent use.
type Probe struct {
	cfg          ProbeConfig
	field        surface.Surface
	noise, times *rand.Rand
	delay        int64
	next         int64
	armed        bool
	queue        delayQueue[ProbeReading]
}

// NewProbe returns a probe of a field's values. The jitter must be less than the period.
func NewProbe(cfg ProbeConfig, field surface.Surface, rng *rand.Rand) (*Probe, error) {
	if cfg.Jitter >= cfg.Period {
		return nil, fmt.Errorf("sim: ProbeConfig.Jitter is %v s: must be below Period, %v s", cfg.Jitter, cfg.Period)
	}
	return &Probe{cfg: cfg, field: field, noise: split(rng), times: split(rng), delay: num.Nanoseconds(cfg.Delay)}, nil
}

// Tick gives the probe the true state at time now (ns). Call it after every step of the
// plant. A reading of the field at the true position of the probe is made on the
// first tick at or after the time at which it is due.
func (p *Probe) Tick(now int64, truth PlantState) {
	if p.cfg.OnlyStanding && !truth.isStanding() {
		p.armed = false // the probe is lifted; the next stop starts again
		return
	}
	if !p.armed {
		p.armed = true
		p.next = now + p.wait()
		return
	}
	if now < p.next {
		return
	}
	p.next = now + p.wait()
	at := truth.Point(p.cfg.Forward, p.cfg.Left) // where it touches the ground
	p.queue.push(now+p.delay, ProbeReading{
		Stamp:    now,
		Value:    p.field(at[0], at[1]) + p.cfg.StdDev*p.noise.NormFloat64(),
		Variance: square(p.cfg.StdDev),
	})
}

// Next returns the oldest reading whose delay has passed at time now, and false when
// there is none. Call it until it returns false.
func (p *Probe) Next(now int64) (ProbeReading, bool) { return p.queue.pop(now) }

// wait draws the time to the next reading in nanoseconds.
func (p *Probe) wait() int64 {
	return num.Nanoseconds(p.cfg.Period + p.cfg.Jitter*(2*p.times.Float64()-1))
}
