package ros

import (
	"fmt"
	"time"
)

// Reliability says whether lost messages are sent again.
type Reliability uint8

const (
	Reliable Reliability = iota
	BestEffort
)

func (r Reliability) String() string {
	if r == BestEffort {
		return "best effort"
	}
	return "reliable"
}

// Durability says whether a late subscription gets messages published before it.
type Durability uint8

const (
	Volatile Durability = iota
	TransientLocal
)

func (d Durability) String() string {
	if d == TransientLocal {
		return "transient local"
	}
	return "volatile"
}

// History limits the number of messages that an endpoint keeps.
type History uint8

const (
	KeepLast History = iota
	KeepAll
)

func (h History) String() string {
	if h == KeepAll {
		return "keep all"
	}
	return "keep last"
}

// KeepAllLimit is the number of messages that an endpoint holds if it is to keep all: a
// queue without a limit would be a leak.
const KeepAllLimit = 1 << 16

// Liveliness says what shows that a publisher is alive.
type Liveliness uint8

const (
	Automatic     Liveliness = iota // its process lives
	ManualByTopic                   // it publishes
)

func (l Liveliness) String() string {
	if l == ManualByTopic {
		return "manual by topic"
	}
	return "automatic"
}

// QoS is the quality of service of an endpoint. A deadline and a lease decide which endpoints match;
// nodes of this module have none, as in ROS 2's own profiles, and nobody watches those of others.
type QoS struct {
	Reliability Reliability
	Durability  Durability
	History     History
	Depth       int           // number of messages kept with KeepLast, at least 1
	Lifespan    time.Duration // age from which a message is not delivered; 0 means never
	Deadline    time.Duration // longest time between two messages; 0 means any
	Liveliness  Liveliness
	Lease       time.Duration // time without a sign of life after which a publisher is not alive; 0 means any
}

// The profiles are those of ROS 2 (rmw/qos_profiles.h), and Latched for maps and states, Stream and
// SensorStream for messages of which each counts.

// DefaultQoS is reliable, volatile, keep-last 10.
func DefaultQoS() QoS { return QoS{Depth: 10} }

// SensorData is best effort, volatile, keep-last 5. A subscription with it matches every
// publisher.
func SensorData() QoS { return QoS{Reliability: BestEffort, Depth: 5} }

// streamDepth is the number of messages that wait for a node that is busy, or for a subscription that
// lost some on the way: those of two seconds at 50 Hz. The broadcasters of tf2_ros keep as many.
const streamDepth = 100

// Stream is DefaultQoS for messages each of which counts, such as odometry, poses and transforms:
// keep-last 100. With ten, a fast simulation overwrites what a subscription has not got yet.
func Stream() QoS { return DefaultQoS().WithDepth(streamDepth) }

// SensorStream is SensorData for subscriptions to messages each of which counts: keep-last 100. The
// last five are enough for one that needs the latest only.
func SensorStream() QoS { return SensorData().WithDepth(streamDepth) }

// Commands is DefaultQoS for messages that move a robot. It must stay volatile, so that none of them is
// kept for a subscription that comes later.
func Commands() QoS { return DefaultQoS() }

// Services is the profile of services and clients.
func Services() QoS { return QoS{Depth: 10} }

// Parameters is the profile of the parameter services.
func Parameters() QoS { return QoS{Depth: 1000} }

// ParameterEvents is the profile of /parameter_events.
func ParameterEvents() QoS { return QoS{Depth: 1000} }

// Latched is reliable, transient-local, keep-last 1: a late subscription gets the last
// message.
func Latched() QoS { return QoS{Durability: TransientLocal, Depth: 1} }

// Rosout is the profile of /rosout.
func Rosout() QoS {
	return QoS{Durability: TransientLocal, Depth: 1000, Lifespan: 10 * time.Second}
}

// ClockQoS is the profile of subscriptions to /clock.
func ClockQoS() QoS { return QoS{Reliability: BestEffort, Depth: 1} }

// WithDepth returns q with that depth and KeepLast.
func (q QoS) WithDepth(depth int) QoS {
	q.History, q.Depth = KeepLast, depth
	return q
}

// Validate returns an error that names the first invalid policy.
func (q QoS) Validate() error {
	switch {
	case q.Reliability > BestEffort:
		return fmt.Errorf("ros: QoS.Reliability is %d, want Reliable or BestEffort", q.Reliability)
	case q.Durability > TransientLocal:
		return fmt.Errorf("ros: QoS.Durability is %d, want Volatile or TransientLocal", q.Durability)
	case q.History > KeepAll:
		return fmt.Errorf("ros: QoS.History is %d, want KeepLast or KeepAll", q.History)
	case q.History == KeepLast && q.Depth < 1:
		return fmt.Errorf("ros: QoS.Depth is %d, want 1 or more", q.Depth)
	case q.Lifespan < 0:
		return fmt.Errorf("ros: QoS.Lifespan is %v, want 0 (never) or more", q.Lifespan)
	case q.Deadline < 0:
		return fmt.Errorf("ros: QoS.Deadline is %v, want 0 (none) or more", q.Deadline)
	case q.Liveliness > ManualByTopic:
		return fmt.Errorf("ros: QoS.Liveliness is %d, want Automatic or ManualByTopic", q.Liveliness)
	case q.Lease < 0:
		return fmt.Errorf("ros: QoS.Lease is %v, want 0 (none) or more", q.Lease)
	}
	return nil
}

// String returns for example "reliable, transient local, keep last 1".
func (q QoS) String() string {
	s := fmt.Sprintf("%v, %v, %v", q.Reliability, q.Durability, q.History)
	if q.History == KeepLast {
		s += fmt.Sprintf(" %d", q.Depth)
	}
	if q.Lifespan > 0 {
		s += fmt.Sprintf(", lifespan %v", q.Lifespan)
	}
	if q.Deadline > 0 {
		s += fmt.Sprintf(", deadline %v", q.Deadline)
	}
	if q.Liveliness != Automatic || q.Lease > 0 {
		s += fmt.Sprintf(", liveliness %v", q.Liveliness)
	}
	if q.Lease > 0 {
		s += fmt.Sprintf(" with a lease of %v", q.Lease)
	}
	return s
}

// Incompatible returns the reasons why a subscription does not match a publisher, one per
// policy; none if they match.
func Incompatible(offered, requested QoS) []string {
	var why []string
	if offered.Reliability == BestEffort && requested.Reliability == Reliable {
		why = append(why, "reliability: the publisher offers best effort, the subscription asks for reliable")
	}
	if offered.Durability == Volatile && requested.Durability == TransientLocal {
		why = append(why, "durability: the publisher offers volatile, the subscription asks for transient local")
	}
	if longer(offered.Deadline, requested.Deadline) {
		why = append(why, fmt.Sprintf("deadline: the publisher offers %s, the subscription asks for %s", timeText(offered.Deadline), timeText(requested.Deadline)))
	}
	if offered.Liveliness < requested.Liveliness {
		why = append(why, fmt.Sprintf("liveliness: the publisher offers %v, the subscription asks for %v", offered.Liveliness, requested.Liveliness))
	}
	if longer(offered.Lease, requested.Lease) {
		why = append(why, fmt.Sprintf("liveliness lease duration: the publisher offers %s, the subscription asks for %s", timeText(offered.Lease), timeText(requested.Lease)))
	}
	return why
}

// longer compares two durations of which 0 is infinite.
func longer(a, b time.Duration) bool { return b > 0 && (a == 0 || a > b) }

func timeText(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return d.String()
}

// Limit returns the number of messages that an endpoint with q may hold.
func (q QoS) Limit() int {
	if q.History == KeepAll {
		return KeepAllLimit
	}
	return q.Depth
}
