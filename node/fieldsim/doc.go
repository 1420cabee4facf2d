// Package fieldsim is the node that stands in for the robot and its field: it
// drives a simulated robot by cmd_vel and publishes what its sensors say, the
// time, and the truth.
//
//	in   cmd_vel              geometry_msgs/Twist
//	out  odom                 nav_msgs/Odometry, odom → base_link, drifting
//	out  fix_pose             geometry_msgs/PoseWithCovarianceStamped, map
//	out  reading              ugp_explorer/FieldReading
//	out  /clock               rosgraph_msgs/Clock
//	out  ground_truth/odom    nav_msgs/Odometry, map → base_link, exact
//	out  ground_truth/field   sensor_msgs/PointCloud2, latched: the true field
package fieldsim
