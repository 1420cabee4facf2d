package ekf

import (
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros/param"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ekf"

// Values of the parameters that choose between rules.
const (
	headingDrive = "drive" // computed from driving between two fixes
	headingGiven = "given" // initial_yaw at the first fix
	odomTwist    = "twist" // integrate the velocity
	odomPose     = "pose"  // difference the pose
)

// Config holds the parameters of the filter's node.
type Config struct {
	MapFrame, BaseFrame string
	PublishTF           bool
	Odometry            string    // odomTwist or odomPose
	Datum               []float64 // longitude, latitude of the map's origin, degrees; empty: the first fix
	Filter              localization.EKFConfig
	Covariance          localization.CovarianceConfig
	IMU                 IMUConfig

	// These take the place of the fields of Filter and Covariance that they name.
	Heading            string  // Filter.Heading: headingDrive or headingGiven
	FixCorrelationTime float64 // Filter.FixCorrelationTime, s
	MaxDelay           float64 // Filter.MaxDelay, s
	ZeroCovariance     string  // Covariance.Zero: name of a localization.ZeroRule

	DiagnosticsPeriod float64 // s
}

// DefaultConfig returns the configuration for a skid-steered robot with metre-level fixes.
func DefaultConfig() Config {
	filter := localization.DefaultEKFConfig()
	// Wheels of unequal size stay unequal. The filter keeps what it has learnt about
	// them, so a robot without fixes for half a minute still knows its heading.
	filter.Motion.SlipStdDev.Drift, filter.Motion.SlipLength = 0.01, 100
	return Config{
		MapFrame: "map", BaseFrame: "base_link", PublishTF: true,
		Odometry: odomPose, Heading: headingDrive,
		ZeroCovariance:    localization.DefaultCovarianceConfig().Zero.String(),
		Filter:            filter,
		Covariance:        localization.DefaultCovarianceConfig(),
		IMU:               IMUConfig{HeadingStdDev: 0.1, HeadingCorrelationTime: 60},
		MaxDelay:          filter.MaxDelay.Seconds(),
		DiagnosticsPeriod: 1,
	}
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.String(&c.MapFrame, "map_frame", param.Describe("frame of the position fixes and of the filtered pose"))
	set.String(&c.BaseFrame, "base_frame", param.Describe("frame of the robot"))
	set.Bool(&c.PublishTF, "publish_tf", param.Describe("whether to publish the transform from map_frame to the frame of the odometry"))
	set.String(&c.Odometry, "odometry", param.OneOf(odomTwist, odomPose),
		param.Describe("part of the odometry that the filter uses: pose (the differences between poses, so that a lost message loses no motion) or twist (the velocity)"))
	set.Float64s(&c.Datum, "datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for fixes of type NavSatFix; empty: the place of the first fix, which lies elsewhere after each start; a field outline in degrees needs the same value in field.datum of the explorer"))
	set.String(&c.Heading, "heading", param.OneOf(headingDrive, headingGiven),
		param.Describe("source of the first heading: drive (computed from driving between two fixes) or given (initial_yaw)"))
	set.Float64(&c.Filter.InitialYaw, "initial_yaw", param.Unit("rad"), param.Range(-2*math.Pi, 2*math.Pi),
		param.Describe("heading of the robot at the first fix, when heading is given"))
	set.Float64(&c.Filter.InitialYawStdDev, "initial_yaw_stddev", param.Unit("rad"), param.Above(0), param.AtMost(c.Filter.MaxYawStdDev),
		param.Describe("standard deviation of initial_yaw"))
	set.Float64(&c.Filter.DriveDistance, "drive_distance", param.Unit("m"), param.Above(0),
		param.Describe("smallest distance between the two fixes from which the first heading is computed, when heading is drive"))
	set.Float64(&c.Filter.Antenna.X, "antenna.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, forward of base_frame"))
	set.Float64(&c.Filter.Antenna.Y, "antenna.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, left of base_frame"))
	set.Float64(&c.Filter.GateProbability, "gate_probability", param.Range(0.5, 1),
		param.Describe("a fix whose squared Mahalanobis distance exceeds this quantile of chi-squared is refused; 1 refuses none"))
	set.Int(&c.Filter.MaxRejections, "max_rejections", param.AtLeast(1),
		param.Describe("number of refused fixes in a row after which the filter is taken to be wrong and the next fix is accepted"))
	set.Float64(&c.FixCorrelationTime, "fix_correlation_time", param.Unit("s"), param.Range(0, 3600),
		param.Describe("correlation time of the errors of position fixes, a minute or more for satellite fixes; 0 means independent errors"))
	set.Float64(&c.MaxDelay, "max_delay", param.Unit("s"), param.Range(0, 10),
		param.Describe("a fix, odometry or yaw rate that is older than this, compared with the newest odometry, is dropped; one that is less old is used at its stamp, and the later steps are repeated"))
	set.Float64(&c.Filter.MaxSpeed, "max_speed", param.Unit("m/s"), param.Above(0),
		param.Describe("largest speed of the robot; odometry that is faster is refused as impossible"))
	set.Float64(&c.Filter.MaxTurnRate, "max_turn_rate", param.Unit("rad/s"), param.Above(0),
		param.Describe("largest turn rate of the robot; odometry that turns faster is refused as impossible"))

	set.String(&c.ZeroCovariance, "covariance.zero", param.OneOf(localization.ZeroRefuse.String(), localization.ZeroSubstitute.String()),
		param.Describe("what to do with a fix whose covariance is all zeros or of unknown type, as Gazebo sends it: refuse it, or substitute covariance.zero_stddev"))
	set.Float64(&c.Covariance.ZeroPositionStdDev, "covariance.zero_stddev", param.Unit("m"), param.AtLeast(0),
		param.Describe("standard deviation in x and y for a fix whose covariance is all zeros or of unknown type, when covariance.zero is substitute"))
	set.Float64(&c.Covariance.MaxPositionStdDev, "covariance.max_stddev", param.Unit("m"), param.Above(0),
		param.Describe("largest standard deviation of a fix in x or y; a less certain fix is refused"))

	c.IMU.declare(set, &c.Filter.Gyro)

	m := &c.Filter.Motion
	for _, p := range []struct {
		field            *float64
		name, unit, text string
	}{
		{&m.AlongPerMetre, "noise.along_per_metre", "m/sqrt(m)", "standard deviation of the random error along the path, after one metre driven"},
		{&m.AlongPerRadian, "noise.along_per_radian", "m/sqrt(rad)", "standard deviation of the random error along the path, after one radian turned"},
		{&m.AcrossPerMetre, "noise.across_per_metre", "m/sqrt(m)", "standard deviation of the random error across the path, after one metre driven"},
		{&m.AcrossPerRadian, "noise.across_per_radian", "m/sqrt(rad)", "standard deviation of the random error across the path, after one radian turned"},
		{&m.YawPerMetre, "noise.yaw_per_metre", "rad/sqrt(m)", "standard deviation of the random error of the heading, after one metre driven"},
		{&m.YawPerRadian, "noise.yaw_per_radian", "rad/sqrt(rad)", "standard deviation of the random error of the heading, after one radian turned"},
		{&m.SlipStdDev.Speed, "slip.speed_stddev", "", "standard deviation of the ratio of true speed to the odometry's speed; its mean is 1"},
		{&m.TurnStdDev, "slip.turn_stddev", "", "standard deviation of slip.turn: how far the ratio of true turn rate to the odometry's may differ from it for good; the filter learns the ratio and keeps it"},
		{&m.SlipStdDev.Turn, "slip.turn_variation", "", "standard deviation of the part of the ratio of true turn rate to the odometry's that varies with the ground"},
		{&m.SlipStdDev.Drift, "slip.drift_stddev", "rad/m", "standard deviation of the turn per metre of path that the odometry shows as straight, from wheels of unequal size"},
		{&m.SlipStdDev.Crab, "slip.crab_stddev", "", "standard deviation of the sideways motion per metre driven forward, as on a slope"},
	} {
		set.Float64(p.field, p.name, param.Unit(p.unit), param.Range(0, 10), param.Describe(p.text))
	}
	set.Float64(&m.Turn, "slip.turn", param.Range(0.1, 10),
		param.Describe("expected ratio of true turn rate to the odometry's turn rate; about track / (track + width of a wheel) for a skid-steered robot whose driver is not calibrated, 1 for a calibrated one"))
	set.Float64(&m.SlipLength, "slip.length", param.Unit("m"), param.Above(0),
		param.Describe("distance driven after which slip has lost its correlation by a factor e, except for the lasting part of the turn"))
	set.Float64(&c.DiagnosticsPeriod, "diagnostics_period", param.Unit("s"), param.Range(0.1, 60),
		param.Describe("interval between two messages on /diagnostics"))
	set.OnChange(c.Validate)
	return set
}

// Validate returns an error that names the parameters out of their ranges.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	if _, err := convert.Datum("datum", c.Datum); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	if err := c.filter().Validate(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	if err := c.covariance().Validate(); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	return nil
}

// filter returns the configuration of the filter.
func (c *Config) filter() localization.EKFConfig {
	f := c.Filter
	f.Heading = localization.HeadingFromDrive
	if c.Heading == headingGiven {
		f.Heading = localization.HeadingGiven
	}
	f.FixCorrelationTime = seconds(c.FixCorrelationTime)
	f.MaxDelay = seconds(c.MaxDelay)
	return f
}

// covariance returns the rules for the covariances of position fixes.
func (c *Config) covariance() localization.CovarianceConfig {
	rules := c.Covariance
	rules.Zero = localization.ZeroRefuse
	if c.ZeroCovariance == localization.ZeroSubstitute.String() {
		rules.Zero = localization.ZeroSubstitute
	}
	return rules
}
