// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// What all simulated robots have in common, with one like the iRobot ATRV (1.35 × 0.75 m) on soil.
const (
	Track           = 0.65 // distance between left and right wheels, m
	maxYawRate      = 1.0  // rad/s, of the wheels, before slip
	maxAcceleration = 1.0  // m/s²
	maxYawAccel     = 1.5  // rad/s²
	actuatorLag     = 0.15 // time constant of the wheels' speed control, s
	commandTimeout  = 0.5  // the wheels are stopped this long after the last command, s
	slipTime        = 10.0 // correlation time of the variations of the slip, s
	actuatorTime    = 0.3  // correlation time of the errors of the wheels' speeds, s
)

// PlantConfig describes a skid-steered robot: four wheels, the two of a side
// turning together, that turns by dragging its wheels sideways.
type PlantConfig struct {
	MaxSpeed   float64 // m/s, forward and backward
	TurnRadius float64 // of the narrowest curve of a robot that steers, m; 0: it can turn on the spot

	// The true yaw rate is a fraction of the yaw rate that the wheels' speeds would give
	// without slip. The mean fraction is drawn for the run, uniformly between Low and
	// High; the fraction varies about it and stays between Min and Max.
	TurnFractionLow, TurnFractionHigh float64
	TurnFractionStdDev                float64
	TurnFractionMin, TurnFractionMax  float64

	// The true forward speed is 1 − s times the wheels' speed; s has a mean
	// drawn for the run, uniform in [0, 2·LongitudinalSlip], and varies.
	LongitudinalSlip       float64
	LongitudinalSlipStdDev float64

	// The robot moves sideways by a fraction of its forward speed, drawn for
	// the run and varying, as on a slope; and since a skid-steered robot does
	// not turn about its middle, by the centre of rotation's distance (forward
	// of base, drawn for the run) times its yaw rate.
	LateralStdDev       float64
	CentreOfTurnStdDev  float64 // m
	ActuatorNoiseStdDev float64 // relative error of the wheels' speeds, varying quickly
}

// DefaultPlantConfig returns a robot that drives at up to 2 m/s, as the ATRV does.
func DefaultPlantConfig() PlantConfig {
	return PlantConfig{
		MaxSpeed:        2,
		TurnFractionLow: 0.7, TurnFractionHigh: 0.9, TurnFractionStdDev: 0.05,
		TurnFractionMin: 0.6, TurnFractionMax: 1,
		LongitudinalSlip: 0.02, LongitudinalSlipStdDev: 0.01,
		LateralStdDev: 0.02, CentreOfTurnStdDev: 0.05,
		ActuatorNoiseStdDev: 0.02,
	}
}

// PlantState is the true state of the robot at an instant.
type PlantState struct {
	Pose
	Forward, Left, YawRate float64 // velocity in the robot's frame, m/s, m/s, rad/s
	LeftTravel             float64 // distance rolled by the left wheels, m
	RightTravel            float64 // distance rolled by the right wheels, m
}

// Plant simulates the robot's body and wheels. It is not safe for concurrent use.
type Plant struct {
	cfg   PlantConfig
	state PlantState

	commandSpeed, commandYawRate float64 // commanded
	commandAge                   float64 // s since the last command
	speed, yawRate               float64 // of the wheels, after lag and limits

	turnMean, slipMean, lateralMean, centre float64
	turn, slip, lateral                     drift
	speedNoise, yawNoise                    drift
	held                                    bool
}

// NewPlant returns a robot that stands still at start. The rng decides the run's
// slip and all its variation.
func NewPlant(cfg PlantConfig, start Pose, rng *rand.Rand) *Plant {
	start.Yaw = wrap(start.Yaw)
	return &Plant{
		cfg:         cfg,
		state:       PlantState{Pose: start},
		commandAge:  math.Inf(1),
		turnMean:    cfg.TurnFractionLow + (cfg.TurnFractionHigh-cfg.TurnFractionLow)*rng.Float64(),
		slipMean:    2 * cfg.LongitudinalSlip * rng.Float64(),
		lateralMean: cfg.LateralStdDev * rng.NormFloat64(),
		centre:      cfg.CentreOfTurnStdDev * rng.NormFloat64(),
		turn:        newDrift(cfg.TurnFractionStdDev, slipTime, split(rng)),
		slip:        newDrift(cfg.LongitudinalSlipStdDev, slipTime, split(rng)),
		lateral:     newDrift(cfg.LateralStdDev, slipTime, split(rng)),
		speedNoise:  newDrift(cfg.ActuatorNoiseStdDev, actuatorTime, split(rng)),
		yawNoise:    newDrift(cfg.ActuatorNoiseStdDev, actuatorTime, split(rng)),
	}
}

// Command sets the commanded forward speed (m/s) and yaw rate (rad/s), which hold until
// the next command or the timeout. They are clamped to the limits. A command that is not
// finite stops the robot and is an error.
func (p *Plant) Command(speed, yawRate float64) error {
	p.commandAge = 0
	if math.IsNaN(speed-speed) || math.IsNaN(yawRate-yawRate) { // infinite, too
		p.commandSpeed, p.commandYawRate = 0, 0
		return fmt.Errorf("sim: command of %v m/s, %v rad/s: must be finite; the robot stops", speed, yawRate)
	}
	p.commandSpeed = clamp(speed, p.cfg.MaxSpeed)
	p.commandYawRate = clamp(yawRate, maxYawRate)
	return nil
}

// Step advances the world by dt seconds and returns the true state at the end. Velocities
// are constant over a step, and the motion is exact for them. It does not allocate.
func (p *Plant) Step(dt float64) PlantState {
	c := &p.cfg
	// Half a nanosecond allows for the rounding of a sum of steps.
	if p.commandAge+0.5e-9 >= commandTimeout {
		p.commandSpeed, p.commandYawRate = 0, 0
	}
	p.commandAge += dt
	p.speed = approach(p.speed, p.commandSpeed, actuatorLag, maxAcceleration, dt)
	p.yawRate = approach(p.yawRate, p.commandYawRate, actuatorLag, maxYawAccel, dt)
	if c.TurnRadius > 0 {
		p.yawRate = clamp(p.yawRate, math.Abs(p.speed)/c.TurnRadius)
	}

	// The motion of the wheels, which encoders can measure.
	wheelSpeed := p.speed * (1 + p.speedNoise.step(dt))
	wheelYaw := p.yawRate * (1 + p.yawNoise.step(dt))
	p.state.LeftTravel += (wheelSpeed - wheelYaw*Track/2) * dt
	p.state.RightTravel += (wheelSpeed + wheelYaw*Track/2) * dt

	// The resulting motion on the soil.
	turn := min(max(p.turnMean+p.turn.step(dt), c.TurnFractionMin), c.TurnFractionMax)
	if c.TurnRadius > 0 { // its wheels are not dragged
		turn = 1
	}
	yawRate := turn * wheelYaw
	forward := (1 - p.slipMean - p.slip.step(dt)) * wheelSpeed
	left := (p.lateralMean+p.lateral.step(dt))*wheelSpeed - p.centre*yawRate
	if p.held {
		forward, left, yawRate = 0, 0, 0
	}
	p.state.Pose = p.state.Pose.moved(forward, left, yawRate, dt)
	p.state.Forward, p.state.Left, p.state.YawRate = forward, left, yawRate
	return p.state
}

// Hold says whether an obstacle, or mud, holds the body: while it is held the wheels turn as
// commanded and the body does not move.
func (p *Plant) Hold(held bool) { p.held = held }

// Carry sets the body down at another pose. The wheels do not turn by it.
func (p *Plant) Carry(to Pose) {
	to.Yaw = wrap(to.Yaw)
	p.state.Pose = to
}

// State returns the true state at the end of the last step.
func (p *Plant) State() PlantState { return p.state }

// stillSpeed and stillYawRate are the limits below which the robot counts as standing:
// the wheels' speed control approaches zero but never reaches it, except by rounding.
const (
	stillSpeed   = 0.01 // m/s
	stillYawRate = 0.01 // rad/s
)

// isStanding reports whether the robot stands still, within stillSpeed and stillYawRate.
func (s PlantState) isStanding() bool {
	return math.Hypot(s.Forward, s.Left) < stillSpeed && math.Abs(s.YawRate) < stillYawRate
}

// approach returns v after a first-order lag towards want over dt seconds, with a limited
// rate of change.
func approach(v, want, lag, limit, dt float64) float64 {
	return v + clamp((want-v)*(1-math.Exp(-dt/lag)), limit*dt)
}

// clamp returns v limited to ±limit.
func clamp(v, limit float64) float64 { return min(max(v, -limit), limit) }
