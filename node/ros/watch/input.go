// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path"
	"slices"
	"strconv"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// Want is what a node needs from a topic at present.
type Want uint8

const (
	WantMessages Want = iota // an endpoint on the other side, and messages from it
	WantMatch                // an endpoint on the other side
	WantNothing
)

// Expect describes what a node expects from a topic.
type Expect struct {
	Name    string        // of the status on /diagnostics: "pose"
	What    string        // in sentences: "a pose"
	Silence time.Duration // normal time between two messages; at least 5 s are allowed
	Age     time.Duration // age of a stamp up to which messages can be used; 0: 5 s
	Want    func() Want   // nil: always WantMessages
	Offers  Offers        // nil: Any
	Delay   string        // parameter of the node that corrects a known delay of the stamps; "": there is none
	Reasons bool          // a sender that is silent may say on /diagnostics why
}

// Offers says which other topics a sentence may suggest for a missing one: it must not suggest a topic of the same type
// with another meaning.
type Offers func(topic string) bool

// Any offers all topics of the type.
func Any(string) bool { return true }

// Nothing offers no topic: velocities for a guard must not reach the base directly.
func Nothing(string) bool { return false }

// Measured offers no topic of a filter, such as robot_localization's odometry: an estimate is not a measurement, and would confirm
// itself. Nor does it offer the map's origin, a place given by a person, or the ground truth of a simulation.
func Measured(topic string) bool {
	folder, name := path.Split(topic)
	return !slices.Contains([]string{"filtered", "pose", "initialpose", "datum"}, name) && !slices.Contains([]string{"odometry", "ground_truth"}, path.Base(folder))
}

// offers returns the rule for topics that may be suggested.
func (e *Expect) offers() Offers {
	if e.Offers == nil {
		return Any
	}
	return e.Offers
}

// unless says that the messages of an input are needed unless only the other one has a publisher.
func unless(own, other *ros.Subscription) func() Want {
	return func() Want {
		if own.Matched() == 0 && other.Matched() > 0 {
			return WantNothing
		}
		return WantMessages
	}
}

func (e *Expect) want() Want {
	if e.Want == nil {
		return WantMessages
	}
	return e.Want()
}

// Input is a subscription that a Watch checks. The node reports to it the messages that
// it cannot use.
type Input struct {
	Expect
	node *ros.Node
	sub  *ros.Subscription
	told *watched

	refused   uint64
	reason    error  // why the last one was refused; nil after a good message
	used      uint64 // good messages at the last check
	malformed uint64 // malformed messages at the last good one
	skew      int64  // node's time minus the last stamp, ns
	stamped   bool   // there was one
	unstamped bool   // the last stamp was zero
	reasons   reasons
}

const (
	// mostSkew is the difference between a stamp and the node's time, ns, that a slow filter
	// and a slow network do not exceed if both clocks are set.
	mostSkew = int64(5 * time.Second)
	// late is the age of a stamp, ns, above which a person should know about it.
	late = int64(time.Second)
)

// FrameError is a message in a frame other than the one that the node uses.
type FrameError struct{ Frame, Want string }

func (e *FrameError) Error() string {
	return fmt.Sprintf("it is in the frame %q, want %q", e.Frame, e.Want)
}

// Input adds a subscription.
func (w *Watch) Input(s *ros.Subscription, e Expect) *Input {
	in := &Input{Expect: e, node: w.node, sub: s}
	in.told = &watched{name: e.Name, input: in, level: slog.LevelWarn, check: in.check, why: in.Why, values: in.values}
	w.add(in.told)
	return in
}

// Told returns the problem that the watch reports at present, "" for none.
func (in *Input) Told() string { return in.told.sentence }

// longestGap is the longest time without position fixes that is normal: trees hide satellites.
const longestGap = 2 * time.Minute

// Fixes is a topic with position fixes.
type Fixes struct {
	*Input
	Stamps ros.FixStamps
}

// Fixes adds both forms of position fixes, in the map and of a satellite receiver, one of which is
// needed. age is the normal age of a stamp, see [Expect], and late their known delay, s.
func (w *Watch) Fixes(fix, navSat *ros.Subscription, age time.Duration, late float64) (places, satellites Fixes) {
	e := Expect{Name: "fix", What: "a position fix", Silence: longestGap, Age: age, Want: unless(fix, navSat), Offers: Measured, Delay: "fix.delay"}
	places = Fixes{w.Input(fix, e), w.node.NewFixStamps("fix_pose", late)}
	e.Name, e.Want = "satellite fix", unless(navSat, fix)
	return places, Fixes{w.Input(navSat, e), w.node.NewFixStamps("fix", late)}
}

// Refused reports that the node cannot use a message, and why. Call it at most once per
// message.
func (in *Input) Refused(reason error) {
	in.refused++
	in.reason = reason
	in.sub.Disown()
}

// Stamped reports the stamp of a message, ns.
func (in *Input) Stamped(stamp int64) {
	in.skew, in.stamped, in.unstamped = in.node.Now()-stamp, true, stamp == 0
}

func (in *Input) skewed() bool {
	most := mostSkew
	if in.Age > 0 && (int64(in.Age) > most || !in.node.FollowsClock()) {
		most = int64(in.Age)
	}
	return in.unstamped || in.skew > most || in.skew < -mostSkew
}

// late reports whether usable messages come long after their stamps.
func (in *Input) late() bool { return in.skew > late && !in.skewed() && in.reason == nil }

func (in *Input) check() int {
	good := in.sub.Received() - in.sub.Malformed() - in.refused
	came := good != in.used
	if in.used = good; came {
		in.malformed = in.sub.Malformed()
		in.reason = nil
	}
	want := in.want()
	if in.told.level = slog.LevelWarn; in.late() && came && want != WantNothing {
		in.told.level = slog.LevelInfo
		return patience
	}
	switch {
	case want == WantNothing, came && !in.skewed():
		return 0
	case in.sub.Matched() == 0, in.skewed(), in.reason != nil, in.sub.Malformed() != in.malformed:
		return patience
	case want == WantMatch:
		return 0
	}
	if in.Reasons && in.told.wrong >= patience/2 {
		in.reasons.listen(in.node)
	}
	if in.used == 0 {
		return patience
	}
	return max(patience, int(in.Silence/period))
}

// Status returns the state of the input. A problem is in it as long as the watch reports it.
func (in *Input) Status() ugp_explorer_msgs.InputStatus {
	s := ugp_explorer_msgs.InputStatus{
		Name: in.Name, Topic: in.sub.Info().Name, State: ugp_explorer_msgs.InputStatusStateOK,
		Publishers: uint32(in.sub.Matched()), Received: in.sub.Received(), Refused: in.refused, StampAge: math.NaN(),
	}
	if in.Told() != "" {
		s.State = in.problem()
	}
	if in.stamped {
		s.StampAge = time.Duration(in.skew).Seconds()
	}
	return s
}

// problem returns what is wrong with the topic now, as the state of an InputStatus. It requires that something is wrong.
func (in *Input) problem() string {
	switch {
	case in.sub.Matched() == 0:
		return ugp_explorer_msgs.InputStatusStateUnmatched
	case in.reason != nil && !(in.skewed() && (errors.As(in.reason, new(*ros.AheadError)) || errors.As(in.reason, new(*ros.BehindError)))):
		return ugp_explorer_msgs.InputStatusStateRefused
	case in.sub.Malformed() != in.malformed:
		return ugp_explorer_msgs.InputStatusStateMalformed
	case in.told != nil && in.told.level < slog.LevelWarn:
		return ugp_explorer_msgs.InputStatusStateLate
	case in.skewed():
		return ugp_explorer_msgs.InputStatusStateStamps
	}
	return ugp_explorer_msgs.InputStatusStateSilent
}

// Why returns a sentence that explains what is wrong with the topic now.
func (in *Input) Why() string {
	switch in.problem() {
	case ugp_explorer_msgs.InputStatusStateUnmatched:
		return in.waiting() + ": " + absence(in.node, in.sub.Info(), in.offers())
	case ugp_explorer_msgs.InputStatusStateRefused:
		text := fmt.Sprintf("%s: what %s publishes is refused: %v", in.waiting(), in.peers(), in.reason)
		if errors.As(in.reason, new(*ros.AheadError)) {
			text += in.orAdd()
		}
		return text
	case ugp_explorer_msgs.InputStatusStateMalformed:
		return fmt.Sprintf("%s: what %s publishes cannot be decoded%s", in.waiting(), in.peers(), strangers(in.node, in.sub.Info()))
	case ugp_explorer_msgs.InputStatusStateLate:
		return fmt.Sprintf("the stamps of %s on %s are %s older than their arrival, which is right if the sender needs that time; if its clock is behind "+
			"instead, positions are wrong by the distance driven in this time: set it%s", in.peers(), in.sub.Name(), ros.Seconds(time.Duration(in.skew)), in.orAdd())
	case ugp_explorer_msgs.InputStatusStateStamps:
		return fmt.Sprintf("%s with stamps by this node's clock: those of %s are %s", in.waiting(), in.peers(), in.skewText())
	}
	more := ""
	if in.sub.Received() > 0 {
		more = " more"
	}
	return fmt.Sprintf("%s: %s is there, but nothing%s was received%s%s", in.waiting(), in.peers(), more, strangers(in.node, in.sub.Info()), in.senderSays())
}

// senderSays is what the only sender says about its silence.
func (in *Input) senderSays() string {
	if senders, _, _ := facing(in.node, in.sub.Info()); len(senders) == 1 {
		if text := in.reasons.of(in.node, senders[0]); text != "" {
			return "; " + senders[0] + " says: " + text
		}
	}
	return ""
}

func (in *Input) waiting() string {
	return "waiting for " + in.What + " on " + topicAndType(in.sub.Info())
}

// Senders names the nodes that send on the topic.
func (in *Input) Senders() string { return in.peers() }

func (in *Input) peers() string { return peers(in.node, in.sub.Info()) }

func (in *Input) skewText() string {
	const bothSides = "set use_sim_time on both sides or on neither"
	now := in.node.Now()
	stamp := now - in.skew
	by := ros.Seconds(time.Duration(in.skew).Abs())
	if in.skew > 0 {
		by += " behind: "
	} else {
		by += " ahead: "
	}
	switch {
	case in.unstamped:
		return "zero"
	case stamp >= ros.SimulatedBefore && now < ros.SimulatedBefore && in.node.FollowsClock():
		return "of the wall clock, but this node's time is simulated: " + bothSides
	case stamp < ros.SimulatedBefore && now >= ros.SimulatedBefore:
		return "of a simulation, or of a clock that is not set, but this node uses the wall clock: " + bothSides + ", or the sender's clock"
	case !in.node.FollowsClock() && simulated(in.node):
		return by + "time on /clock is published, but this node uses the wall clock: " + bothSides
	case in.skew > 0:
		return by + "a clock is not set, the sender is slow, or a bag is played without --clock"
	}
	return by + "a clock is not set" + in.orAdd()
}

// orAdd names the parameter that can correct the delay of the last stamp, "" without one.
func (in *Input) orAdd() string {
	if in.Delay == "" {
		return ""
	}
	return ros.OrAdd(in.Delay, time.Duration(-in.skew))
}

func (in *Input) values() []diagnostic_msgs.KeyValue {
	info := in.sub.Info()
	values := []diagnostic_msgs.KeyValue{
		{Key: "topic", Value: info.Name},
		{Key: "type", Value: info.Type},
		{Key: "publishers", Value: strconv.Itoa(in.sub.Matched())},
	}
	if in.stamped {
		values = append(values, diagnostic_msgs.KeyValue{Key: "age of the last stamp, s", Value: fmt.Sprintf("%.3f", time.Duration(in.skew).Seconds())})
	}
	for _, c := range []struct {
		key string
		n   uint64
	}{{"received", in.sub.Received()}, {"refused", in.refused}, {"not decoded", in.sub.Malformed()}, {"dropped", in.sub.Dropped()}} {
		values = append(values, diagnostic_msgs.KeyValue{Key: c.key, Value: strconv.FormatUint(c.n, 10)})
	}
	return values
}
