// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"time"

	"ugp_explorer/localization"
)

// MotionNoise describes the errors of wheel odometry: random errors and slip.
//
// A field "PerMetre" is the standard deviation of the random error after one metre. It grows with the square root of the distance, so the
// variance does not depend on the number of steps into which a path is divided. (With the α of Probabilistic Robotics, §5.4, the variance
// of a step grows with the square of its length, so faster odometry would make the filter more certain.) "PerRadian" is the same for
// turning.
type MotionNoise struct {
	AlongPerMetre   float64 // m/√m, in the direction of travel
	AlongPerRadian  float64 // m/√rad
	AcrossPerMetre  float64 // m/√m
	AcrossPerRadian float64 // m/√rad
	YawPerMetre     float64 // rad/√m
	YawPerRadian    float64 // rad/√rad

	// SlipStdDev is the standard deviation of each part of Slip around the value of a perfect robot, and that of Slip.Turn around Turn: a
	// skid-steered robot may turn by track/(track + width of a wheel) times the turn of its wheels. Zero disables a part.
	SlipStdDev Slip
	Turn       float64
	// SlipLength (m) is the correlation length of each part of Slip: the parts are stationary, with the correlation e^(−distance/SlipLength).
	// A turn of one radian has the effect of one metre, since it also takes the robot over new soil.
	SlipLength Slip
}

// Slip is the lasting difference between the true motion and wheel odometry. Wheels that slip or are worn err in the same direction for
// minutes. Noise that is independent from step to step cannot describe this, so the filter estimates slip as part of its state. Over a
// small odometry step (dx, dy, turn) the robot truly moves by
//
//	Speed·(dx, dy + Crab·dx) and turns by Turn·turn + Drift·dx
type Slip struct {
	Speed float64 // true distance over odometry's; 1 when perfect
	Turn  float64 // true turn over odometry's; 1 when perfect, 0.5 to 1 with skid steering
	Drift float64 // rad/m: turn per metre, from wheels of unequal size
	Crab  float64 // sideways motion per metre forward, as on a slope
}

// Config configures an EKF.
type Config struct {
	Motion MotionNoise
	Gyro   GyroNoise
	// Antenna is the point on the robot whose position the fixes measure (m, base), until turns show another.
	Antenna localization.Lever
	// AntennaStdDev (m) is the standard deviation of each coordinate of Antenna until turns have confirmed it.
	AntennaStdDev float64

	// HeadingGiven means that the heading at the first fix is InitialYaw (rad), with initialYawStdDev. Otherwise driving shows it.
	HeadingGiven bool
	InitialYaw   float64
	// HeadingAgain means that the given heading is valid again after time was set back and the odometry restarted, as in a restarted
	// simulation. A real robot is then no longer where it started.
	HeadingAgain bool

	// GateProbability is the quantile of χ² for the squared Mahalanobis distance above which a fix is refused. 1 refuses none.
	GateProbability float64
	// MaxSpeed (m/s) and MaxTurnRate (rad/s) are the robot's limits; odometry that exceeds them by more than a tenth is refused (simulators
	// start with spikes, and drivers restart), unless it does so for 0.3 s: then the limit is wrong.
	MaxSpeed, MaxTurnRate float64

	// gate holds the quantiles of χ² with one and two degrees of freedom, which New computes.
	gate [2]float64
	// ignoreWays disables the comparison of the wheels' path with the fixes (see Doubt). That comparison takes fixes in the order of their
	// arrival, with the odometry that has come by then, and ignores one that comes after a newer one. Only tests set ignoreWays.
	ignoreWays bool
}

// Constants that are squared are typed: untyped ones would be squared exactly, and rounded differently.
const (
	initialYawStdDev float64 = 0.1 // rad, of Config.InitialYaw: a person looked along the robot
	driveYawStdDev   float64 = 0.2 // rad, the largest of a first heading that driving tells
	// MaxYawStdDev (rad) is the largest standard deviation of the heading. Above it linearisation is no longer valid: the heading is lost,
	// and the filter finds it again by driving.
	MaxYawStdDev float64 = 1
	// MaxRejections is the number of consecutive refusals after which the filter is assumed to be wrong, and not the fixes. The next fix is
	// then accepted: the covariance of the state is enlarged until the fix passes the gate, and the variance of the yaw grows by
	// lockoutYawStdDev² (rad²), since a robot that was carried may also have been turned.
	MaxRejections            = 10
	lockoutYawStdDev float64 = 0.8
	outlierTime      float64 = 10 // s

	// MaxDelay is the largest age, relative to the newest odometry, at which a fix or a yaw rate is still used: it is inserted at its stamp
	// and the later steps are repeated.
	MaxDelay = 5 * time.Second
	// historyLength is the number of steps kept for that, at up to 200 Hz, and measuredLength the number of odometry messages and of yaw
	// rates.
	historyLength, measuredLength = 1000, 2048
	// maxPending is the number of fixes newer than the newest odometry that may
	// wait; when one more comes, the oldest is dropped.
	maxPending = 32
	// maxOdometryGap is the longest interval between two odometry messages over which the twist is assumed constant. Over a longer interval
	// the motion is unknown, within MaxSpeed and MaxTurnRate.
	maxOdometryGap = int64(time.Second)
	// maxGyroGap (ns) is the longest interval between two yaw rates over which the rate is interpolated, and how long a rate without such a
	// successor lasts. Where rates are missing, the heading follows the wheels.
	maxGyroGap = int64(200 * time.Millisecond)
	// resetTime is how long all odometry must be older than MaxDelay to show that time was set back. The filter then starts over, unless
	// the odometry's pose continues from the last one.
	resetTime = time.Second
)

// DefaultConfig returns the configuration for a skid-steer robot at walking pace on soil, with metre-level fixes and a heading found by
// driving. The noise is chosen on the safe side. Wheels of unequal size stay unequal: the filter keeps what it has learnt about them over
// SlipLength, so the heading is still known after half a minute without fixes. The radius of the wheels may be wrong by a tenth, or by two.
func DefaultConfig() Config {
	return Config{
		Motion: MotionNoise{
			AlongPerMetre:   0.03,
			AlongPerRadian:  0.01,
			AcrossPerMetre:  0.03,
			AcrossPerRadian: 0.05,
			YawPerMetre:     0.02,
			YawPerRadian:    0.03,
			SlipStdDev:      Slip{Speed: 0.1, Turn: 0.2, Drift: 0.01, Crab: 0.03},
			Turn:            0.9, // 0.5 to 1.05 is within 2σ
			SlipLength:      Slip{Speed: 400, Turn: 1600, Drift: 100, Crab: 100},
		},
		// A low-cost MEMS gyroscope on a vibrating robot.
		Gyro:            GyroNoise{Density: 0.001, PerRadian: 0.01, BiasStdDev: 0.03, BiasWalk: 1e-4, ScaleStdDev: 0.02},
		GateProbability: 0.999,
		MaxSpeed:        3,
		MaxTurnRate:     3,
	}
}
