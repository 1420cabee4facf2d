// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"strings"
	"testing"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
)

// endpoints of the explorer that ROS 2 would have so: kind, topic, type, quality of
// service, and the type's hash.
var endpoints = [][4]string{
	{"reader rt/odometry/filtered", "nav_msgs::msg::dds_::Odometry_", "best_effort volatile", msgs.TypeHash((*nav_msgs.Odometry)(nil).TypeName())},
	{"reader rt/reading", "ugp_explorer::msg::dds_::FieldReading_", "best_effort volatile", msgs.TypeHash((*ugp_explorer_msgs.FieldReading)(nil).TypeName())},
	{"reader rt/ugp_explorer/command", "std_msgs::msg::dds_::String_", "reliable volatile", msgs.TypeHash((*std_msgs.String)(nil).TypeName())},
	{"writer rt/goal_pose", "geometry_msgs::msg::dds_::PoseStamped_", "reliable volatile", msgs.TypeHash((*geometry_msgs.PoseStamped)(nil).TypeName())},
	{"writer rt/plan", "nav_msgs::msg::dds_::Path_", "reliable volatile", msgs.TypeHash((*nav_msgs.Path)(nil).TypeName())},
	{"writer rt/ugp_explorer/mean", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched", msgs.TypeHash((*nav_msgs.OccupancyGrid)(nil).TypeName())},
	{"writer rt/ugp_explorer/stddev", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched", msgs.TypeHash((*nav_msgs.OccupancyGrid)(nil).TypeName())},
	{"writer rt/ugp_explorer/acquisition", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched", msgs.TypeHash((*nav_msgs.OccupancyGrid)(nil).TypeName())},
	{"writer rt/ugp_explorer/cloud", "sensor_msgs::msg::dds_::PointCloud2_", "reliable latched", msgs.TypeHash((*sensor_msgs.PointCloud2)(nil).TypeName())},
	{"writer rt/ugp_explorer/samples", "visualization_msgs::msg::dds_::MarkerArray_", "reliable latched", msgs.TypeHash((*visualization_msgs.MarkerArray)(nil).TypeName())},
	{"writer rt/ugp_explorer/field", "visualization_msgs::msg::dds_::MarkerArray_", "reliable latched", msgs.TypeHash((*visualization_msgs.MarkerArray)(nil).TypeName())},
	{"writer rt/ugp_explorer/keepout", "nav_msgs::msg::dds_::OccupancyGrid_", "reliable latched", msgs.TypeHash((*nav_msgs.OccupancyGrid)(nil).TypeName())},
	{"writer rt/ugp_explorer/observation", "ugp_explorer::msg::dds_::FieldObservation_", "reliable latched", msgs.TypeHash((*ugp_explorer_msgs.FieldObservation)(nil).TypeName())},
	{"writer rt/ugp_explorer/status", "ugp_explorer::msg::dds_::MissionStatus_", "reliable latched", msgs.TypeHash((*ugp_explorer_msgs.MissionStatus)(nil).TypeName())},
	{"writer rt/diagnostics", "diagnostic_msgs::msg::dds_::DiagnosticArray_", "reliable volatile", ""},
	{"writer rt/rosout", "rcl_interfaces::msg::dds_::Log_", "reliable latched", ""},
	{"writer rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_", "reliable volatile", ""},
	// Of Jazzy.
	{"reader rq/ugp_explorer/startRequest", "std_srvs::srv::dds_::Trigger_Request_", "reliable volatile", msgs.TypeHash((*std_srvs.TriggerRequest)(nil).TypeName())},
	{"writer rr/ugp_explorer/startReply", "std_srvs::srv::dds_::Trigger_Response_", "reliable volatile", msgs.TypeHash((*std_srvs.TriggerResponse)(nil).TypeName())},
	{"reader rq/ugp_explorer/set_parametersRequest", "rcl_interfaces::srv::dds_::SetParameters_Request_", "reliable volatile", msgs.TypeHash((*rcl_interfaces.SetParametersRequest)(nil).TypeName())},
	{"writer rr/ugp_explorer/set_parametersReply", "rcl_interfaces::srv::dds_::SetParameters_Response_", "reliable volatile", msgs.TypeHash((*rcl_interfaces.SetParametersResponse)(nil).TypeName())},
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
	for _, want := range endpoints {
		got := found[want[0]]
		if len(got) != 4 || got[0] != want[1] || got[1]+" "+got[2] != want[2] || want[3] != "" && !strings.HasSuffix(";"+got[3], ";typehash="+want[3]+";") {
			t.Errorf("%s is %q, want %q", want[0], got, want[1:])
		}
	}
}
