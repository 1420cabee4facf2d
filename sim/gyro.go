// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"

	"ugp_explorer/internal/num"
)

// GyroConfig describes a gyroscope whose axis points up.
type GyroConfig struct {
	Period  float64 // interval between two rates, s
	Density float64 // noise density (angle random walk), rad/√s; the stated variance is that of this noise

	// The driver states none of these.
	BiasStdDev  float64 // bias, drawn for the run, rad/s
	DriftStdDev float64 // slowly varying part of the bias, rad/s
	DriftTime   float64 // correlation time of that part, s
	ScaleStdDev float64 // relative error of the scale, drawn for the run
}

// DefaultGyroConfig returns a low-cost MEMS gyroscope on a robot that vibrates, which sends
// rates at 50 Hz.
func DefaultGyroConfig() GyroConfig {
	return GyroConfig{Period: 0.02, Density: 5e-4, BiasStdDev: 0.01, DriftStdDev: 5e-4, DriftTime: 300, ScaleStdDev: 0.005}
}

// GyroRate is a measured yaw rate with the stated variance of its white noise.
type GyroRate struct {
	Stamp          int64   // ns
	Rate, Variance float64 // rad/s, rad²/s²
}

// Gyro measures yaw rates. It is not safe for concurrent use.
type Gyro struct {
	cfg         GyroConfig
	bias, scale float64
	drift       drift
	white       *rand.Rand
	pace        pace
}

// NewGyro returns a gyroscope with the bias and the scale of this run.
func NewGyro(cfg GyroConfig, rng *rand.Rand) *Gyro {
	g := &Gyro{cfg: cfg, bias: cfg.BiasStdDev * rng.NormFloat64(), scale: 1 + cfg.ScaleStdDev*rng.NormFloat64(), pace: pace{period: num.Nanoseconds(cfg.Period)}}
	g.drift = newDrift(cfg.DriftStdDev, cfg.DriftTime, split(rng))
	g.white = split(rng)
	return g
}

// Tick gives the gyroscope the true state at time now (ns) and returns the rate that is due
// at that time, if any. Call it after every step of the plant; a rate is due on the first
// tick at or after each period. The rate is the true one at its stamp, with the errors.
func (g *Gyro) Tick(now int64, truth PlantState) (GyroRate, bool) {
	dt, due := g.pace.due(now)
	if !due {
		return GyroRate{}, false
	}
	sd := g.cfg.Density / math.Sqrt(dt) // noise of this density, averaged over dt
	return GyroRate{
		Stamp:    now,
		Rate:     g.scale*truth.YawRate + g.bias + g.drift.step(dt) + sd*g.white.NormFloat64(),
		Variance: sd * sd,
	}, true
}
