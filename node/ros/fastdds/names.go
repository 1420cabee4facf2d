//go:build fastdds

package fastdds

import (
	"fmt"
	"strings"

	"ugp_explorer/node/ros"
)

// ROS 2's prefixes of DDS topics.
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
)

func requestTopic(service string) string { return requestPrefix + service + "Request" }
func replyTopic(service string) string   { return replyPrefix + service + "Reply" }

// ddsType returns the DDS name of a ROS type: a/msg/B is a::msg::dds_::B_.
func ddsType(typ string) (string, error) {
	part := strings.Split(typ, "/")
	if len(part) != 3 || part[0] == "" || part[1] == "" || part[2] == "" {
		return "", fmt.Errorf("ros/fastdds: the type %q is not of the form package/msg/Type", typ)
	}
	return part[0] + "::" + part[1] + "::dds_::" + part[2] + "_", nil
}

// rosType returns the ROS name of a DDS type; a name that is not ROS's stays as
// it is.
func rosType(typ string) string {
	part := strings.Split(typ, "::")
	if len(part) != 4 || part[2] != "dds_" || !strings.HasSuffix(part[3], "_") {
		return typ
	}
	return part[0] + "/" + part[1] + "/" + strings.TrimSuffix(part[3], "_")
}

// describe returns the ROS endpoint that a DDS endpoint is. ok is false for
// those that are not ROS's, and for the second half of services.
func describe(topic, typ string, writer bool) (kind ros.EndpointKind, name, rosTyp string, ok bool) {
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

// userField returns the value of key in user data of the form "key=value;…".
func userField(userData, key string) string {
	for _, f := range strings.Split(userData, ";") {
		if k, v, ok := strings.Cut(f, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// isCyclone reports whether a GUID is of Eclipse Cyclone DDS: its prefix begins
// with the vendor's number.
func isCyclone(g ros.GUID) bool { return g[0] == 0x01 && g[1] == 0x10 }

// isReader reports whether a GUID is a reader's (RTPS 2.3, table 9.1).
func isReader(g ros.GUID) bool { return g[15]&0x3f == 0x04 || g[15]&0x3f == 0x07 }

// prefix is what the GUIDs of one participant have in common.
type prefix [12]byte

func prefixOf(g ros.GUID) prefix { return prefix(g[:12]) }
