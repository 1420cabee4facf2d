// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package fieldsim is the node that simulates the field and, unless another simulator does,
// the robot. It drives a simulated robot with the commands on cmd_vel and publishes the
// readings of its sensors, the time, and the truth.
//
//	in   cmd_vel              geometry_msgs/Twist or TwistStamped
//	in   ugp_explorer/status  ugp_explorer/MissionStatus: a clock that runs faster than the wall clock waits for this status
//	out  odom                 nav_msgs/Odometry, odom → base_link, drifting
//	out  fix_pose             geometry_msgs/PoseWithCovarianceStamped, map
//	out  fix                  sensor_msgs/NavSatFix, instead of fix_pose if fix.datum is given
//	out  imu                  sensor_msgs/Imu, base_link: the yaw rate, if imu.publish is true
//	out  reading              ugp_explorer/FieldReading, or what reading.type says
//	out  /clock               rosgraph_msgs/Clock
//	out  /tf                  odom → base_link
//	out  ground_truth/odom    nav_msgs/Odometry, map → base_link, exact
//	out  ground_truth/field   sensor_msgs/PointCloud2, latched: the true field
//
// With robot.source: odometry another simulator, such as Gazebo, moves the robot and sets the time. The node then takes the true pose and
// publishes the reading of a probe there:
//
//	in   ground_truth/odom    nav_msgs/Odometry, map → base_link, exact
//	out  fix_pose or fix      as above; unless fix.publish is false
//	out  reading              ugp_explorer/FieldReading, or what reading.type says
//	out  ground_truth/field   sensor_msgs/PointCloud2, latched: the true field
//
// With covariances.publish, it also republishes the messages of the other simulator's sensors with covariances:
//
//	in   odom, imu, fix       nav_msgs/Odometry, sensor_msgs/Imu, sensor_msgs/NavSatFix
//	out  odom_with_covariance, imu_with_covariance, fix_with_covariance
package fieldsim
