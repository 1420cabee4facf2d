// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"time"

	"ugp_explorer/localization"
)

// MotionNoise describes the errors of wheel odometry: random errors and slip.
//
// A field "PerMetre" is the standard deviation of the random error after one
// metre. It grows with the root of the distance, so the variance does not depend on
// the number of steps into which a path is cut. (The α of Probabilistic Robotics,
// §5.4, make the variance of a step the square of its length; there a faster
// odometry makes the filter more certain.) "PerRadian" is the same for turning.
type MotionNoise struct {
	AlongPerMetre   float64 // m/√m, in the direction of travel
	AlongPerRadian  float64 // m/√rad
	AcrossPerMetre  float64 // m/√m
	AcrossPerRadian float64 // m/√rad
	YawPerMetre     float64 // rad/√m
	YawPerRadian    float64 // rad/√rad

	// SlipStdDev is the standard deviation of each part of Slip around the value of
	// a perfect robot. Zero switches a part off.
	SlipStdDev Slip
	// Turn and TurnStdDev are the expected value of the lasting part of Slip.Turn and its standard
	// deviation. That part belongs to the robot: a skid-steered one may turn by
	// track/(track + width of a wheel) of what its wheels tell. SlipStdDev.Turn is the rest, which
	// varies with the ground. TurnWalk (1/√m) is the random walk of the lasting part.
	Turn, TurnStdDev, TurnWalk float64
	// SlipLength (m) is the correlation length of slip: its parts are stationary,
	// with the correlation e^(−distance/SlipLength). A radian turned counts as a
	// metre, since turning takes a robot over new soil too.
	SlipLength float64
}

// Slip is the lasting difference between the true motion and wheel odometry.
// Wheels that slip or are worn err in the same direction for minutes. Noise that is
// independent from step to step cannot describe that, so the filter estimates slip
// as part of its state. Over a small step of odometry (dx, dy, turn) the robot truly
// moves by
//
//	Speed·(dx, dy + Crab·dx) and turns by Turn·turn + Drift·dx
type Slip struct {
	Speed float64 // true distance over odometry's; 1 when perfect
	Turn  float64 // true turn over odometry's; 1 when perfect. Skid steer has 0.5 to 1
	Drift float64 // rad/m: turn per metre, from wheels of unequal size
	Crab  float64 // sideways motion per metre forward, as on a slope
}

// Config configures an EKF.
type Config struct {
	Motion MotionNoise
	Gyro   GyroNoise
	// Antenna is the point on the robot whose position the fixes measure (m, base).
	Antenna localization.Lever

	// HeadingGiven says that the heading at the first fix is InitialYaw (rad), with initialYawStdDev. Otherwise
	// it is found by driving.
	HeadingGiven bool
	InitialYaw   float64
	// HeadingAgain says that the given heading holds again when time was set back and the odometry
	// began anew, as when a simulation is restarted. A real robot is no longer where it started then.
	HeadingAgain bool

	// GateProbability is the quantile of χ² above which the squared Mahalanobis
	// distance of a fix leads to its refusal. One refuses none.
	GateProbability float64
	// MaxSpeed (m/s) and MaxTurnRate (rad/s) are the robot's limits; odometry that
	// exceeds them is refused (simulators spike at the start, drivers restart).
	MaxSpeed, MaxTurnRate float64

	// gate holds the quantiles of χ² with one and two degrees of freedom, which New computes.
	gate [2]float64
	// ignoreWays says that the way of the wheels is not compared with that of the fixes (see Doubt): that
	// takes fixes as they come, and one that comes after a newer one does not count. Only tests set it.
	ignoreWays bool
}

// The constants of squares are typed: untyped ones would be squared exactly, and rounded elsewhere.
const (
	initialYawStdDev float64 = 0.1 // rad, of Config.InitialYaw: a person looked along the robot
	driveYawStdDev   float64 = 0.2 // rad, the largest of a first heading that driving tells
	// MaxYawStdDev (rad) is the largest standard deviation of the heading. Above it
	// linearisation no longer holds, the heading counts as lost, and the filter
	// finds another by driving.
	MaxYawStdDev float64 = 1
	// MaxRejections is the number of refusals in a row after which the filter is
	// taken to be wrong, and not the fixes. The next fix is then accepted: the
	// covariance of the state is enlarged until the fix passes the gate, and the
	// variance of the yaw grows by lockoutYawStdDev² (rad²): a robot that was carried was turned, too.
	MaxRejections            = 10
	lockoutYawStdDev float64 = 0.8
	outlierTime      float64 = 10 // s

	// MaxDelay is how much older than the newest odometry a fix, odometry or a yaw rate may be and
	// still be used: it is inserted at its stamp and the later steps are repeated.
	MaxDelay = 5 * time.Second
	// historyLength is the number of steps kept for that, at 200 Hz at most, and measuredLength that of odometry and of yaw rates.
	historyLength, measuredLength = 1000, 2048
	// maxPending is the number of fixes newer than the newest odometry that may
	// wait; when one more comes, the oldest is dropped.
	maxPending = 32
	// maxOdometryGap is the longest interval between two odometry messages over
	// which the twist is taken as constant. A longer interval counts as unknown
	// motion within MaxSpeed and MaxTurnRate.
	maxOdometryGap = int64(time.Second)
	// maxGyroGap (ns) is the longest interval between two yaw rates over which the rate is interpolated, and
	// the time for which a rate without such a next one is taken to last. Where rates are missing
	// the heading follows the wheels.
	maxGyroGap = int64(200 * time.Millisecond)
	// resetTime is the time for which all odometry must be older than MaxDelay to show that time was
	// set back. The filter then starts over, unless the odometry's pose goes on where it was.
	resetTime = time.Second
)

// DefaultConfig returns the configuration for a skid-steer robot at walking pace on soil, with
// metre-level fixes and a heading found by driving. The noise is on the safe side. Wheels of unequal
// size stay unequal: the filter keeps what it has learnt about them over SlipLength, so a robot without
// fixes for half a minute still knows its heading.
func DefaultConfig() Config {
	return Config{
		Motion: MotionNoise{
			AlongPerMetre:   0.03,
			AlongPerRadian:  0.01,
			AcrossPerMetre:  0.03,
			AcrossPerRadian: 0.05,
			YawPerMetre:     0.02,
			YawPerRadian:    0.03,
			SlipStdDev:      Slip{Speed: 0.05, Turn: 0.05, Drift: 0.01, Crab: 0.03},
			Turn:            0.9, // 0.5 to 1.05 is within 2σ
			TurnStdDev:      0.2,
			TurnWalk:        0.002,
			SlipLength:      100,
		},
		// A low-cost MEMS gyroscope on a vibrating robot.
		Gyro:            GyroNoise{Density: 0.001, PerRadian: 0.01, BiasStdDev: 0.03, BiasWalk: 1e-4},
		GateProbability: 0.999,
		MaxSpeed:        3,
		MaxTurnRate:     3,
	}
}
