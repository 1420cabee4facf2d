// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/pursuit"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "follower"

// Names of the topics from which a goal can come.
const (
	sourcePlan = "plan"
	sourceGoal = "goal_pose"
)

// Config holds the parameters of the follower's node.
type Config struct {
	Source      string  // sourcePlan or sourceGoal
	GoalTimeout float64 // s without a repetition of the goal after which the robot is stopped
	Rate        float64 // velocity commands per second, Hz; no parameter sets it
	// BlindDistance is the longest drive without a pose, by which the localisation finds the heading, m.
	BlindDistance float64
	PoseDelay     float64 // by which the stamps of poses are late, s

	Stamped bool    // publish TwistStamped, which robots expect since ROS 2 Jazzy
	FrameID string  // frame of the pose and the goals
	Radius  float64 // of the circle round the base that contains the robot, m
	// Pursuit has NaN for lengths and the largest speed that follow Radius; New replaces it.
	Pursuit pursuit.Config
}

// DefaultConfig returns the configuration for the ATRV of the simulation. Its lengths and its
// largest speed follow from Radius.
func DefaultConfig() Config {
	c := Config{Source: sourcePlan, GoalTimeout: 5, Rate: 20, BlindDistance: 10, FrameID: "map", Radius: defaultRadius, Pursuit: pursuit.DefaultConfig()}
	// On an open field, with a position that jumps by decimetres with each fix, speed and
	// lookahead distance are larger than indoors.
	scaled.Unset(&c.Pursuit)
	return c
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.Group("Goals and messages")
	set.String(&c.Source, "goal.source", param.OneOf(sourcePlan, sourceGoal),
		param.Describe("topic from which the goal comes: plan (a path to follow) or goal_pose (a pose to drive straight to)"))
	set.Float64(&c.GoalTimeout, "goal.timeout", param.Unit("s"), param.Range(0.1, math.Inf(1)), param.Live(),
		param.Describe("time without a repetition of the goal after which the robot stops (in simulated time, only after half a second of wall time without one, too); inf: a goal stays valid for ever"))
	set.Bool(&c.Stamped, "cmd_vel_stamped",
		param.Describe("publish TwistStamped on cmd_vel, which robots expect since ROS 2 Jazzy; false publishes Twist"))
	set.Float64(&c.PoseDelay, "pose.delay", param.Unit("s"), param.Range(-ros.MostDelay, ros.MostDelay),
		param.Describe("delay of the stamps of poses, as for the explorer"))
	set.String(&c.FrameID, "frame_id",
		param.Describe("frame of poses and goals; a message in another frame is refused"))

	set.Group("Driving without a heading")
	set.Float64(&c.BlindDistance, "heading_drive.max_distance", param.Unit("m"), param.Range(0, 100), param.Live(),
		param.Describe("longest distance, computed as speed times time, that a robot without a pose drives straight ahead to find its heading, while the explorer requests it on heading_drive, at most at 0.5 m/s and max_speed; 0: it never drives without a pose"))
	set.Group("The robot")
	set.Float64(&c.Radius, "robot.radius", param.Unit("m"), param.Above(0),
		param.Describe("radius of a circle around the robot's base that contains the whole robot; the distances at which it turns, slows down and stops depend on it, and so does the default of max_speed"))

	p := &c.Pursuit
	set.Float64(&p.MaxSpeed, "max_speed", param.Unit("m/s"), param.Above(0), param.Live(), param.Auto("1.6 m/s, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.2 m/s"), param.Describe("largest forward speed"))
	set.Float64(&p.MaxTurnRate, "max_turn_rate", param.Unit("rad/s"), param.Above(0), param.Live(), param.Describe("largest turn rate"))
	set.Float64(&p.TurnRadius, "turn_radius", param.Unit("m"), param.Range(0, 20), param.Live(), param.Describe("smallest radius of curves for a robot that steers like a car and cannot turn on the spot: it then turns in arcs, back and forth, within 2 m; 0: it can turn on the spot"))
	set.Float64(&p.Acceleration, "acceleration", param.Unit("m/s^2"), param.Above(0), param.Live(), param.Describe("largest increase of speed per second"))
	set.Float64(&p.Deceleration, "deceleration", param.Unit("m/s^2"), param.Above(0), param.Live(), param.Describe("largest decrease of speed per second"))
	set.Float64(&p.MaxPoseAge, "pose_timeout", param.Unit("s"), param.Above(0), param.Live(), param.Describe("largest age of the pose; with an older pose the robot stops at once; in simulated time, it slows down, and stops at once only if no pose has come for half a second of wall time either"))
	set.OnChange(c.complete)
	return set
}

// complete gives a value to the largest speed and each length that has none, and returns an error that
// names the parameters out of their ranges.
func (c *Config) complete() error {
	scaled.Resolve(&c.Pursuit, c.Radius)
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("follower: %w", err)
	}
	if c.FrameID == "" {
		return errors.New("follower: frame_id is empty, want the frame of poses and goals")
	}
	return nil
}
