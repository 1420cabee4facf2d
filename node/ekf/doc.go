// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ekf is the node that estimates the robot's pose with an extended Kalman
// filter over wheel odometry, position fixes and yaw rates (filter.EKF). Position fixes come
// from a satellite receiver, or from anything that knows a place in the map.
//
//	in   odom                 nav_msgs/Odometry, odom → base_link
//	in   fix_pose             geometry_msgs/PoseWithCovarianceStamped, map
//	in   fix                  sensor_msgs/NavSatFix, by the datum: x to the east, y to the north
//	in   imu                  sensor_msgs/Imu: the yaw rate and, by parameter, the heading
//	in   /tf_static           tf2_msgs/TFMessage, base_link → frame of imu; without it, that is base_link
//	in   initialpose          geometry_msgs/PoseWithCovarianceStamped, map: start from here
//	out  odometry/filtered    nav_msgs/Odometry, map → base_link
//	out  pose                 geometry_msgs/PoseWithCovarianceStamped, map → base_link
//	out  /tf                  map → odom
//	out  ~/datum              sensor_msgs/NavSatFix, latched: the map's origin
//	out  ~/heading_corrected  std_msgs/Empty, whenever a heading that was wrong has been corrected
//	out  /diagnostics         diagnostic_msgs/DiagnosticArray
//
// Before it knows the heading, the node publishes the position on pose only, with a yaw variance of
// π², which means that the yaw is unknown (localization.Pose.HeadingKnown).
package ekf
