package ekf

import (
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ekf"

// Values of the parameters that choose between rules.
const (
	headingDrive = "drive" // from driving between two fixes
	headingGiven = "given" // initial_yaw at the first fix
	odomTwist    = "twist" // integrate the velocity
	odomPose     = "pose"  // difference the pose
)

// Config is everything that the filter's node can be told.
type Config struct {
	MapFrame, BaseFrame string
	PublishTF           bool
	Odometry            string // odomTwist or odomPose
	Heading             string // headingDrive or headingGiven
	ZeroCovariance      string // localization's word for the rule
	Filter              localization.EKFConfig
	Covariance          localization.CovarianceConfig
	FixCorrelationTime  float64 // s
	MaxDelay            float64 // s
	DiagnosticsPeriod   float64 // s
}

// DefaultConfig returns a filter for a skid-steered robot with metre-level fixes.
func DefaultConfig() Config {
	filter := localization.DefaultEKFConfig()
	// Wheels of unequal size stay so: what is learnt of them is kept, and a robot
	// that loses its fixes for half a minute still knows where it looks.
	filter.Motion.SlipStdDev.Drift, filter.Motion.SlipLength = 0.01, 100
	return Config{
		MapFrame: "map", BaseFrame: "base_link", PublishTF: true,
		Odometry: odomPose, Heading: headingDrive,
		ZeroCovariance:    localization.DefaultCovarianceConfig().Zero.String(),
		Filter:            filter,
		Covariance:        localization.DefaultCovarianceConfig(),
		MaxDelay:          filter.MaxDelay.Seconds(),
		DiagnosticsPeriod: 1,
	}
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *ros.ParameterSet {
	set := ros.NewParameterSet()
	set.String(&c.MapFrame, "map_frame", ros.ReadOnly(), ros.Describe("frame of fixes and of the filtered pose"))
	set.String(&c.BaseFrame, "base_frame", ros.ReadOnly(), ros.Describe("frame of the robot"))
	set.Bool(&c.PublishTF, "publish_tf", ros.ReadOnly(), ros.Describe("publish the transform from the map to the odometry's frame"))
	set.String(&c.Odometry, "odometry", ros.OneOf(odomTwist, odomPose), ros.ReadOnly(),
		ros.Describe("what of the odometry is used: the differences of its pose, in which a lost message loses nothing, or its velocity"))
	set.String(&c.Heading, "heading", ros.OneOf(headingDrive, headingGiven), ros.ReadOnly(),
		ros.Describe("where the first heading comes from: from driving between two fixes, or initial_yaw"))
	set.Float64(&c.Filter.InitialYaw, "initial_yaw", ros.Unit("rad"), ros.Range(-2*math.Pi, 2*math.Pi), ros.ReadOnly(),
		ros.Describe("heading at the first fix"))
	set.Float64(&c.Filter.InitialYawStdDev, "initial_yaw_stddev", ros.Unit("rad"), ros.Above(0), ros.AtMost(c.Filter.MaxYawStdDev), ros.ReadOnly(),
		ros.Describe("its standard deviation"))
	set.Float64(&c.Filter.DriveDistance, "drive_distance", ros.Unit("m"), ros.Above(0), ros.ReadOnly(),
		ros.Describe("least distance between the two fixes that give the first heading"))
	set.Float64(&c.Filter.Antenna.X, "antenna.x", ros.Unit("m"), ros.Range(-10, 10), ros.ReadOnly(),
		ros.Describe("place of the antenna on the robot, forward of its base"))
	set.Float64(&c.Filter.Antenna.Y, "antenna.y", ros.Unit("m"), ros.Range(-10, 10), ros.ReadOnly(),
		ros.Describe("place of the antenna on the robot, left of its base"))
	set.Float64(&c.Filter.GateProbability, "gate_probability", ros.Range(0.5, 1), ros.ReadOnly(),
		ros.Describe("a fix beyond this quantile of its Mahalanobis distance is refused; 1: none is"))
	set.Int(&c.Filter.MaxRejections, "max_rejections", ros.AtLeast(1), ros.ReadOnly(),
		ros.Describe("after so many refusals in a row the filter, not the fixes, is taken to be wrong"))
	set.Float64(&c.FixCorrelationTime, "fix_correlation_time", ros.Unit("s"), ros.Range(0, 3600), ros.ReadOnly(),
		ros.Describe("time over which errors of fixes are alike, as those of satellite fixes are; 0: independent"))
	set.Float64(&c.MaxDelay, "max_delay", ros.Unit("s"), ros.Range(0, 10), ros.ReadOnly(),
		ros.Describe("a fix that comes later than this after its stamp is dropped"))
	set.Float64(&c.Filter.MaxSpeed, "max_speed", ros.Unit("m/s"), ros.Above(0), ros.ReadOnly(),
		ros.Describe("faster odometry is refused as impossible"))
	set.Float64(&c.Filter.MaxTurnRate, "max_turn_rate", ros.Unit("rad/s"), ros.Above(0), ros.ReadOnly(),
		ros.Describe("odometry that turns faster is refused as impossible"))

	set.String(&c.ZeroCovariance, "covariance.zero", ros.OneOf(localization.ZeroRefuse.String(), localization.ZeroSubstitute.String()), ros.ReadOnly(),
		ros.Describe("rule for a fix whose covariance is all zeros, as Gazebo sends it"))
	set.Float64(&c.Covariance.ZeroPositionStdDev, "covariance.zero_stddev", ros.Unit("m"), ros.AtLeast(0), ros.ReadOnly(),
		ros.Describe("deviation in x and y put in place of zeros"))
	set.Float64(&c.Covariance.MaxPositionStdDev, "covariance.max_stddev", ros.Unit("m"), ros.Above(0), ros.ReadOnly(),
		ros.Describe("a fix less certain than this is refused"))

	m := &c.Filter.Motion
	for _, p := range []struct {
		field            *float64
		name, unit, text string
	}{
		{&m.AlongPerMetre, "noise.along_per_metre", "m/sqrt(m)", "error along the way for each metre driven"},
		{&m.AlongPerRadian, "noise.along_per_radian", "m/sqrt(rad)", "error along the way for each radian turned"},
		{&m.AcrossPerMetre, "noise.across_per_metre", "m/sqrt(m)", "sideways slip for each metre driven"},
		{&m.AcrossPerRadian, "noise.across_per_radian", "m/sqrt(rad)", "sideways slip for each radian turned"},
		{&m.YawPerMetre, "noise.yaw_per_metre", "rad/sqrt(m)", "error of the heading for each metre driven"},
		{&m.YawPerRadian, "noise.yaw_per_radian", "rad/sqrt(rad)", "error of the heading for each radian turned"},
		{&m.SlipStdDev.Speed, "slip.speed_stddev", "", "how far true speed over odometry's is from one"},
		{&m.SlipStdDev.Turn, "slip.turn_stddev", "", "how far true turn rate over odometry's is from one: skidding"},
		{&m.SlipStdDev.Drift, "slip.drift_stddev", "rad/m", "turn for each metre driven straight"},
		{&m.SlipStdDev.Crab, "slip.crab_stddev", "", "sideways way for each metre driven forward, as on a slope"},
	} {
		set.Float64(p.field, p.name, ros.Unit(p.unit), ros.Range(0, 10), ros.ReadOnly(), ros.Describe(p.text))
	}
	set.Float64(&m.SlipLength, "slip.length", ros.Unit("m"), ros.Above(0), ros.ReadOnly(),
		ros.Describe("way over which slip stays alike"))
	set.Float64(&c.DiagnosticsPeriod, "diagnostics_period", ros.Unit("s"), ros.Range(0.1, 60), ros.ReadOnly(),
		ros.Describe("between two messages on /diagnostics"))
	set.OnChange(c.Validate)
	return set
}

// Validate names the parameters that are out of their ranges, and takes over the
// values that the filter's configuration has in another form.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	c.Filter.Heading = localization.HeadingFromDrive
	if c.Heading == headingGiven {
		c.Filter.Heading = localization.HeadingGiven
	}
	c.Covariance.Zero = localization.ZeroRefuse
	if c.ZeroCovariance == localization.ZeroSubstitute.String() {
		c.Covariance.Zero = localization.ZeroSubstitute
	}
	c.Filter.FixCorrelationTime = seconds(c.FixCorrelationTime)
	c.Filter.MaxDelay = seconds(c.MaxDelay)
	if err := c.Filter.Validate(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	if err := c.Covariance.Validate(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	return nil
}
