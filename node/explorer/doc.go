// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package explorer is the node that explores: it combines poses and readings into observations with a belief, learns the field from them,
// chooses the next target by uGP-UCB, sends the robot there, and keeps the record.
//
//	in   odometry/filtered or pose   nav_msgs/Odometry or geometry_msgs/PoseWithCovarianceStamped
//	in   pose                        geometry_msgs/PoseWithCovarianceStamped, while no heading is known
//	in   /tf /tf_static              tf2_msgs/TFMessage, by parameter, with the covariance of pose
//	in   reading                     by parameter: ugp_explorer/FieldReading, std_msgs/Float64, …
//	in   secondary                   the same, by parameter: a second sensor; the parameter also names topics of other quantities
//	in   ~/command                   std_msgs/String: see [Words]
//	in   ekf/heading_corrected       std_msgs/Empty, if this package's filter runs
//	in   ekf/datum                   sensor_msgs/NavSatFix, the origin of this package's filter: it must equal field.datum, or replaces it if that is not set
//	in   guard/status                ugp_explorer_msgs/GuardStatus, if the guard runs
//	in   battery_state               sensor_msgs/BatteryState, for the page
//	in   ground_truth/odom ground_truth/field   nav_msgs/Odometry, sensor_msgs/PointCloud2, by parameter, for the report
//	in   <mate>/observation <mate>/status   ugp_explorer/FieldObservation, MissionStatus, of each of the parameter team
//	out  goal_pose                   geometry_msgs/PoseStamped, repeated while the robot travels
//	out  plan                        nav_msgs/Path, repeated like goal_pose; an empty path stops the robot
//	out  heading_drive               std_msgs/Float64, m/s: a drive straight ahead that finds the heading
//	act  navigate_to_pose            nav2_msgs/NavigateToPose, by parameter; goal_pose and plan are then ~/goal_pose and ~/plan
//	out  ~/suggestion                geometry_msgs/PoseStamped, latched; only if passive, instead of goal_pose and plan
//	out  ~/mean ~/stddev ~/acquisition   nav_msgs/OccupancyGrid, latched
//	out  ~/keepout                   nav_msgs/OccupancyGrid, latched: for Nav2's costmap
//	out  ~/cloud                     sensor_msgs/PointCloud2 with x, y, z, mean, stddev, latched
//	out  ~/samples ~/field           visualization_msgs/MarkerArray, latched
//	out  ~/observation ~/status      ugp_explorer/FieldObservation, MissionStatus, latched
//	out  /diagnostics                diagnostic_msgs/DiagnosticArray
//	srv  ~/start ~/pause ~/resume ~/stop ~/home ~/more ~/skip ~/save   std_srvs/Trigger
//
// A passive explorer does not move the robot: it observes while somebody else drives, live or in the replay of a bag, and suggests targets.
// Without stops (sample.stop false) it observes while the robot drives, and chooses the next target before the robot reaches the present
// one. Both are values of mission.Mode.
//
// If the mission has a folder, the explorer records bags there and keeps a journal, so that nothing published is lost and the mission can
// be resumed after a crash.
//
// Package planner/mission has the mission's rules. The loop passes it events and carries out its commands. The executor's goroutine owns
// everything; fits, searches and maps are computed on snapshots by other goroutines. These are the parts, in the order in which a reading
// passes them:
//
//	package sense, gather        make observations of poses and readings, according to the mode
//	package decide               when to learn and to choose a target
//	package learn, logbook       what is known about the field; the only writer of record, journal, bags and report
//	loop                         events in, commands out
//	package pilot                the path to a target; below it ground, edge, heading, drive
//	build, explorer              the wiring; what programs call
//	command                      commands of people
//	resume                       a mission of an earlier run
//	package parts, show          the parts, and a snapshot of the state; what is published of it
//	package team, truth          other robots, the simulation's truth
//	package settings             the table of parameters, and values derived from them and the field's size
package explorer
