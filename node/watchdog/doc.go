// Package watchdog is the node that stops a robot whose velocity commands cease. Many
// bases, such as the DiffDrive of Gazebo, hold the last command for ever: when the node
// that drives is killed, the robot drives on.
//
//	in   cmd_vel_in           geometry_msgs/Twist or TwistStamped
//	out  cmd_vel              the same type
//
// The commands are passed on as they come. When none comes for timeout although the last
// one was not zero, zeros are published for zero_time. Then the node is silent until the
// next command.
package watchdog
