// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"strconv"
	"strings"
	"time"

	"ugp_explorer/node/process"
	"ugp_explorer/node/ros/sockets"
)

// Domains above this one have ports among those that Linux gives to other programs, unless
// its range of ephemeral ports was changed: 7400 + 250·101 + … < 32768.
const safeDomain = 101

// environment examines ROS 2's variables. The transport itself refuses values that it cannot
// use, see graph.
func (x *examiner) environment() {
	if distro := x.getenv("ROS_DISTRO"); distro == "" {
		x.say(Good, "ROS 2", "none is sourced; the nodes need none, but ros2 launch does")
	} else {
		x.say(Good, "ROS 2", "ROS_DISTRO is %s", distro)
	}
	switch rmw := x.getenv("RMW_IMPLEMENTATION"); {
	case rmw == "", rmw == "rmw_fastrtps_cpp", rmw == "rmw_cyclonedds_cpp":
		x.say(Good, "middleware", "other nodes use DDS (RMW_IMPLEMENTATION is %q)", rmw)
	case strings.Contains(rmw, "zenoh"):
		x.say(Bad, "middleware", "RMW_IMPLEMENTATION is %s: nodes that use it do not communicate over DDS, so the explorer cannot reach them; start them with RMW_IMPLEMENTATION=rmw_fastrtps_cpp or rmw_cyclonedds_cpp", rmw)
	default:
		x.say(Note, "middleware", "RMW_IMPLEMENTATION is %s, which is untested; rmw_fastrtps_cpp and rmw_cyclonedds_cpp are tested", rmw)
	}
	text := x.getenv("ROS_DOMAIN_ID")
	if domain, err := strconv.Atoi(text); err == nil && domain > safeDomain {
		x.say(Note, "domain", "ROS_DOMAIN_ID is %d: above %d, other programs may occupy its ports at random, and then a node does not start; use 0 to %[2]d", domain, safeDomain)
	} else if err == nil || text == "" {
		x.say(Good, "domain", "ROS_DOMAIN_ID is %d", domain)
	}
}

// buffers examines the largest socket buffers that the kernel grants.
func (x *examiner) buffers(read func(string) ([]byte, error)) {
	const subject = "socket buffers"
	for _, l := range sockets.Limits(read) {
		switch {
		case l.Err != nil:
			x.say(Note, subject, "%v", l.Err)
		case l.Bytes < sockets.Wanted:
			x.say(Note, subject, "%s is %d bytes: large maps may be lost in transfer; run: %s", l.Setting, l.Bytes, l.Remedy())
		default:
			x.say(Good, subject, "%s is %d bytes", l.Setting, l.Bytes)
		}
	}
}

// firstYear is the year before which a clock is certainly not set: a robot's computer without
// a battery starts in 1970 or at the date of its image.
const firstYear = 2025

// clock examines whether stamps of this machine can be compared with those of others.
func (x *examiner) clock(now time.Time) {
	const subject = "clock"
	text := now.UTC().Format(time.DateTime)
	if now.Year() < firstYear {
		x.say(Bad, subject, "the clock shows %s: stamps of poses and readings from other machines would not match; set it, or start NTP", text)
	} else if yes, known := process.Synchronised(); known && !yes {
		x.say(Note, subject, "%s, not synchronised: if poses or readings come from another machine, synchronise both by NTP or PTP", text)
	} else {
		x.say(Good, subject, "%s", text)
	}
}
