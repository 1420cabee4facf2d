package ros

import (
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
)

// Want is what a node wants of a topic at present.
type Want uint8

const (
	WantMessages Want = iota // an endpoint on the other side, and its messages
	WantMatch                // an endpoint on the other side: there is nothing to be said yet
	WantNothing
)

// Expect says what a node expects of a topic.
type Expect struct {
	Name    string        // of the status on /diagnostics, "pose"
	What    string        // in sentences, "a pose"
	Silence time.Duration // between two messages that is nothing unusual; 5 s at least
	Age     time.Duration // of a stamp that is nothing unusual; 5 s at least
	Want    func() Want   // nil: WantMessages always
}

func (e *Expect) want() Want {
	if e.Want == nil {
		return WantMessages
	}
	return e.Want()
}

// Input is a subscription that a Watch looks after. The node tells it of messages
// that it cannot use.
type Input struct {
	Expect
	node *Node
	sub  *Subscription

	refused   uint64
	reason    error  // why the last one was refused; nil: a good one came since
	used      uint64 // good messages when last looked
	malformed uint64 // of the subscription when a good one was last seen
	skew      int64  // node's time less the last stamp, ns
	unstamped bool   // the last stamp was zero
}

// mostSkew is the age or the earliness of a stamp that two clocks that are set, a
// slow filter and a slow network do not make, ns.
const mostSkew = int64(5 * time.Second)

// FrameError says that a message is in another frame than the node works in.
type FrameError struct{ Frame, Want string }

func (e *FrameError) Error() string {
	return fmt.Sprintf("it is in the frame %q, and %q is wanted", e.Frame, e.Want)
}

// Input has the watch look after a subscription.
func (w *Watch) Input(s *Subscription, e Expect) *Input {
	in := &Input{Expect: e, node: w.node, sub: s}
	w.add(&watched{name: e.Name, level: slog.LevelWarn, check: in.check, why: in.Why, values: in.values})
	return in
}

// Refused says that the node cannot use the message that it was given, and why: at
// most once a message.
func (in *Input) Refused(reason error) {
	in.refused++
	in.reason = reason
}

// Stamped says what stamp, ns, a message has that the node was given.
func (in *Input) Stamped(stamp int64) {
	in.skew, in.unstamped = in.node.Now()-stamp, stamp == 0
}

func (in *Input) skewed() bool {
	return in.unstamped || in.skew > max(mostSkew, int64(in.Age)) || in.skew < -mostSkew
}

func (in *Input) check() int {
	good := in.sub.Received() - in.sub.Malformed() - in.refused
	came := good != in.used
	if in.used = good; came {
		in.malformed = in.sub.Malformed()
		in.reason = nil
	}
	want := in.want()
	switch {
	case want == WantNothing, came && !in.skewed():
		return 0
	case in.sub.Matched() == 0, in.skewed(), in.reason != nil, in.sub.Malformed() != in.malformed:
		return watchPatience
	case want == WantMatch:
		return 0
	case in.used == 0:
		return watchPatience
	}
	return max(watchPatience, int(in.Silence/watchPeriod))
}

// Why returns what is wrong with the topic now, in a sentence.
func (in *Input) Why() string {
	switch {
	case in.sub.Matched() == 0:
		return in.waiting() + ": " + in.node.absence(in.sub.Info())
	case in.reason != nil:
		return fmt.Sprintf("%s: what %s publishes is refused: %v", in.waiting(), in.peers(), in.reason)
	case in.sub.Malformed() != in.malformed:
		return fmt.Sprintf("%s: what %s publishes cannot be decoded%s", in.waiting(), in.peers(), in.node.strangers(in.sub.Info()))
	case in.skewed():
		return fmt.Sprintf("%s with stamps of this node's clock: those of %s are %s", in.waiting(), in.peers(), in.skewText())
	}
	more := ""
	if in.sub.Received() > 0 {
		more = " more"
	}
	return fmt.Sprintf("%s: %s is there, but nothing%s was received%s", in.waiting(), in.peers(), more, in.node.strangers(in.sub.Info()))
}

func (in *Input) waiting() string {
	return "waiting for " + in.What + " on " + topicAndType(in.sub.Info())
}

func (in *Input) peers() string { return in.node.peers(in.sub.Info()) }

// simulatedBefore tells times of a simulation, which begin at 0, from the wall
// clock's, ns: no robot of today has its clock in 2001.
const simulatedBefore = int64(1_000_000_000 * time.Second)

func (in *Input) skewText() string {
	now := in.node.Now()
	stamp := now - in.skew
	switch {
	case in.unstamped:
		return "zero"
	case stamp >= simulatedBefore && now < simulatedBefore:
		return "of the wall clock, and this node's time is simulated: use_sim_time is set on one side only"
	case stamp < simulatedBefore && now >= simulatedBefore:
		return "of a simulation, and this node goes by the wall clock: use_sim_time is set on one side only"
	case in.skew > 0:
		return fmt.Sprintf("%v behind: a clock that is not set, or a bag played without --clock", time.Duration(in.skew).Round(time.Second))
	}
	return fmt.Sprintf("%v ahead: a clock that is not set", time.Duration(-in.skew).Round(time.Second))
}

func (in *Input) values() []diagnostic_msgs.KeyValue {
	info := in.sub.Info()
	values := []diagnostic_msgs.KeyValue{
		{Key: "topic", Value: info.Name},
		{Key: "type", Value: info.Type},
		{Key: "publishers", Value: strconv.Itoa(in.sub.Matched())},
	}
	for _, c := range []struct {
		key string
		n   uint64
	}{{"received", in.sub.Received()}, {"refused", in.refused}, {"not decoded", in.sub.Malformed()}, {"dropped", in.sub.Dropped()}} {
		values = append(values, diagnostic_msgs.KeyValue{Key: c.key, Value: strconv.FormatUint(c.n, 10)})
	}
	return values
}
