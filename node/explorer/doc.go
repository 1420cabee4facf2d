// Package explorer is the node that explores: it joins poses and readings into
// observations with a belief each, learns the field from them, chooses the next
// target by uGP-UCB, sends the robot there, and keeps the record.
//
//	in   odometry/filtered or pose   nav_msgs/Odometry or geometry_msgs/PoseWithCovarianceStamped
//	in   pose                        geometry_msgs/PoseWithCovarianceStamped, while no heading is known
//	in   /tf /tf_static              tf2_msgs/TFMessage, by parameter, with the covariance of pose
//	in   reading                     by parameter: ugp_explorer/FieldReading, std_msgs/Float64, …
//	in   ~/command                   std_msgs/String: start, pause, resume, stop, home, more, skip, goto x y, save
//	in   ekf/heading_corrected       std_msgs/Empty, if this package's filter runs
//	in   ekf/datum                   sensor_msgs/NavSatFix, the origin of this package's filter, which must be field.datum, or is taken for it
//	in   guard/status                diagnostic_msgs/DiagnosticStatus, if the guard runs
//	in   battery_state               sensor_msgs/BatteryState, for the page
//	in   ground_truth/odom ground_truth/field   nav_msgs/Odometry, sensor_msgs/PointCloud2, by parameter, for the report
//	in   <mate>/observation <mate>/status   ugp_explorer/FieldObservation, MissionStatus, of each of the parameter team
//	out  goal_pose                   geometry_msgs/PoseStamped, repeated while the robot travels
//	out  plan                        nav_msgs/Path, the same; empty to stop
//	out  heading_drive               std_msgs/Float64, m/s: a drive straight ahead that finds the heading
//	act  navigate_to_pose            nav2_msgs/NavigateToPose, by parameter; goal_pose and plan are then ~/goal_pose and ~/plan
//	out  ~/suggestion                geometry_msgs/PoseStamped, latched; passive only, in the place of goal_pose and plan
//	out  ~/mean ~/stddev ~/acquisition   nav_msgs/OccupancyGrid, latched
//	out  ~/keepout                   nav_msgs/OccupancyGrid, latched: for Nav2's costmap
//	out  ~/cloud                     sensor_msgs/PointCloud2 with x, y, z, mean, stddev, latched
//	out  ~/samples ~/field           visualization_msgs/MarkerArray, latched
//	out  ~/observation ~/status      ugp_explorer/FieldObservation, MissionStatus, latched
//	out  /diagnostics                diagnostic_msgs/DiagnosticArray
//	srv  ~/start ~/pause ~/resume ~/stop ~/home ~/more ~/skip ~/save   std_srvs/Trigger
//
// A passive explorer moves nothing. It observes while somebody else drives the robot: each
// stop and each piece of path becomes an observation. It learns and maps as an active one
// does, and suggests where it would send the robot, live or in the replay of a bag.
//
// Without stops (sample.stop false) an active explorer observes pieces of path too, and
// chooses the next target before the robot is at the present one: see the type driving.
//
// With a folder for the mission the explorer keeps a journal there, so that nothing that it
// has published is lost and the mission can be resumed after a crash, and records a bag: see
// package node/record/journal.
//
// Explorers of one team tell each other what they sample and where they drive: see package
// team.
//
// Package sense is the only door by which poses and readings come in. Where the robot may be is the
// business of package ground below this one, and how it is sent there that of package drive.
//
// Where to look: the files, first in the order in which a reading passes through them.
//
//	package sense                poses and readings become observations
//	explorer                     what the modes share and its wiring; the interface of the modes, which say what an
//	                             explorer does with observations
//	learn                        an observation is written and learnt; a task learns and decides
//	stops, driving, passive      the modes: a mission with stops, one without, and the explorer that moves
//	                             nothing
//	active, route                the mission: its events and commands, and what begins with the first pose; the drive
//	package edge                 waits near edges, and a robot that leaves the field
//	command                      what people say
//	package heading              the drive that finds the heading
//	resume                       a mission of an earlier run; samples from before the mission
//	package logbook              the only writer of the mission's record, journal, bags and report
//	record                       the record of now; the end of a mission
//	package show                 what others see: status, diagnostics, maps, page, log, made of a snapshot
//	view                         the snapshot of now; what is watched
//	package team, truth          other robots, the simulation's truth
//	package settings             the table of parameters, and what follows from them and the field's size
//
// The mission's rules are those of package planner/mission. The explorer tells it events and
// carries out its commands. One goroutine, the executor's, owns everything; fits, searches
// and maps are computed beside it on snapshots.
package explorer
