package explorer

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
)

// PoseConfig says which poses are used, and how a reading gets its pose.
type PoseConfig struct {
	PoseSource string // sense.Odometry, Pose or TF
	BaseFrame  string // of the robot, for sense.TF
	Covariance localization.CovarianceConfig
	Matcher    localization.MatcherConfig
}

func (c *PoseConfig) declare(set *param.Set) {
	set.String(&c.PoseSource, "pose.source", param.OneOf(sense.Odometry, sense.Pose, sense.TF),
		param.Describe("source of the pose with its covariance: odometry (the topic odometry/filtered), pose (the topic pose) or tf (the pose on /tf with the last covariance on the topic pose, for a localisation such as AMCL that publishes its pose only after the robot has moved)"))
	set.String(&c.BaseFrame, "pose.base_frame",
		param.Describe("frame of the robot on /tf, when pose.source is tf"))
	set.Float64(&c.Covariance.ZeroPositionStdDev, "pose.zero_stddev", param.Unit("m"), param.AtLeast(0),
		param.Describe("standard deviation in x and y of a pose whose covariance is all zeros, as Gazebo sends it; 0: such a pose is refused"))
	set.Float64(&c.Matcher.Probe.X, "probe.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, forward of its base"))
	set.Float64(&c.Matcher.Probe.Y, "probe.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, left of its base"))
}

func (c *PoseConfig) validate() error {
	if c.BaseFrame == "" {
		return errors.New("pose.base_frame is empty, want the frame of the robot on /tf")
	}
	return nil
}

// covariance returns the rules for the covariances of poses. Before the field is known, an
// limit of the position is that of a spacious field.
func (c *PoseConfig) covariance() localization.CovarianceConfig {
	rules := c.Covariance
	if math.IsNaN(rules.MaxPositionStdDev) {
		rules.MaxPositionStdDev = mostUncertain
	}
	return rules
}

// gapShare is the longest time between two poses across which the pose of a reading is interpolated,
// relative to pose.timeout: a robot that drives on for so long without a pose does not drive straight
// ahead all the time.
const gapShare = 1.0 / 4

// Sense returns which poses and readings are used.
func (c *Config) Sense() sense.Config {
	rules := sense.Config{
		Source: c.PoseSource, Frame: c.Frame, BaseFrame: c.BaseFrame, Headless: c.Passive, PoseTimeout: c.Mission.PoseTimeout,
		Covariance: c.covariance(), Matcher: c.Matcher,
		Type: c.Reading.Type, StdDev: c.Reading.StdDev, Delay: c.Reading.Delay, Silence: c.Mission.SampleTimeout / 6,
		Combine: c.Reading.stop(), Readings: c.Reading.Count, Wait: c.Reading.Wait,
		PieceLength: c.Path.Length, PieceTime: c.Path.Time, Standing: c.Mission.ArrivalSpeed, Settle: c.Mission.SettleTime,
	}
	rules.Matcher.Buffer.MaxGap = seconds(gapShare * c.Mission.PoseTimeout)
	return rules
}

// NewChecker returns a checker of poses with these rules.
func (c *PoseConfig) NewChecker() (*localization.Checker, error) {
	return localization.NewChecker(c.covariance())
}

// ReadingConfig says what a reading is and how many readings make a sample.
type ReadingConfig struct {
	Type      string                  // one of sense.ReadingNames
	Transform string                  // name of a record.Transform
	StdDev    float64                 // of a reading that states no variance; 0: such a reading is refused
	Delay     float64                 // between the measurement and its message, for types without a stamp, s
	AtStops   bool                    // the robot stops at its targets to sample; false: it samples while it drives
	Count     int                     // readings that make a sample
	Wait      float64                 // time after which fewer readings make a sample, s; NaN: it follows from the time that a sample takes
	Stop      localization.StopConfig // its ReadingStdDev is that of StdDev if StdDev is above 0
}

func (c *ReadingConfig) declare(set *param.Set) {
	set.String(&c.Type, "reading.type", param.OneOf(sense.ReadingNames()...),
		param.Describe("message type of the topic reading"))
	set.String(&c.Transform, "reading.transform", param.OneOf(string(record.TransformNone), string(record.TransformLog10), string(record.TransformLn)),
		param.Describe("transform of a reading for the model; the report keeps the unit of the readings"))
	set.Float64(&c.Delay, "reading.delay", param.Unit("s"), param.Range(0, 60),
		param.Describe("delay between a measurement and its message, for message types without a stamp"))
	set.Float64(&c.StdDev, "reading.stddev", param.Unit("reading"), param.AtLeast(0),
		param.Describe("standard deviation of the noise of a reading that does not state its variance; 0: such a reading is refused"))
	set.Bool(&c.AtStops, "sample.stop",
		param.Describe("stop at each target to take a sample; false, for a sensor that measures continuously: every path.length metres of the way make an observation, the robot drives on from target to target, and budget.samples must be 0"))
	set.Int(&c.Count, "sample.readings", param.Range(1, 1000),
		param.Describe("number of readings that make a sample"))
}

func (c *ReadingConfig) validate() error {
	if !sense.StatesVariance(c.Type) && c.StdDev == 0 {
		return fmt.Errorf("reading.stddev is 0: a %s states no variance, so give the standard deviation of one reading, above 0", c.Type)
	}
	return nil
}

// stop returns how the readings of an observation are combined.
func (c *ReadingConfig) stop() localization.StopConfig {
	rules := c.Stop
	if c.StdDev > 0 {
		rules.ReadingStdDev = c.StdDev
	}
	return rules
}

// PathConfig says how the readings that come while the robot drives are divided into
// observations, by a passive explorer and in a mission without stops. A piece of path ends with the first reading that comes Length
// or Time after the first one of the piece; 0 means no such end. If both are 0, only
// stops are observed.
type PathConfig struct {
	Length float64 // m
	Time   float64 // s
	Every  int     // observations between two decisions
}

func (c *PathConfig) declare(set *param.Set) {
	set.Float64(&c.Length, "path.length", param.Unit("m"), param.AtLeast(0), automatics.Option("path.length"),
		param.Describe("when passive is true or sample.stop false: length of path whose readings make an observation while the robot drives, or less after a minute; 0: only the minute ends it"))
}
