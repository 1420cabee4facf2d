// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package guard is the node between all nodes that drive and the base. It passes, slows or stops velocity commands so that the robot stays
// inside its field even if filter, explorer, path follower or Nav2 are wrong: see package planner/guard. It also stops the robot when
// commands cease, since many bases hold the last command for ever, and holds it while the mission is paused, over or in the fault state, or
// the explorer is gone.
//
//	in   cmd_vel_in           geometry_msgs/Twist or TwistStamped
//	in   odom                 nav_msgs/Odometry; the velocity is used
//	in   imu                  sensor_msgs/Imu, optional; the yaw rate is used
//	in   fix_pose             geometry_msgs/PoseWithCovarianceStamped in the map frame
//	in   fix                  sensor_msgs/NavSatFix
//	in   ekf/datum            sensor_msgs/NavSatFix, the map's origin, which the parameter datum replaces
//	in   ugp_explorer/status  ugp_explorer_msgs/MissionStatus
//	in   ~/override           std_msgs/Bool, repeated while a person drives the robot and is responsible for it
//	out  cmd_vel              as cmd_vel_in
//	out  ~/status             ugp_explorer_msgs/GuardStatus, also on /diagnostics
package guard
