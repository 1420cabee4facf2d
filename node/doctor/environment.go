package doctor

import (
	"strconv"
	"strings"

	"ugp_explorer/node/ros/sockets"
)

// Domains above this one have ports among those that Linux gives to other programs, unless
// its range of ephemeral ports was changed: 7400 + 250·101 + … < 32768.
const safeDomain = 101

// environment examines ROS 2's variables. The transport itself refuses values that it cannot
// use, see graph.
func environment(getenv func(string) string) (found []Finding) {
	if distro := getenv("ROS_DISTRO"); distro == "" {
		found = append(found, good("ROS 2", "none is sourced, and the nodes need none; for ros2 launch, source one"))
	} else {
		found = append(found, good("ROS 2", "ROS_DISTRO is %s", distro))
	}
	switch rmw := getenv("RMW_IMPLEMENTATION"); {
	case rmw == "", rmw == "rmw_fastrtps_cpp", rmw == "rmw_cyclonedds_cpp":
		found = append(found, good("middleware", "other nodes use DDS (RMW_IMPLEMENTATION is %q)", rmw))
	case strings.Contains(rmw, "zenoh"):
		found = append(found, bad("middleware", "RMW_IMPLEMENTATION is %s: nodes that use it are not on DDS, and the explorer cannot hear them; start them with RMW_IMPLEMENTATION=rmw_fastrtps_cpp or rmw_cyclonedds_cpp", rmw))
	default:
		found = append(found, note("middleware", "RMW_IMPLEMENTATION is %s, which was not tried; rmw_fastrtps_cpp and rmw_cyclonedds_cpp were", rmw))
	}
	text := getenv("ROS_DOMAIN_ID")
	if domain, err := strconv.Atoi(text); err == nil && domain > safeDomain {
		found = append(found, note("domain", "ROS_DOMAIN_ID is %d: above %d, other programs may take its ports at random, so that a node does not start; use 0 to %[2]d", domain, safeDomain))
	} else if err == nil || text == "" {
		found = append(found, good("domain", "ROS_DOMAIN_ID is %d", domain))
	}
	return found
}

// buffers examines the largest socket buffers that the kernel grants.
func buffers(read func(string) ([]byte, error)) (found []Finding) {
	const subject = "socket buffers"
	for _, l := range sockets.Limits(read) {
		switch {
		case l.Err != nil:
			found = append(found, note(subject, "%v", l.Err))
		case l.Bytes < sockets.Wanted:
			found = append(found, note(subject, "%s is %d bytes: large maps may be lost on the way; run: %s", l.Setting, l.Bytes, l.Remedy(sockets.Wanted)))
		default:
			found = append(found, good(subject, "%s is %d bytes", l.Setting, l.Bytes))
		}
	}
	return found
}
