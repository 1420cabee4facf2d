// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"strings"
	"testing"

	"ugp_explorer/msgs"
)

// endpoints of the explorer that ROS 2 would have so: kind and topic, type, quality of service.
var endpoints = [][3]string{
	{"reader rt/odometry/filtered", "nav_msgs::msg::dds_::Odometry_", "best_effort volatile"},
	{"reader rt/reading", "ugp_explorer::msg::dds_::FieldReading_", "best_effort volatile"},
	{"reader rt/ugp_explorer/command", "std_msgs::msg::dds_::String_", "reliable volatile"},
	{"writer rt/goal_pose", "geometry_msgs::msg::dds_::PoseStamped_", "reliable volatile"},
	{"writer rt/plan", "nav_msgs::msg::dds_::Path_", "reliable volatile"},
	{"writer rt/ugp_explorer/mean", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched"},
	{"writer rt/ugp_explorer/stddev", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched"},
	{"writer rt/ugp_explorer/acquisition", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched"},
	{"writer rt/ugp_explorer/cloud", "sensor_msgs::msg::dds_::PointCloud2_", "reliable latched"},
	{"writer rt/ugp_explorer/samples", "visualization_msgs::msg::dds_::MarkerArray_", "reliable latched"},
	{"writer rt/ugp_explorer/field", "visualization_msgs::msg::dds_::MarkerArray_", "reliable latched"},
	{"writer rt/ugp_explorer/keepout", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched"},
	{"writer rt/ugp_explorer/observation", "ugp_explorer::msg::dds_::FieldObservation_", "reliable latched"},
	{"writer rt/ugp_explorer/status", "ugp_explorer::msg::dds_::MissionStatus_", "reliable latched"},
	{"writer rt/diagnostics", "diagnostic_msgs::msg::dds_::DiagnosticArray_", "reliable volatile"},
	{"writer rt/rosout", "rcl_interfaces::msg::dds_::Log_", "reliable latched"},
	{"writer rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_", "reliable volatile"},
	// Of Jazzy.
	{"reader rq/ugp_explorer/startRequest", "std_srvs::srv::dds_::Trigger_Request_", "reliable volatile"},
	{"writer rr/ugp_explorer/startReply", "std_srvs::srv::dds_::Trigger_Response_", "reliable volatile"},
	{"reader rq/ugp_explorer/set_parametersRequest", "rcl_interfaces::srv::dds_::SetParameters_Request_", "reliable volatile"},
	{"writer rr/ugp_explorer/set_parametersReply", "rcl_interfaces::srv::dds_::SetParameters_Response_", "reliable volatile"},
}

// checkGraph: the robot ends only when ros_discovery_info lists the very endpoints
// that DDS discovers; here are the ones that a ROS 2 node of this kind has.
func checkGraph(t *testing.T, h heard, gid string) {
	t.Helper()
	if got := h.one(t, "gid")[0]; got != gid {
		t.Errorf("Gids have %s bytes, want %s", got, gid)
	}
	node := strings.Join(h.one(t, "node"), " ")
	if !strings.HasPrefix(node, "ugp_explorer readers ") || !strings.HasSuffix(node, " participant enclave=/;") {
		t.Errorf("the node is told as %q", node)
	}
	found := map[string][]string{}
	for _, e := range h["endpoint"] {
		found[e[0]+" "+e[1]] = e[2:]
	}
	rosName := strings.NewReplacer("::dds_::", "/", "::", "/")
	for _, want := range endpoints {
		got, hash := found[want[0]], msgs.TypeHash(rosName.Replace(strings.TrimSuffix(want[1], "_")))
		if len(got) != 4 || got[0] != want[1] || got[1]+" "+got[2] != want[2] || hash == "" || !strings.HasSuffix(";"+got[3], ";typehash="+hash+";") {
			t.Errorf("%s is %q, want %q with the hash %q", want[0], got, want[1:], hash)
		}
	}
}
