// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"encoding/hex"
	"fmt"
)

// Endpoint describes an endpoint that a node opens.
type Endpoint struct {
	Node     string // full name of the node of the endpoint
	Name     string // full name of the topic or service, remapped
	Type     string // ROS type name, "nav_msgs/msg/Odometry" or "std_srvs/srv/Trigger"
	TypeHash string // RIHS01 hash of REP-2011, "" if unknown
	QoS      QoS
}

// EndpointKind distinguishes the ends of topics and services.
type EndpointKind uint8

const (
	PublisherEnd EndpointKind = iota
	SubscriptionEnd
	ServerEnd
	ClientEnd
)

func (k EndpointKind) String() string {
	return [...]string{"publisher", "subscription", "server", "client"}[k]
}

// Opposite returns the kind on the other side: publishers meet subscriptions, servers
// meet clients.
func (k EndpointKind) Opposite() EndpointKind { return k ^ 1 }

// EndpointInfo is an endpoint as the graph shows it.
type EndpointInfo struct {
	Endpoint
	Kind EndpointKind
	GUID GUID
}

// Owner returns the full name of the endpoint's node. For an endpoint without a node, or
// whose node was not announced yet, it returns a description.
func (e EndpointInfo) Owner() string {
	if e.Node == "" {
		return fmt.Sprintf("a %v without a node's name", e.Kind)
	}
	return e.Node
}

// GUID identifies an endpoint in its graph.
type GUID [16]byte

// String returns the 32 hexadecimal digits of g.
func (g GUID) String() string { return hex.EncodeToString(g[:]) }

// Mismatch returns the reasons why two endpoints of the same name do not match, none if
// they do.
func Mismatch(a, b EndpointInfo) []string {
	if a.Type != b.Type {
		return []string{fmt.Sprintf("type: the %v has %s, the %v has %s", a.Kind, a.Type, b.Kind, b.Type)}
	}
	if a.TypeHash != "" && b.TypeHash != "" && a.TypeHash != b.TypeHash {
		return []string{fmt.Sprintf("definition of %s: the %v has %s, the %v has %s", a.Type, a.Kind, a.TypeHash, b.Kind, b.TypeHash)}
	}
	switch {
	case a.Kind == PublisherEnd:
		return incompatible(a.QoS, b.QoS)
	case b.Kind == PublisherEnd:
		return incompatible(b.QoS, a.QoS)
	}
	return nil
}
