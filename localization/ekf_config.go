package localization

import (
	"fmt"
	"math"
	"time"
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

// HeadingRule says where the first heading comes from. A first-order filter that starts with an
// unknown heading becomes certain of a wrong one, so this filter waits until it has a useful
// heading.
type HeadingRule int

const (
	// HeadingFromDrive computes the heading from two position fixes and the odometry
	// between them.
	HeadingFromDrive HeadingRule = iota
	// HeadingGiven uses InitialYaw at the first fix.
	HeadingGiven
)

// String returns the name of the rule as parameter files spell it.
func (h HeadingRule) String() string {
	switch h {
	case HeadingFromDrive:
		return "drive"
	case HeadingGiven:
		return "given"
	}
	return fmt.Sprintf("HeadingRule(%d)", int(h))
}

// EKFConfig configures an EKF.
type EKFConfig struct {
	Motion MotionNoise
	Gyro   GyroConfig
	// Antenna is the point on the robot whose position the fixes measure (m, base).
	Antenna Lever

	// Heading says where the first heading comes from. Only HeadingGiven uses
	// InitialYaw and InitialYawStdDev (rad).
	Heading                      HeadingRule
	InitialYaw, InitialYawStdDev float64
	// HeadingAgain says that the given heading holds again when time was set back and the odometry
	// began anew, as when a simulation is restarted. A real robot is no longer where it started then.
	HeadingAgain bool
	// DriveDistance (m) is the least distance between two fixes for
	// HeadingFromDrive, and DriveYawStdDev (rad) the largest standard deviation
	// accepted for the heading found.
	DriveDistance, DriveYawStdDev float64
	// MaxYawStdDev (rad) is the largest standard deviation of the heading. Above it
	// linearisation no longer holds, the heading counts as lost, and the filter
	// starts over with HeadingFromDrive.
	MaxYawStdDev float64

	// GateProbability is the quantile of χ² above which the squared Mahalanobis
	// distance of a fix leads to its refusal. One refuses none.
	GateProbability float64
	// MaxRejections is the number of refusals in a row after which the filter is
	// taken to be wrong, and not the fixes. The next fix is then accepted: the
	// covariance of the state is enlarged until the fix passes the gate, and the
	// variance of the yaw grows by LockoutYawStdDev² (rad²): a robot that was carried was turned, too.
	MaxRejections    int
	LockoutYawStdDev float64
	// FixCorrelationTime is the correlation time τ of the errors of fixes.
	// Satellite fixes have similar errors for a minute and more, so a robot that
	// stands still must not trust their mean. The covariance of a fix Δt after the
	// last is multiplied by coth(Δt/2τ), which gives the mean of an exponentially
	// correlated error its true variance. Zero means independent errors.
	FixCorrelationTime time.Duration

	// CompareWays says whether the way of the wheels is compared with that of the fixes (see Doubt). It
	// takes fixes as they come: one that comes after a newer one does not count.
	CompareWays bool

	// MaxDelay is how much older than the newest odometry a fix, odometry or a yaw rate may be and
	// still be used: it is inserted at its stamp and the later steps are repeated. HistoryLength is
	// the number of steps kept for that.
	MaxDelay      time.Duration
	HistoryLength int
	// MaxPending is the number of fixes newer than the newest odometry that may
	// wait; when one more comes, the oldest is dropped.
	MaxPending int

	// MaxOdometryGap is the longest interval between two odometry messages over
	// which the twist is taken as constant. A longer interval counts as unknown
	// motion within MaxSpeed and MaxTurnRate.
	MaxOdometryGap time.Duration
	// MaxSpeed (m/s) and MaxTurnRate (rad/s) are the robot's limits; odometry that
	// exceeds them is refused (simulators spike at the start, drivers restart).
	MaxSpeed, MaxTurnRate float64
	// ResetTime is the time for which all odometry must be older than MaxDelay to show that time was
	// set back. The filter then starts over, unless the odometry's pose goes on where it was. The
	// heading is then InitialYaw only with HeadingAgain.
	ResetTime time.Duration
}

// DefaultEKFConfig returns the configuration for a skid-steer robot at walking pace on soil, with
// metre-level fixes and a heading found by driving. The noise is on the safe side.
func DefaultEKFConfig() EKFConfig {
	return EKFConfig{
		Motion: MotionNoise{
			AlongPerMetre:   0.03,
			AlongPerRadian:  0.01,
			AcrossPerMetre:  0.03,
			AcrossPerRadian: 0.05,
			YawPerMetre:     0.02,
			YawPerRadian:    0.03,
			SlipStdDev:      Slip{Speed: 0.05, Turn: 0.05, Drift: 0.02, Crab: 0.03},
			Turn:            0.9, // 0.5 to 1.05 is within 2σ
			TurnStdDev:      0.2,
			TurnWalk:        0.002,
			SlipLength:      100,
		},
		Gyro:             DefaultGyroConfig(),
		Heading:          HeadingFromDrive,
		InitialYawStdDev: 0.1,
		DriveDistance:    3,
		DriveYawStdDev:   0.2,
		MaxYawStdDev:     1,
		GateProbability:  0.999,
		MaxRejections:    10,
		LockoutYawStdDev: 0.8,
		CompareWays:      true,
		MaxDelay:         5 * time.Second,
		HistoryLength:    1000,
		MaxPending:       32,
		MaxOdometryGap:   time.Second,
		MaxSpeed:         3,
		MaxTurnRate:      3,
		ResetTime:        time.Second,
	}
}

// Validate returns an error that lists every invalid field of c.
func (c EKFConfig) Validate() error {
	p := problems{of: "EKFConfig"}
	m := c.Motion
	for _, f := range []struct {
		name string
		v    float64
	}{
		{"AlongPerMetre", m.AlongPerMetre}, {"AlongPerRadian", m.AlongPerRadian},
		{"AcrossPerMetre", m.AcrossPerMetre}, {"AcrossPerRadian", m.AcrossPerRadian},
		{"YawPerMetre", m.YawPerMetre}, {"YawPerRadian", m.YawPerRadian},
		{"SlipStdDev.Speed", m.SlipStdDev.Speed}, {"SlipStdDev.Turn", m.SlipStdDev.Turn},
		{"TurnStdDev", m.TurnStdDev}, {"TurnWalk", m.TurnWalk},
		{"SlipStdDev.Drift", m.SlipStdDev.Drift}, {"SlipStdDev.Crab", m.SlipStdDev.Crab},
	} {
		p.between("Motion."+f.name, f.v, 0, 10)
	}
	p.between("Motion.Turn", m.Turn, 0.1, 10)
	p.positive("Motion.SlipLength", m.SlipLength)
	c.Gyro.validate(&p)
	p.lever("Antenna", c.Antenna)
	switch c.Heading {
	case HeadingFromDrive, HeadingGiven:
	default:
		p.add("Heading", c.Heading, "HeadingFromDrive or HeadingGiven")
	}
	p.between("InitialYaw", c.InitialYaw, -2*math.Pi, 2*math.Pi)
	p.between("MaxYawStdDev", c.MaxYawStdDev, 0.05, math.Pi)
	p.between("InitialYawStdDev", c.InitialYawStdDev, 0, c.MaxYawStdDev)
	p.positive("DriveDistance", c.DriveDistance)
	p.between("DriveYawStdDev", c.DriveYawStdDev, 1e-6, c.MaxYawStdDev)
	p.between("GateProbability", c.GateProbability, 0.5, 1)
	p.atLeast("MaxRejections", c.MaxRejections, 1)
	p.between("LockoutYawStdDev", c.LockoutYawStdDev, 0, math.Pi)
	p.notNegativeTime("FixCorrelationTime", c.FixCorrelationTime)
	p.notNegativeTime("MaxDelay", c.MaxDelay)
	p.atLeast("HistoryLength", c.HistoryLength, 8)
	p.atLeast("MaxPending", c.MaxPending, 1)
	p.positiveTime("MaxOdometryGap", c.MaxOdometryGap)
	p.positive("MaxSpeed", c.MaxSpeed)
	p.positive("MaxTurnRate", c.MaxTurnRate)
	p.positiveTime("ResetTime", c.ResetTime)
	return p.err()
}
