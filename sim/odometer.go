// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"

	"ugp_explorer/internal/num"
)

// OdometerConfig describes wheel odometry: the driver's model of the wheels, the errors
// of that model, and the covariance that the driver states.
type OdometerConfig struct {
	Period float64 // interval between two messages, s

	// TurnFraction is the mean fraction of the wheels' yaw rate that the
	// driver was calibrated to (an "effective track" of Track/TurnFraction).
	TurnFraction float64

	RadiusStdDev     float64 // relative error of the wheels' radius, drawn for the run
	RadiusDiffStdDev float64 // relative difference of the right and left radius, drawn for the run
	TrackStdDev      float64 // relative error of the track, drawn for the run
	RollStdDev       float64 // standard deviation of each side's distance, m after 1 m rolled; grows with the root of the distance

	// The driver's systematic errors persist. A filter that treats the twist's covariance as white noise
	// from message to message would average them away. Their stated variances are
	// therefore multiplied by ClaimTime/Period, which gives the right
	// growth when errors last for ClaimTime seconds.
	ClaimTime float64 // s, at least Period
}

// The standard deviations that the driver states of its systematic errors, in addition to RollStdDev, which is white. They cover the slip
// of the robot of DefaultPlantConfig.
const (
	claimForward, claimLeft, claimYaw = 0.04, 0.03, 0.11 // relative to the forward speed, twice, and to the yaw rate
	claimCentre                       = 0.05             // of the centre of rotation, m
	claimBend                         = 0.003            // of the heading on straight paths, rad/m
	claimLeast                        = 0.002            // also at rest, m/s and rad/s
)

// DefaultOdometerConfig returns the odometry of the robot of DefaultPlantConfig.
func DefaultOdometerConfig() OdometerConfig {
	return OdometerConfig{
		Period: 0.05, TurnFraction: 0.8, ClaimTime: 2,
		RadiusStdDev: 0.01, RadiusDiffStdDev: 0.002, TrackStdDev: 0.02, RollStdDev: 0.003,
	}
}

// Odometry is one message of the wheel odometry. The pose is in the odometry's own frame,
// whose origin is the robot's pose when the odometer was made; the twist is in the
// robot's frame. Covariances are in the order x (forward), y (left),
// yaw.
type Odometry struct {
	Stamp             int64 // ns
	Pose              Pose
	Forward, YawRate  float64 // m/s, rad/s; the driver assumes no sideways speed
	PoseCov, TwistCov [3][3]float64
}

// Odometer integrates the readings of the wheels' encoders. It is not safe for concurrent
// use.
type Odometer struct {
	cfg                 OdometerConfig
	rng                 *rand.Rand
	leftScale           float64 // believed over true distance
	rightScale          float64
	turnScale           float64 // believed yaw over difference of distances, rad/m
	pace                pace
	leftSeen, rightSeen float64 // encoders at the last message
	leftPart, rightPart float64 // share of the rolled distance that the encoders count
	pose                Pose
	cov                 [3][3]float64 // stated covariance of pose
}

// NewOdometer returns an odometer whose pose begins at zero.
func NewOdometer(cfg OdometerConfig, rng *rand.Rand) *Odometer {
	radius := 1 + cfg.RadiusStdDev*rng.NormFloat64()
	diff := cfg.RadiusDiffStdDev * rng.NormFloat64()
	return &Odometer{
		cfg:        cfg,
		leftScale:  radius - diff/2,
		rightScale: radius + diff/2,
		turnScale:  cfg.TurnFraction / (Track * (1 + cfg.TrackStdDev*rng.NormFloat64())),
		leftPart:   1,
		rightPart:  1,
		pace:       pace{period: num.Nanoseconds(cfg.Period)},
		rng:        split(rng),
	}
}

// Encoders sets the shares of the rolled distance that the left and the right encoder count from now
// on: 1 for all of it, 0 for a dead encoder. The driver does not know them.
func (o *Odometer) Encoders(left, right float64) { o.leftPart, o.rightPart = left, right }

// Tick gives the odometer the true state at time now (ns) and returns the message due at
// that time, if any. Call it after every step of the plant; a message is due on the first
// tick at or after each period. Tick does not allocate.
func (o *Odometer) Tick(now int64, truth PlantState) (Odometry, bool) {
	if !o.pace.started {
		o.leftSeen, o.rightSeen = truth.LeftTravel, truth.RightTravel
	}
	dt, due := o.pace.due(now)
	if !due {
		return Odometry{}, false
	}
	left := o.roll(o.leftPart*(truth.LeftTravel-o.leftSeen), o.leftScale)
	right := o.roll(o.rightPart*(truth.RightTravel-o.rightSeen), o.rightScale)
	o.leftSeen, o.rightSeen = truth.LeftTravel, truth.RightTravel

	forward, turn := (left+right)/2, (right-left)*o.turnScale
	m := Odometry{Stamp: now, Forward: forward / dt, YawRate: turn / dt}
	c := &o.cfg
	lasts := c.ClaimTime / c.Period
	roll := square(c.RollStdDev) * math.Abs(m.Forward) / dt // variance of one side's speed
	m.TwistCov[0][0] = roll/2 + lasts*square(claimForward*m.Forward) + square(claimLeast)
	m.TwistCov[1][1] = lasts*(square(claimLeft*m.Forward)+square(claimCentre*m.YawRate)) + square(claimLeast)
	m.TwistCov[2][2] = 2*roll*square(c.TurnFraction/Track) +
		lasts*(square(claimYaw*m.YawRate)+square(claimBend*m.Forward)) + square(claimLeast)

	before := o.pose
	o.pose = o.pose.moved(m.Forward, 0, m.YawRate, dt)
	o.claimPose(before, &m.TwistCov, dt)
	m.Pose, m.PoseCov = o.pose, o.cov
	return m, true
}

// roll returns the distance that the driver believes one side has rolled when its wheels
// truly rolled the given distance, m.
func (o *Odometer) roll(distance, scale float64) float64 {
	n := o.rng.NormFloat64()
	return distance*scale + o.cfg.RollStdDev*math.Sqrt(math.Abs(distance))*n
}

// claimPose adds the effect of a twist with covariance t over dt seconds to the pose's
// covariance, to first order: heading errors rotate the displacement, and twist errors
// add up in the robot's frame.
func (o *Odometer) claimPose(before Pose, t *[3][3]float64, dt float64) {
	dx, dy := o.pose.X-before.X, o.pose.Y-before.Y
	p := &o.cov
	xy, yaw := p[0][1]+dx*p[0][2]-dy*p[1][2]-dx*dy*p[2][2], p[2][2]
	p[0][0] += -2*dy*p[0][2] + dy*dy*yaw
	p[1][1] += 2*dx*p[1][2] + dx*dx*yaw
	p[0][2] -= dy * yaw
	p[1][2] += dx * yaw
	s, c := math.Sincos(before.Yaw)
	f, l := t[0][0]*dt*dt, t[1][1]*dt*dt
	p[0][0] += c*c*f + s*s*l
	p[1][1] += s*s*f + c*c*l
	p[0][1] = xy + c*s*(f-l)
	p[2][2] += t[2][2] * dt * dt
	p[1][0], p[2][0], p[2][1] = p[0][1], p[0][2], p[1][2]
}

func square(v float64) float64 { return v * v }
