// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/sim"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "fieldsim"

// Config holds the parameters of the simulated world, and more that only a program sets.
type Config struct {
	Seed int64
	Rate float64 // steps of the plant and messages on /clock per second, Hz
	// Speed is the number of simulated seconds per second of the wall clock. Only a
	// separate process uses it: in-process simulated time runs as fast as possible.
	Speed float64

	Source  string    // who moves the robot: sourcePlant or sourceOdometry
	Stamped bool      // cmd_vel is of TwistStamped
	Start   []float64 // x, y (m), yaw (rad); empty: just inside the field's south-west corner

	Field     FieldConfig
	Obstacles []float64 // x, y and radius of each, m; none of the other nodes knows them, and when the robot drives against one its wheels turn and it stays
	Plant     sim.PlantConfig
	Odometer  sim.OdometerConfig
	// PublishFix is false where another simulator has the receiver.
	PublishFix bool
	Datum      []float64 // longitude, latitude of the map's origin, degrees: fixes are NavSatFix; empty: poses in the map
	Fix        sim.FixConfig
	Receiver   string // one of Receivers; "": those of Trace or, without one, white errors
	Trace      string // file with the errors of a recorded receiver; "": none
	// AntennaX and AntennaY are the place of the receiver's antenna, forward and left of
	// the robot's base, m.
	AntennaX, AntennaY float64
	// Shadow has the corners x, y, x, y … of an area in which the fixes are poor, m; empty: there is none.
	// A filter that uses the covariance of the fixes is less certain of the robot's pose there.
	Shadow     []float64
	PublishIMU bool // of the robot that this node simulates
	Gyro       sim.GyroConfig
	Probe      sim.ProbeConfig
	Reading    string  // message type of the probe's readings, one of the keys of readings
	Secondary  float64 // correlation with the true field of what a second sensor measures, in [-1, 1]; NaN: there is none

	// PublishCovariances says whether another simulator's sensor messages are published once more
	// with covariances, see startCovariances.
	PublishCovariances bool
}

// Values of the parameter robot.source.
const (
	sourcePlant    = "plant"    // this node simulates the robot
	sourceOdometry = "odometry" // another simulator moves the robot and publishes its true pose
)

// receiverWhite is the value of the parameter fix.receiver for white errors.
const receiverWhite = "white"

// Receivers returns the values of the parameter fix.receiver.
func Receivers() []string { return append([]string{receiverWhite}, sim.Receivers()...) }

// DefaultConfig returns the synthetic farm and the default robot of package sim.
func DefaultConfig() Config {
	fix := sim.DefaultFixConfig()
	fix.StdDev = math.NaN()
	return Config{
		Rate:       20,
		Speed:      1,
		Source:     sourcePlant,
		Plant:      sim.DefaultPlantConfig(),
		Odometer:   sim.DefaultOdometerConfig(),
		PublishFix: true,
		Fix:        fix,
		Gyro:       sim.DefaultGyroConfig(),
		Probe:      sim.DefaultProbeConfig(),
		Reading:    "FieldReading",
		Secondary:  math.NaN(),
		Field:      FieldConfig{Shape: shapeSpherical},
	}
}

// FixesOpen reports whether the parameters leave the errors of position fixes open.
func (c *Config) FixesOpen() bool {
	return c.Receiver == "" && c.Trace == "" && math.IsNaN(c.Fix.StdDev)
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.Group("The world")
	set.Int64(&c.Seed, "seed", param.Range(0, math.MaxInt32),
		param.Describe("seed of the field, the robot and its sensors; the same seed gives the same world"))
	set.Float64(&c.Speed, "clock.speed", param.Range(0.01, 1000),
		param.Describe("simulated seconds per second of the wall clock, for a separate process; with a value other than 1 the other nodes need use_sim_time"))
	set.Float64s(&c.Start, "start", param.Unit("m, m, rad"),
		param.Describe("x, y and yaw of the robot at the start; empty: just inside the field's south-west corner"))
	set.String(&c.Field.File, "field.file", param.File(),
		param.Describe("point data from which the true field is kriged: a CSV file with named columns, or a file in the format of Broom's Barn; empty: a synthetic field"))
	set.String(&c.Field.Column, "field.value_column",
		param.Describe("column of field.file with the quantity; empty: log10 K in the format of Broom's Barn, otherwise the only remaining column"))
	set.Float64(&c.Field.Range, "field.range", param.Unit("m"), param.Range(0, 1e6),
		param.Describe("range of the variogram of a synthetic field; 0: 426 m as at Broom's Barn, or 0.6 of the side of a square of the field's area if that is less"))
	set.String(&c.Field.Shape, "field.shape", param.OneOf(shapeSpherical, shapeExponential, shapeMatern),
		param.Describe("shape of the variogram of a synthetic field: exponential (rough), spherical (as at Broom's Barn) or matern52 (smooth); with exponential and matern52, field.range is the distance at which 95 % of the sill is reached"))
	set.String(&c.Field.Boundary, "field.boundary_file", param.File(),
		param.Describe("GeoJSON file with the outline of the field; empty: the outline of the point data, or the synthetic farm"))
	set.Float64s(&c.Field.Datum, "field.datum", param.Unit("deg, deg"),
		param.Describe("longitude and latitude of the map's origin, for a field boundary or point data in degrees; empty: they are in metres"))

	set.Group("The robot")
	set.String(&c.Source, "robot.source", param.OneOf(sourcePlant, sourceOdometry),
		param.Describe("what moves the robot: plant (this node simulates it, obeys cmd_vel and publishes /clock, odom and ground_truth/odom) or odometry (another simulator, such as Gazebo, publishes the true pose on ground_truth/odom)"))
	set.Bool(&c.Stamped, "cmd_vel_stamped",
		param.Describe("the plant obeys TwistStamped on cmd_vel, which robots expect since ROS 2 Jazzy; false: Twist"))

	set.Group("Position fixes and IMU")
	set.Bool(&c.PublishFix, "fix.publish",
		param.Describe("whether to publish position fixes; false where another simulator publishes them"))
	set.Float64s(&c.Datum, "fix.datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin; when given, position fixes are NavSatFix on fix, as of a satellite receiver; empty: they are PoseWithCovarianceStamped on fix_pose"))
	set.Float64(&c.AntennaX, "fix.antenna_x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the receiver's antenna on the robot, forward of its base"))
	set.Float64(&c.AntennaY, "fix.antenna_y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the receiver's antenna on the robot, left of its base"))
	set.Float64(&c.Fix.Period, "fix.period", param.Unit("s"), param.Range(0.01, 3600),
		param.Describe("interval between two position fixes"))
	set.String(&c.Receiver, "fix.receiver", param.OneOf(append([]string{""}, Receivers()...)...),
		param.Describe("errors of the position fixes: white (independent, with fix.stddev), or those of a real receiver, most of which last for minutes, with the standard deviation that it states: rtk, rtk_float and rtk_mixed (a status that changes), dgps, consumer (one frequency, open sky), consumer_trees (beside trees or buildings), phone; exact has no error, for comparison; empty: those of fix.trace or, without one, white"))
	set.String(&c.Trace, "fix.trace", param.File(),
		param.Describe("CSV file with the errors of a recorded receiver, which replace those of fix.receiver: columns t_s, east_err_m, north_err_m and, if known, stated_stddev_m and status (single, dgps, rtk_float, rtk_fixed); playback begins at a fix that the seed chooses and turns back at the ends, and gaps in the file are the only outages"))
	set.Float64(&c.Fix.StdDev, "fix.stddev", param.Unit("m"), param.Range(0.001, 100), param.Auto("1 m; with fix.trace, the root mean square of the recorded errors with the same status"),
		param.Describe("with fix.receiver white, standard deviation of the error of a fix in x and y, which its covariance states; with fix.trace, the standard deviation that is stated where the recording has none"))
	set.Float64(&c.Fix.OutageGap, "fix.outage_gap", param.Unit("s"), param.Range(0, 1e6),
		param.Describe("mean time between two outages of the fixes; 0: no outages"))
	set.Float64(&c.Fix.OutageLength, "fix.outage_length", param.Unit("s"), param.Range(0.1, 1e6),
		param.Describe("mean length of an outage"))

	set.Float64s(&c.Shadow, "fix.shadow", param.Unit("m"),
		param.Describe("corners x, y, x, y … of an area with poor position fixes, such as beside a wood: errors there are ten times as large (three times with fix.receiver or fix.trace), as covariances state; empty: no such area"))

	set.Bool(&c.PublishIMU, "imu.publish",
		param.Describe("whether the simulated robot has an IMU that publishes the yaw rate on imu; with robot.source odometry, it has none"))

	set.Group("The probe")
	set.Float64(&c.Probe.Forward, "probe.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, forward of its base"))
	set.Float64(&c.Probe.Left, "probe.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, left of its base"))
	set.String(&c.Reading, "reading.type", param.OneOf(slices.Sorted(maps.Keys(readings))...),
		param.Describe("message type of the topic reading, the explorer's reading.type; Float32 and Float64 state no variance"))
	set.Float64(&c.Probe.StdDev, "probe.stddev", param.Unit("field's unit"), param.Range(0, 1e9),
		param.Describe("standard deviation of the noise of one reading, whose variance the reading states"))
	set.Float64(&c.Probe.Period, "probe.period", param.Unit("s"), param.Range(0.01, 3600),
		param.Describe("mean interval between two readings of the probe"))
	set.Float64(&c.Probe.Jitter, "probe.jitter", param.Unit("s"), param.Range(0, 3600),
		param.Describe("largest deviation of the interval between two readings from probe.period, which must be larger"))
	set.Bool(&c.Probe.OnlyStanding, "probe.only_standing",
		param.Describe("whether the probe reads only while the robot stands still"))
	set.Group("The second sensor")
	set.Float64(&c.Secondary, "secondary.correlation", param.Range(-1, 1), param.Auto("there is no such sensor"),
		param.Describe("correlation with the true field of the conductivity that a second sensor measures every 2 s, while the robot drives and stands, with noise of 1 mS/m, on the topic secondary; its mean over the field is 50 mS/m, and its standard deviation 10 mS/m"))
	set.Group("For another simulator")
	set.Bool(&c.PublishCovariances, "covariances.publish",
		param.Describe("with robot.source odometry, republish odom, imu and fix as odom_with_covariance, imu_with_covariance and fix_with_covariance, for filters that need covariances in messages; those from Gazebo are zero"))
	return set
}

// ClockSource reports whether the node publishes /clock.
func (c *Config) ClockSource() bool { return c.Source == sourcePlant }

// validate returns an error that names the first parameter out of its range.
func (c *Config) validate() error {
	if len(c.Start) != 0 && len(c.Start) != 3 {
		return fmt.Errorf("fieldsim: start has %d numbers, want none or x, y, yaw", len(c.Start))
	}
	for _, v := range c.Start {
		if !num.Finite(v) {
			return fmt.Errorf("fieldsim: start is %v: want finite numbers", c.Start)
		}
	}
	for name, datum := range map[string][]float64{"field.datum": c.Field.Datum, "fix.datum": c.Datum} {
		if _, err := convert.Datum(name, datum); err != nil {
			return fmt.Errorf("fieldsim: %w", err)
		}
	}
	if n := len(c.Shadow); n%2 != 0 || n != 0 && n < 6 {
		return fmt.Errorf("fieldsim: fix.shadow has %d numbers, want none, or x and y of at least 3 corners", n)
	}
	if p := c.Probe; p.Jitter >= p.Period {
		return fmt.Errorf("fieldsim: probe.jitter is %g s, want less than probe.period, %g s", p.Jitter, p.Period)
	}
	return nil
}
