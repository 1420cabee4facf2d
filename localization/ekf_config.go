package localization

import (
	"fmt"
	"math"
	"time"
)

// MotionNoise says how wheel odometry errs: by chance, and by slip.
//
// A field "PerMetre" is the deviation that has gathered by chance after one
// metre driven; it grows as the root of the distance, so the variance is the
// same into how many steps a path is cut. (The α of Probabilistic Robotics,
// §5.4, put the variance of a step at the square of its length: there a faster
// odometry makes a surer filter.) "PerRadian" is the same for turning.
type MotionNoise struct {
	AlongPerMetre   float64 // m/√m, in the direction of travel
	AlongPerRadian  float64 // m/√rad
	AcrossPerMetre  float64 // m/√m
	AcrossPerRadian float64 // m/√rad
	YawPerMetre     float64 // rad/√m
	YawPerRadian    float64 // rad/√rad

	// SlipStdDev is how far each part of Slip is from that of a perfect
	// robot. Zero switches a part off.
	SlipStdDev Slip
	// SlipLength (m) is the way over which slip stays alike: its parts are
	// stationary, with the correlation e^(−way/SlipLength). A radian turned
	// counts as a metre, since turning takes a robot over new soil too.
	SlipLength float64
}

// Slip is how true motion differs from wheel odometry's in a lasting way.
// Wheels that slip or are worn err in the same direction for minutes: no noise
// that is independent from step to step covers that and stays honest, so the
// filter has slip as a state. Over a small step of odometry (dx, dy, turn) the
// robot truly moves by
//
//	Speed·(dx, dy + Crab·dx) and turns by Turn·turn + Drift·dx
type Slip struct {
	Speed float64 // true distance over odometry's; 1 when perfect
	Turn  float64 // true turn over odometry's; 1 when perfect. Skid steer has 0.5 to 1
	Drift float64 // rad/m: turn for each metre, by wheels of unequal size
	Crab  float64 // sideways for each metre, as on a slope
}

// HeadingRule says where the first heading comes from. A first-order filter
// that starts with an unknown heading is wrong and sure of it, so this one
// waits until it has a heading worth the name.
type HeadingRule int

const (
	// HeadingFromDrive takes it from two position fixes and the odometry
	// driven between them.
	HeadingFromDrive HeadingRule = iota
	// HeadingGiven takes InitialYaw at the first fix.
	HeadingGiven
)

// String returns the rule's name in parameter files.
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
	// Antenna is the place on the robot that the position fixes tell (m, base).
	Antenna Lever

	// Heading is the rule for the first heading; InitialYaw and
	// InitialYawStdDev (rad) are used by HeadingGiven alone.
	Heading                      HeadingRule
	InitialYaw, InitialYawStdDev float64
	// DriveDistance (m) is the least distance between two fixes for
	// HeadingFromDrive, and DriveYawStdDev (rad) the deviation that the
	// heading found must have come down to.
	DriveDistance, DriveYawStdDev float64
	// MaxYawStdDev (rad): beyond it the heading is lost, first order no longer
	// holds, and the filter starts over by driving.
	MaxYawStdDev float64

	// GateProbability: a fix is refused when its squared Mahalanobis distance
	// is beyond this quantile of χ². One refuses none.
	GateProbability float64
	// MaxRejections in a row are taken as a filter that has gone astray, not as
	// bad fixes: the next one is let in, by enlarging the state's covariance
	// until the gate is passed, and the yaw's by LockoutYawStdDev² (rad).
	MaxRejections    int
	LockoutYawStdDev float64
	// FixCorrelationTime is the time over which the errors of fixes are
	// alike. Satellite fixes err alike for a minute and more; a robot that
	// stands among them must not believe their mean. A fix Δt after the last
	// has its covariance multiplied by coth(Δt/2τ), which gives the mean of an
	// exponentially correlated error its true variance. Zero: independent.
	FixCorrelationTime time.Duration

	// MaxDelay is how late a fix may come and still be put in its place in time
	// by repeating what followed it; HistoryLength bounds the steps kept.
	MaxDelay      time.Duration
	HistoryLength int
	// MaxPending is how many fixes newer than the newest odometry may wait for
	// it; beyond, the oldest is dropped.
	MaxPending int

	// MaxOdometryGap is how long a twist is believed to have held. A longer
	// silence counts as unknown motion within MaxSpeed and MaxTurnRate.
	MaxOdometryGap time.Duration
	// MaxSpeed (m/s) and MaxTurnRate (rad/s) are what the robot can do; odometry
	// beyond is refused (simulators spike at the start, drivers restart).
	MaxSpeed, MaxTurnRate float64
	// ResetJump: odometry older than the newest by more than this means that
	// time was set back, and the filter starts over.
	ResetJump time.Duration
}

// DefaultEKFConfig is for a skid-steer robot of walking pace on soil with
// metre-level fixes, its heading found by driving. The noise is on the safe
// side.
func DefaultEKFConfig() EKFConfig {
	return EKFConfig{
		Motion: MotionNoise{
			AlongPerMetre:   0.03,
			AlongPerRadian:  0.01,
			AcrossPerMetre:  0.03,
			AcrossPerRadian: 0.05,
			YawPerMetre:     0.02,
			YawPerRadian:    0.03,
			SlipStdDev:      Slip{Speed: 0.05, Turn: 0.15, Drift: 0.02, Crab: 0.03},
			SlipLength:      100,
		},
		Heading:          HeadingFromDrive,
		InitialYawStdDev: 0.1,
		DriveDistance:    3,
		DriveYawStdDev:   0.2,
		MaxYawStdDev:     1,
		GateProbability:  0.999,
		MaxRejections:    10,
		LockoutYawStdDev: 0.5,
		MaxDelay:         time.Second,
		HistoryLength:    400,
		MaxPending:       32,
		MaxOdometryGap:   time.Second,
		MaxSpeed:         3,
		MaxTurnRate:      3,
		ResetJump:        time.Second,
	}
}

// Validate returns what is wrong with c, field by field.
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
		{"SlipStdDev.Drift", m.SlipStdDev.Drift}, {"SlipStdDev.Crab", m.SlipStdDev.Crab},
	} {
		p.between("Motion."+f.name, f.v, 0, 10)
	}
	p.positive("Motion.SlipLength", m.SlipLength)
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
	p.positiveTime("ResetJump", c.ResetJump)
	return p.err()
}
