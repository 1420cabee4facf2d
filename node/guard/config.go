// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"errors"
	"fmt"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "guard"

// Config holds the parameters of the guard's node.
type Config struct {
	Timeout  float64 // s without a command after which a moving robot is stopped
	ZeroTime float64 // s for which zeros are repeated then
	Stamped  bool    // both topics carry TwistStamped, which robots expect since ROS 2 Jazzy

	File       string    // GeoJSON file with the outline; empty: no fence, unless Outline is set
	FieldDatum []float64 // of a file in degrees: longitude, latitude of the map's origin
	Allowance  float64   // m
	Datum      []float64 // of satellite fixes: longitude, latitude of the map's origin; empty: FieldDatum, else ekf/datum
	MapFrame   string
	AntennaX   float64 // m, forward of the base
	AntennaY   float64 // m, left of the base
	FixDelay   float64 // by which the stamps of fixes are late, s
	FixStdDev  float64 // m, of a fix that states none; 0: such fixes are not used

	// Outline is used instead of File by a program that has it. It is not a parameter.
	Outline field.Field
}

// DefaultConfig returns the configuration for a follower at its default rate of 20 Hz.
func DefaultConfig() Config { return Config{Timeout: 0.5, ZeroTime: 2, MapFrame: "map"} }

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.Group("Commands")
	set.Float64(&c.Timeout, "timeout", param.Unit("s"), param.Range(0.05, 60), param.Live(),
		param.Describe("time without a command on cmd_vel_in after which a moving robot is stopped (in simulated time, only after 0.2 s of wall time without one, too)"))
	set.Float64(&c.ZeroTime, "zero_time", param.Unit("s"), param.Range(0.1, 3600), param.Live(),
		param.Describe("time for which zero velocities are repeated on cmd_vel to stop the robot"))
	set.Bool(&c.Stamped, "cmd_vel_stamped",
		param.Describe("use TwistStamped on cmd_vel_in and cmd_vel, which robots expect since ROS 2 Jazzy; false: Twist"))
	set.Group("The field")
	set.String(&c.File, "field.file", param.File(),
		param.Describe("GeoJSON file with the outline of the field and its keep-outs, as for the explorer; if it does not exist yet, the guard waits for it and holds the robot during missions; empty: the robot is not kept inside a field"))
	set.Float64s(&c.FieldDatum, "field.datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for a field.file in degrees"))
	set.Float64(&c.Allowance, "allowance", param.Unit("m"), param.Range(0, 1000),
		param.Describe("largest distance by which the robot may leave the outline, or enter a keep-out, at worst; 0 suits a receiver of centimetre accuracy; with metre accuracy, about 25 m are needed to use the whole field at full speed, see guard/status and ugp doctor"))
	set.Group("Fixes")
	set.Float64s(&c.Datum, "datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for fixes of type NavSatFix; empty: field.datum, or the first one that the filter publishes on ekf/datum"))
	set.String(&c.MapFrame, "map_frame", param.Describe("frame of the outline and of the fixes on fix_pose"))
	set.Float64(&c.AntennaX, "antenna.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, forward of its base"))
	set.Float64(&c.AntennaY, "antenna.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the antenna on the robot, left of its base"))
	set.Float64(&c.FixDelay, "fix.delay", param.Unit("s"), param.Range(-ros.MostDelay, ros.MostDelay),
		param.Describe("delay of the stamps of fixes relative to the measurements, as for the filter"))
	set.Float64(&c.FixStdDev, "fix_stddev", param.Unit("m"), param.Range(0, 100),
		param.Describe("standard deviation of a fix whose covariance is all zeros, NaN or of unknown type, as Gazebo sends it; 0: such a fix is not used"))
	return set
}

// validate returns an error that names the parameters out of their ranges.
func (c *Config) validate() error {
	_, ofField := convert.Datum("field.datum", c.FieldDatum)
	_, ofFixes := convert.Datum("datum", c.Datum)
	if err := errors.Join(c.Parameters().Check(), ofField, ofFixes); err != nil {
		return fmt.Errorf("guard: %w", err)
	}
	return nil
}
