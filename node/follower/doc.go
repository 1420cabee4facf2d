// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package follower is the node that drives the robot along a path by regulated
// pure pursuit (package planner/pursuit).
//
//	in   plan or goal_pose    nav_msgs/Path or geometry_msgs/PoseStamped, map; an empty path stops
//	in   odometry/filtered    nav_msgs/Odometry, map → base_link
//	in   heading_drive        std_msgs/Float64, m/s: drive straight ahead without a pose, see below
//	out  cmd_vel              geometry_msgs/Twist or TwistStamped
//	out  lookahead_point      geometry_msgs/PointStamped, map
//	out  /diagnostics         diagnostic_msgs/DiagnosticArray
//
// If the robot is near the beginning of a path, it drives the path from there, and otherwise from the point nearest to the robot: the
// explorer repeats the original path for followers that start late.
//
// The robot is stopped when the pose is stale, when the goal has not been
// repeated for a while, and when the node ends. Before the first path, and when the
// robot has stood without a path for a while, nothing is published on cmd_vel, so that
// a person or another node can drive the robot.
//
// A robot without a pose and without a path drives straight ahead while speeds come on heading_drive at least every half second, at most at
// max_speed and 0.5 m/s, and at most for heading_drive.max_distance. A speed of 0 ends the drive.
package follower
