// Package follower is the node that drives the robot along a path by regulated
// pure pursuit (package planner/pursuit).
//
//	in   plan or goal_pose    nav_msgs/Path or geometry_msgs/PoseStamped, map; an empty path stops
//	in   odometry/filtered    nav_msgs/Odometry, map → base_link
//	out  cmd_vel              geometry_msgs/Twist or TwistStamped
//	out  lookahead_point      geometry_msgs/PointStamped, map
//	out  /diagnostics         diagnostic_msgs/DiagnosticArray
//
// The robot is stopped when the pose is stale, when the goal has not been
// repeated for a while, and when the node ends. Before the first path, and when the
// robot has stood without a path for a while, nothing is published on cmd_vel, so that
// a person or another node can drive the robot.
package follower
