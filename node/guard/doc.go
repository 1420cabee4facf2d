// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package guard is the node between everything that drives and the base. It passes, slows or
// stops velocity commands so that the robot stays inside its field whatever the filter, the
// explorer, the path follower or Nav2 believe: see package planner/guard. It also stops a robot
// whose commands cease, since many bases hold the last command for ever, and holds a robot whose
// mission is paused, over or in the fault state, or whose explorer is gone.
//
//	in   cmd_vel_in           geometry_msgs/Twist or TwistStamped
//	in   odom                 nav_msgs/Odometry, of which the velocity is used
//	in   imu                  sensor_msgs/Imu, of which the yaw rate is used, if there is one
//	in   fix_pose             geometry_msgs/PoseWithCovarianceStamped in the map frame
//	in   fix                  sensor_msgs/NavSatFix
//	in   ekf/datum            sensor_msgs/NavSatFix, the map's origin, unless the parameter datum is set
//	in   ugp_explorer/status  ugp_explorer_msgs/MissionStatus
//	in   ~/override           std_msgs/Bool, repeated while a person answers for the robot
//	out  cmd_vel              as cmd_vel_in
//	out  ~/status             ugp_explorer_msgs/GuardStatus, also on /diagnostics
package guard
