// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ddsnames

import (
	"testing"

	"ugp_explorer/node/ros"
)

// The names are those of rmw's mangling rules.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		topic, typ string
		writer     bool
		kind       ros.EndpointKind
		name, ros  string
		ok         bool
	}{
		{"rt/a/b", "std_msgs::msg::dds_::String_", true, ros.PublisherEnd, "/a/b", "std_msgs/msg/String", true},
		{"rt/a", "Foreign::Type", false, ros.SubscriptionEnd, "/a", "Foreign::Type", true},
		{"rq/sRequest", "std_srvs::srv::dds_::SetBool_Request_", false, ros.ServerEnd, "/s", "std_srvs/srv/SetBool", true},
		{"rq/sRequest", "std_srvs::srv::dds_::SetBool_Request_", true, ros.ClientEnd, "/s", "std_srvs/srv/SetBool", true},
		{"rr/sReply", "std_srvs::srv::dds_::SetBool_Response_", true, 0, "", "", false},
		{"ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", true, 0, "", "", false},
		{"rq/s", "x", true, 0, "", "", false},
		{"rt", "x", true, 0, "", "", false},
		{"", "", true, 0, "", "", false},
	} {
		kind, name, typ, ok := Describe(c.topic, c.typ, c.writer)
		if kind != c.kind || name != c.name || typ != c.ros || ok != c.ok {
			t.Errorf("%s of %s is %v %s of %s, %v", c.topic, c.typ, kind, name, typ, ok)
		}
	}
	if got, err := Type("nav_msgs/msg/Odometry"); got != "nav_msgs::msg::dds_::Odometry_" || err != nil {
		t.Errorf("Type: %q, %v", got, err)
	}
	for _, bad := range []string{"", "Odometry", "a/b", "a/b/c/d", "a//c"} {
		if _, err := Type(bad); err == nil {
			t.Errorf("%q is taken for a type", bad)
		}
	}
}
