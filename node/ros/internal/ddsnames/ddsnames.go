// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ddsnames converts between names in ROS 2 and in DDS, of topics, services and types.
package ddsnames

import (
	"fmt"
	"strings"

	"ugp_explorer/node/ros"
)

// Prefixes of DDS topics in ROS 2.
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
)

// Topic returns the DDS topic of the ROS topic with a full name.
func Topic(name string) string { return topicPrefix + name }

// Request returns the DDS topic of the requests to the service with a full name.
func Request(service string) string { return requestPrefix + service + "Request" }

// Reply returns the DDS topic of the replies of the service with a full name.
func Reply(service string) string { return replyPrefix + service + "Reply" }

// Type returns the DDS name of a ROS type: a/msg/B is a::msg::dds_::B_.
func Type(typ string) (string, error) {
	part := strings.Split(typ, "/")
	if len(part) != 3 || part[0] == "" || part[1] == "" || part[2] == "" {
		return "", fmt.Errorf("ros: the type %q is not of the form package/msg/Type", typ)
	}
	return part[0] + "::" + part[1] + "::dds_::" + part[2] + "_", nil
}

// rosType returns the ROS name of a DDS type, or typ itself if it is no type of ROS.
func rosType(typ string) string {
	part := strings.Split(typ, "::")
	if len(part) != 4 || part[2] != "dds_" || !strings.HasSuffix(part[3], "_") {
		return typ
	}
	return part[0] + "/" + part[1] + "/" + strings.TrimSuffix(part[3], "_")
}

// Describe returns the ROS endpoint to which a DDS endpoint belongs. ok is false for
// endpoints that ROS does not use and for the replies of services: a service is known by its
// requests.
func Describe(topic, typ string, writer bool) (kind ros.EndpointKind, name, rosTyp string, ok bool) {
	if len(topic) < 3 || topic[2] != '/' {
		return 0, "", "", false
	}
	name, rosTyp = topic[2:], rosType(typ)
	switch topic[:2] {
	case topicPrefix:
		kind = ros.SubscriptionEnd
		if writer {
			kind = ros.PublisherEnd
		}
		return kind, name, rosTyp, true
	case requestPrefix:
		if name, ok = strings.CutSuffix(name, "Request"); !ok {
			return 0, "", "", false
		}
		kind = ros.ServerEnd
		if writer {
			kind = ros.ClientEnd
		}
		return kind, name, strings.TrimSuffix(rosTyp, "_Request"), true
	}
	return 0, "", "", false
}
