// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
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
	FixDelay            float64   // by which the stamps of fixes are late, s
	Filter              filter.Config
	Covariance          localization.CovarianceConfig

	// How Imu messages are used; the errors of the gyroscope are in Filter. The IMU has x forward like base
	// and, unless it is upside down, z up, or is mounted as a static transform states.
	IMU struct {
		UpsideDown    bool    // turned about its x axis: z down
		Heading       bool    // the yaw of the orientation is the heading in the map
		HeadingOffset float64 // added to the yaw, rad
	}

	// This replaces the field of Filter that it names.
	Heading string // Filter.Heading: headingDrive or headingGiven
}

const (
	// MeasuredAntenna is the standard deviation of each coordinate of the antenna's place until turns have confirmed it, m, as a person measures
	// it with a tape. With more, robots with a good receiver would be refused in narrow lanes before they can turn.
	MeasuredAntenna = 0.04
	// unknownAntenna is the same if nobody has said where the antenna is: it is seldom at the base.
	unknownAntenna = 0.2
)

// Rules returns Filter, with what is known about the antenna's place.
func (c *Config) Rules() filter.Config {
	rules := c.Filter
	if rules.Antenna != (localization.Lever{}) {
		rules.AntennaStdDev = min(rules.AntennaStdDev, MeasuredAntenna)
	}
	return rules
}

// DefaultConfig returns the configuration for a skid-steered robot with metre-level fixes.
func DefaultConfig() Config {
	rules := filter.DefaultConfig()
	rules.AntennaStdDev = unknownAntenna
	return Config{
		MapFrame: "map", BaseFrame: "base_link", PublishTF: true,
		Odometry: odomPose, Heading: headingDrive,
		Filter:     rules,
		Covariance: localization.DefaultCovarianceConfig(),
	}
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.Group("Frames and odometry")
	set.String(&c.MapFrame, "map_frame", param.Describe("frame of the position fixes and of the filtered pose"))
	set.String(&c.BaseFrame, "base_frame", param.Describe("frame of the robot"))
	set.Bool(&c.PublishTF, "publish_tf", param.Describe("whether to publish the transform from map_frame to the frame of the odometry"))
	set.String(&c.Odometry, "odometry", param.OneOf(odomTwist, odomPose),
		param.Describe("part of the odometry that the filter uses: pose (the differences between poses, so that a lost message loses no motion) or twist (the velocity)"))
	set.Group("Position and heading")
	set.Float64s(&c.Datum, "datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for fixes of type NavSatFix; empty: the place of the first fix, which changes with each start; a field outline in degrees needs the same value in field.datum of the explorer"))
	set.String(&c.Heading, "heading", param.OneOf(headingDrive, headingGiven),
		param.Describe("source of the first heading: drive (computed from driving between two fixes) or given (initial_yaw)"))
	set.Float64(&c.Filter.InitialYaw, "initial_yaw", param.Unit("rad"), param.Range(-2*math.Pi, 2*math.Pi),
		param.Describe("heading of the robot at the first fix, when heading is given"))
	set.Float64(&c.Filter.Antenna.X, "antenna.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, forward of base_frame"))
	set.Float64(&c.Filter.Antenna.Y, "antenna.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, left of base_frame"))
	set.Float64(&c.FixDelay, "fix.delay", param.Unit("s"), param.Range(-ros.MostDelay, ros.MostDelay),
		param.Describe("delay of the stamps of fixes relative to the measurements: the delay of a driver that stamps messages when it sends them, or the time by which the receiver's clock is ahead (negative: behind); the guard needs the same value"))
	set.Group("Limits of the robot")
	set.Float64(&c.Filter.MaxSpeed, "max_speed", param.Unit("m/s"), param.Above(0),
		param.Describe("largest speed of the robot; odometry that is faster by more than a tenth is refused as impossible, unless it lasts for 0.3 s: then a larger limit holds"))
	set.Float64(&c.Filter.MaxTurnRate, "max_turn_rate", param.Unit("rad/s"), param.Above(0),
		param.Describe("largest turn rate of the robot; odometry that is faster by more than a tenth is refused as impossible, unless it lasts for 0.3 s: then a larger limit holds"))

	set.Group("Covariances of fixes")
	set.Float64(&c.Covariance.ZeroPositionStdDev, "covariance.zero_stddev", param.Unit("m"), param.AtLeast(0),
		param.Describe("standard deviation in x and y for a fix whose covariance is all zeros, NaN or of unknown type, as Gazebo sends it; 0: such a fix is refused"))
	set.Float64(&c.Covariance.MaxPositionStdDev, "covariance.max_stddev", param.Unit("m"), param.Above(0),
		param.Describe("largest standard deviation of a fix in x or y; a less certain fix is refused"))

	set.Group("IMU and slip")
	set.Bool(&c.IMU.UpsideDown, "imu.upside_down",
		param.Describe("whether the IMU is mounted upside down, with its z axis down and its x axis forward; when false, its mounting is given by a static transform from base_frame to its frame; without one, its z axis is up"))
	set.Bool(&c.IMU.Heading, "imu.heading",
		param.Describe("whether the IMU's orientation is absolute, with yaw 0 to the east and counter-clockwise positive (ENU, REP-145), so that it gives the heading; leave it false for an orientation relative to the start, as Gazebo's is by default"))
	set.Float64(&c.IMU.HeadingOffset, "imu.heading_offset", param.Unit("rad"), param.Range(-2*math.Pi, 2*math.Pi),
		param.Describe("angle that is added to the IMU's yaw, when imu.heading is true: magnetic declination and mounting, or pi/2 when the driver's yaw 0 is north"))
	set.Float64(&c.Filter.Motion.Turn, "slip.turn", param.Range(0.1, 10),
		param.Describe("expected ratio of true turn rate to the odometry's turn rate; about track / (track + width of a wheel) for a skid-steered robot whose driver is not calibrated, 1 for a calibrated one; the filter learns the ratio, which may differ from this by 0.2 (standard deviation)"))
	set.OnChange(c.Validate)
	return set
}

// Validate returns an error that names the parameters out of their ranges.
func (c *Config) Validate() error {
	_, err := convert.Datum("datum", c.Datum)
	if err = errors.Join(c.Parameters().Check(), err); err != nil {
		return fmt.Errorf("ekf: %w", err)
	}
	return nil
}
