package ros

import (
	"fmt"
	"time"
)

// Reliability says whether what was lost on the way is sent again.
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

// Durability says whether a subscription that comes late gets what was
// published before it.
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

// History says how many messages an endpoint keeps.
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

// KeepAllLimit is how many messages an in-process endpoint holds when it is
// asked to keep all of them: a queue without bound would be a leak.
const KeepAllLimit = 1 << 16

// QoS is the quality of service of an endpoint. Policies that it does not name
// (deadline, liveliness) are infinite or automatic, as in ROS 2's own profiles.
type QoS struct {
	Reliability Reliability
	Durability  Durability
	History     History
	Depth       int           // messages kept with KeepLast, at least 1
	Lifespan    time.Duration // age at which a message is no longer delivered; 0 is never
}

// ROS 2's profiles (rmw/qos_profiles.h), and Latched for maps and states.

// DefaultQoS is reliable, volatile, keep-last 10.
func DefaultQoS() QoS { return QoS{Depth: 10} }

// SensorData is best effort, volatile, keep-last 5: it subscribes to anything.
func SensorData() QoS { return QoS{Reliability: BestEffort, Depth: 5} }

// Services is the profile of services and clients.
func Services() QoS { return QoS{Depth: 10} }

// Parameters is the profile of the parameter services.
func Parameters() QoS { return QoS{Depth: 1000} }

// ParameterEvents is the profile of /parameter_events.
func ParameterEvents() QoS { return QoS{Depth: 1000} }

// Latched is reliable, transient-local, keep-last 1: a late subscription gets
// the last message.
func Latched() QoS { return QoS{Durability: TransientLocal, Depth: 1} }

// Rosout is the profile of /rosout.
func Rosout() QoS {
	return QoS{Durability: TransientLocal, Depth: 1000, Lifespan: 10 * time.Second}
}

// ClockQoS is the profile of subscriptions to /clock.
func ClockQoS() QoS { return QoS{Reliability: BestEffort, Depth: 1} }

// WithDepth returns q with another depth.
func (q QoS) WithDepth(depth int) QoS {
	q.History, q.Depth = KeepLast, depth
	return q
}

// Validate returns an error that names the policy that makes no sense.
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
	return s
}

// Incompatible returns why a subscription that requests so much gets nothing
// from a publisher that offers less, one reason a policy; none when they match.
func Incompatible(offered, requested QoS) []string {
	var why []string
	if offered.Reliability == BestEffort && requested.Reliability == Reliable {
		why = append(why, "reliability: the publisher offers best effort, the subscription asks for reliable")
	}
	if offered.Durability == Volatile && requested.Durability == TransientLocal {
		why = append(why, "durability: the publisher offers volatile, the subscription asks for transient local")
	}
	return why
}

// Limit returns the number of messages that an endpoint with q may hold.
func (q QoS) Limit() int {
	if q.History == KeepAll {
		return KeepAllLimit
	}
	return q.Depth
}
