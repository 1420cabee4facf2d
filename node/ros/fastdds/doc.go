// Package fastdds is the transport of node/ros to a real ROS 2 graph: a
// participant of a DDS domain, on the Fast DDS of the distribution. It is behind
// the build tag fastdds; without it the package has this comment and nothing
// else.
package fastdds
