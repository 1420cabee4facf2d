package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// OdometerConfig describes wheel odometry: what the driver believes about the
// wheels, how wrong it is, and the covariance it claims.
type OdometerConfig struct {
	Period float64 // between two messages, s
	Track  float64 // true distance between left and right wheels, m

	// TurnFraction is the mean fraction of the wheels' yaw rate that the
	// driver was calibrated to (an "effective track" of Track/TurnFraction).
	TurnFraction float64

	RadiusStdDev float64 // relative error of each side's wheel radius, drawn for the run
	TrackStdDev  float64 // relative error of the track, drawn for the run
	RollStdDev   float64 // error of each side's way, m for 1 m rolled; grows with the root of the way

	// What the driver claims. Twist: standard deviations relative to speed,
	// with floors. Pose: variances that grow with the way and the turning.
	ClaimForward, ClaimLeft, ClaimYaw float64 // relative; ClaimLeft is relative to the forward speed
	FloorSpeed, FloorYawRate          float64 // m/s, rad/s
	ClaimPosePerMetre                 float64 // standard deviation of x and y, m for 1 m driven
	ClaimYawPerMetre                  float64 // standard deviation of yaw, rad for 1 m driven
	ClaimYawPerRadian                 float64 // standard deviation of yaw, rad for 1 rad turned
}

// DefaultOdometerConfig returns the odometry of the robot of DefaultPlantConfig.
// The claimed twist covers the slip of that robot's runs; like that of real
// drivers it is given as white noise, which slip is not.
func DefaultOdometerConfig() OdometerConfig {
	return OdometerConfig{
		Period: 0.05, Track: DefaultPlantConfig().Track, TurnFraction: 0.8,
		RadiusStdDev: 0.01, TrackStdDev: 0.02, RollStdDev: 0.01,
		ClaimForward: 0.05, ClaimLeft: 0.04, ClaimYaw: 0.15, FloorSpeed: 0.005, FloorYawRate: 0.005,
		ClaimPosePerMetre: 0.1, ClaimYawPerMetre: 0.05, ClaimYawPerRadian: 0.15,
	}
}

// Validate returns an error that names the first field that is not usable.
func (c OdometerConfig) Validate() error {
	if err := checkPeriod("OdometerConfig", c.Period); err != nil {
		return err
	}
	if err := checkPositive("OdometerConfig", []named{
		{"Track", c.Track}, {"TurnFraction", c.TurnFraction},
		{"FloorSpeed", c.FloorSpeed}, {"FloorYawRate", c.FloorYawRate},
	}); err != nil {
		return err
	}
	if err := checkNotNegative("OdometerConfig", []named{
		{"RadiusStdDev", c.RadiusStdDev}, {"TrackStdDev", c.TrackStdDev}, {"RollStdDev", c.RollStdDev},
		{"ClaimForward", c.ClaimForward}, {"ClaimLeft", c.ClaimLeft}, {"ClaimYaw", c.ClaimYaw},
		{"ClaimPosePerMetre", c.ClaimPosePerMetre}, {"ClaimYawPerMetre", c.ClaimYawPerMetre}, {"ClaimYawPerRadian", c.ClaimYawPerRadian},
	}); err != nil {
		return err
	}
	if c.RadiusStdDev >= 0.2 || c.TrackStdDev >= 0.2 {
		return fmt.Errorf("sim: OdometerConfig.RadiusStdDev, TrackStdDev are %v, %v: must be below 0.2", c.RadiusStdDev, c.TrackStdDev)
	}
	return nil
}

// Odometry is one message of the wheel odometry. The pose is in a frame of its
// own that began where the robot stood when the odometer was made; the twist
// is in the robot's frame. Covariances are in the order x (forward), y (left),
// yaw.
type Odometry struct {
	Stamp             int64 // ns
	Pose              Pose
	Forward, YawRate  float64 // m/s, rad/s; the driver takes the sideways speed for 0
	PoseCov, TwistCov [3][3]float64
}

// Odometer integrates what the wheels' encoders say. It is for one goroutine.
type Odometer struct {
	cfg                 OdometerConfig
	rng                 *rand.Rand
	leftScale           float64 // believed over true way
	rightScale          float64
	turnScale           float64 // believed yaw over difference of ways, rad/m
	period, next        int64
	last                int64
	leftSeen, rightSeen float64 // encoders at the last message
	pose                Pose
	distance, turned    float64 // believed, since the start
	started             bool
}

// NewOdometer returns an odometer whose pose begins at zero.
func NewOdometer(cfg OdometerConfig, rng *rand.Rand) (*Odometer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Odometer{
		cfg:        cfg,
		leftScale:  1 + cfg.RadiusStdDev*rng.NormFloat64(),
		rightScale: 1 + cfg.RadiusStdDev*rng.NormFloat64(),
		turnScale:  cfg.TurnFraction / (cfg.Track * (1 + cfg.TrackStdDev*rng.NormFloat64())),
		period:     nanoseconds(cfg.Period),
		rng:        split(rng),
	}, nil
}

// Tick tells the odometer the truth at time now (ns) and returns the message
// due then, if one is. Call it after every step of the plant; messages are on
// the first tick at or after each period. It does not allocate.
func (o *Odometer) Tick(now int64, truth PlantState) (Odometry, bool) {
	if !o.started {
		o.started = true
		o.last, o.next = now, now+o.period
		o.leftSeen, o.rightSeen = truth.LeftTravel, truth.RightTravel
		return Odometry{}, false
	}
	if now < o.next {
		return Odometry{}, false
	}
	dt := float64(now-o.last) * 1e-9
	left := o.roll(truth.LeftTravel-o.leftSeen, o.leftScale)
	right := o.roll(truth.RightTravel-o.rightSeen, o.rightScale)
	o.leftSeen, o.rightSeen = truth.LeftTravel, truth.RightTravel
	o.last = now
	o.next += o.period * ((now-o.next)/o.period + 1)

	forward, turn := (left+right)/2, (right-left)*o.turnScale
	o.pose = o.pose.moved(forward/dt, 0, turn/dt, dt)
	o.distance += math.Abs(forward)
	o.turned += math.Abs(turn)
	m := Odometry{Stamp: now, Pose: o.pose, Forward: forward / dt, YawRate: turn / dt}
	o.claim(&m)
	return m, true
}

// roll returns the way that the driver believes a side has rolled when its
// wheels truly rolled way metres.
func (o *Odometer) roll(way, scale float64) float64 {
	n := o.rng.NormFloat64()
	return way*scale + o.cfg.RollStdDev*math.Sqrt(math.Abs(way))*n
}

// claim fills in the covariances.
func (o *Odometer) claim(m *Odometry) {
	c := &o.cfg
	place := square(c.ClaimPosePerMetre)*o.distance + square(c.FloorSpeed)
	m.PoseCov[0][0], m.PoseCov[1][1] = place, place
	m.PoseCov[2][2] = square(c.ClaimYawPerMetre)*o.distance + square(c.ClaimYawPerRadian)*o.turned + square(c.FloorYawRate)
	m.TwistCov[0][0] = square(c.ClaimForward*m.Forward) + square(c.FloorSpeed)
	m.TwistCov[1][1] = square(c.ClaimLeft*m.Forward) + square(c.FloorSpeed)
	m.TwistCov[2][2] = square(c.ClaimYaw*m.YawRate) + square(c.FloorYawRate)
}

func square(v float64) float64 { return v * v }

// nanoseconds converts a duration in seconds.
func nanoseconds(s float64) int64 { return int64(math.Round(s * 1e9)) }
