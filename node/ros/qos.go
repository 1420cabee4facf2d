// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"fmt"
	"time"
)

// QoS is the quality of service of an endpoint: the policies that nodes of this module set. Other
// nodes may also offer or request a deadline or a liveliness; ours offer neither, like ROS 2's own
// profiles.
type QoS struct {
	Depth          int           // number of messages kept, at least 1; 0 of another participant's endpoint: unknown
	BestEffort     bool          // lost messages are not sent again; otherwise the endpoint is reliable
	TransientLocal bool          // a late subscription gets messages published before it; otherwise the endpoint is volatile
	Lifespan       time.Duration // age from which a message is not delivered; 0 means never
}

// The profiles are those of ROS 2 (rmw/qos_profiles.h), and Latched for maps and states, Stream and
// SensorStream for messages of which each counts.

// DefaultQoS is reliable, volatile, keep-last 10. Services and clients have it, too.
func DefaultQoS() QoS { return QoS{Depth: 10} }

// SensorData is best effort, volatile, keep-last 5. A subscription with it matches every
// publisher.
func SensorData() QoS { return QoS{Depth: 5, BestEffort: true} }

// streamDepth is the number of messages that wait for a node that is busy, or for a subscription that
// lost some on the way: those of two seconds at 50 Hz. The broadcasters of tf2_ros keep as many.
const streamDepth = 100

// Stream is DefaultQoS for messages each of which counts, such as odometry, poses and transforms:
// keep-last 100. With ten, a fast simulation overwrites messages that a subscription has not received yet.
func Stream() QoS { return DefaultQoS().WithDepth(streamDepth) }

// SensorStream is SensorData for subscriptions to messages each of which counts: keep-last 100. The
// last five are enough for one that needs the latest only.
func SensorStream() QoS { return SensorData().WithDepth(streamDepth) }

// Commands is DefaultQoS for messages that move a robot. It must stay volatile, so that none of them is
// kept for a subscription that comes later.
func Commands() QoS { return DefaultQoS() }

// Parameters is the profile of the parameter services and of /parameter_events.
func Parameters() QoS { return QoS{Depth: 1000} }

// Latched is reliable, transient-local, keep-last 1: a late subscription gets the last
// message.
func Latched() QoS { return QoS{Depth: 1, TransientLocal: true} }

// rosoutQoS is the profile of /rosout.
func rosoutQoS() QoS { return QoS{Depth: 1000, TransientLocal: true, Lifespan: 10 * time.Second} }

// ClockQoS is the profile of subscriptions to /clock.
func ClockQoS() QoS { return QoS{Depth: 1, BestEffort: true} }

// WithDepth returns q with that depth.
func (q QoS) WithDepth(depth int) QoS {
	q.Depth = depth
	return q
}

// Validate returns an error if the depth or the lifespan is invalid.
func (q QoS) Validate() error {
	switch {
	case q.Depth < 1:
		return fmt.Errorf("ros: QoS.Depth is %d, want 1 or more", q.Depth)
	case q.Lifespan < 0:
		return fmt.Errorf("ros: QoS.Lifespan is %v, want 0 (never) or more", q.Lifespan)
	}
	return nil
}

// incompatible returns the reasons why a subscription does not match a publisher, one per
// policy; none if they match.
func incompatible(offered, requested QoS) []string {
	var why []string
	if offered.BestEffort && !requested.BestEffort {
		why = append(why, "reliability: the publisher offers best effort, the subscription asks for reliable")
	}
	if !offered.TransientLocal && requested.TransientLocal {
		why = append(why, "durability: the publisher offers volatile, the subscription asks for transient local")
	}
	return why
}
