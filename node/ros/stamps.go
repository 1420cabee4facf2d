// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"
	"time"

	"ugp_explorer/msgs/builtin_interfaces"
)

// Stamps checks the stamps of the messages of a topic against the times of their arrival.
//
// A stamp later than the arrival is wrong, by the clock of the sender or of this computer. An earlier one may be due
// to a delay. A stray stamp is one from a clock that is not set yet, or from a second sender: it differs from those
// of the other messages by more than a minute, is further from the node's time than they are, and they still arrive.
// The node's times and stamps are those of [Node.Now] and [Node.Stamped].
type Stamps struct {
	ahead int64 // by which a stamp may be later than its arrival, ns
	skew  int64 // node's time minus stamp of the last accepted message, ns
	seen  int64 // node's time then, ns
	known bool
}

const (
	// strayStamp is the difference from other stamps above which a stamp is stray, ns:
	// more than delays and clocks that are set can cause.
	strayStamp = int64(time.Minute)
	// strayPatience is the time without other stamps after which a stray one is accepted,
	// ns of the node's time: the sender was restarted, or its clock was set.
	strayPatience = int64(2 * time.Second)
	// mostAstray is the distance, m, by which a stamp may displace a robot, and leastAhead the time, s, by which any
	// stamp may be ahead: clocks synchronised by NTP agree within it.
	mostAstray, leastAhead = 0.1, 0.02
	// simulatedAhead is by how much a stamp may be ahead of a time that comes from /clock, ns. The node learns it late, and
	// the simulation may be many times as fast as the wall clock.
	simulatedAhead = int64(5 * time.Second)
)

// SimulatedBefore separates simulated times, which start at 0, from times of the wall
// clock, ns: the year 2001, before any robot of today.
const SimulatedBefore = int64(1_000_000_000 * time.Second)

// NewStamps returns the check for a topic with positions of a robot whose speed is at most speed, m/s.
func (n *Node) NewStamps(speed float64) Stamps {
	if n.FollowsClock() {
		return Stamps{ahead: simulatedAhead}
	}
	return Stamps{ahead: int64(Duration(max(leastAhead, mostAstray/max(speed, mostAstray))))}
}

// AheadError is a stamp that is later than the arrival of its message.
type AheadError struct{ By time.Duration }

func (e *AheadError) Error() string {
	return "its stamp is " + Seconds(e.By) + " later than its arrival, so the clock of its sender is ahead, or that of this computer behind, and " +
		"positions would be wrong by the distance driven in this time: synchronise both clocks by NTP or PTP"
}

// BehindError is a stamp that is too old for its message to be used.
type BehindError struct{ By time.Duration }

func (e *BehindError) Error() string {
	return "its stamp is " + Seconds(e.By) + " older than its arrival: set the clock of its sender, or find the cause of the delay"
}

// Seconds writes the difference of two clocks: "1.35 s", "2h21m10s", "7168 days".
func Seconds(d time.Duration) string {
	const day = 24 * time.Hour
	if magnitude(int64(d)) >= int64(2*day) {
		return fmt.Sprintf("%.0f days", d.Hours()/day.Hours())
	}
	if magnitude(int64(d)) >= int64(time.Minute) {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

var errUnstamped = errors.New("its stamp is zero, so the time of the measurement is unknown: its sender must set header.stamp")

// Check returns an error if the stamp of a message that arrived at now is missing, stray, or ahead: then an
// *AheadError. Both are in ns.
func (s *Stamps) Check(stamp, now int64) error {
	skew := now - stamp
	since := now - s.seen
	switch {
	case stamp == 0 && now > strayStamp: // zero is right in a simulation that has just begun
		return errUnstamped
	case s.known && magnitude(skew-s.skew) > strayStamp && magnitude(skew) > magnitude(s.skew) && since >= 0 && since < strayPatience:
		return fmt.Errorf("its stamp is %.3f s, which differs by %.6g s from those of the other messages",
			time.Duration(stamp).Seconds(), time.Duration(s.skew-skew).Seconds())
	case skew < -s.ahead && now > 0: // not before the first message on /clock
		return &AheadError{time.Duration(-skew)}
	}
	s.skew, s.seen, s.known = skew, now, true
	return nil
}

func magnitude(ns int64) int64 { return max(ns, -ns) }

// FixStamps are the stamps of a topic with position fixes. A receiver has the time of its satellites, but nobody may have set the clock of a
// computer in a field. If the stamps of several fixes in a row are off by the same time, that is corrected: as if the fix of them
// that came soonest had been measured when it came.
type FixStamps struct {
	Stamps
	node  *Node
	topic string
	late  float64 // the known delay of the stamps, s
	off   int64   // the last skew of a sender whose clock is off, ns; 0: it is right
	run   struct {
		least, most int64 // skews, ns
		began       int64 // node's time, ns
		n           int
	}
}

const (
	// mostBehind is the age of fixes, ns, above which their sender's clock is off: receivers and radios need less.
	mostBehind = int64(3 * time.Second)
	// Skews that differ by less than alike (ns), in sameFixes fixes or more over sameTime (ns), are one: those of a fix that is repeated grow.
	alike, sameFixes, sameTime = int64(500 * time.Millisecond), 3, int64(2 * time.Second)
)

// NewFixStamps returns the check for a topic with position fixes, whose stamps are late by a known time, s.
func (n *Node) NewFixStamps(topic string, late float64) FixStamps {
	return FixStamps{Stamps: n.NewStamps(1), node: n, topic: topic, late: late}
}

// Take returns the time of a measurement, in the node's time, ns; 0 if there is no stamp. The error is that of [Stamps.Check].
func (s *FixStamps) Take(stamp builtin_interfaces.Time) (taken int64, err error) {
	now := s.node.Now()
	taken = s.node.Measured(stamp, s.late)
	if taken != 0 && !s.node.FollowsClock() {
		s.learn(now-taken, now)
		taken += s.off
	}
	return taken, s.Check(taken, now)
}

// Off returns the time, ns, by which stamps are corrected.
func (s *FixStamps) Off() time.Duration { return time.Duration(s.off) }

func (s *FixStamps) learn(skew, now int64) {
	most := mostBehind
	if s.off != 0 {
		most = alike
	}
	r := &s.run
	if by := skew - s.off; -s.ahead <= by && by <= most {
		if r.n = 0; s.off != 0 {
			s.off = min(s.off, skew) // clocks drift
		}
		return
	}
	if r.n == 0 || max(r.most, skew)-min(r.least, skew) > alike || now < r.began {
		r.least, r.most, r.began, r.n = skew, skew, now, 0
	}
	r.least, r.most = min(r.least, skew), max(r.most, skew)
	if r.n++; r.n < sameFixes || now-r.began < sameTime {
		return
	}
	if r.n, s.off = 0, r.least; -s.ahead <= s.off && s.off <= mostBehind {
		s.off = 0
		s.node.log.Info("the stamps of fixes agree with this computer's clock again", "topic", s.topic)
		return
	}
	s.node.log.Warn(s.Wrong())
}

// Wrong says how the clock of the sender is off, "" if it is not, as far as is known.
func (s *FixStamps) Wrong() string {
	if s.off == 0 {
		return ""
	}
	side := "behind"
	if s.off < 0 {
		side = "ahead of"
	}
	remedy := "synchronise both clocks by NTP or PTP"
	if now := s.node.Now(); now >= SimulatedBefore && now-s.off < SimulatedBefore {
		remedy = "set the sender's clock, or in a simulation use_sim_time on both sides"
	}
	return fmt.Sprintf("the stamps of the fixes on %s are %s %s this computer's clock, and a fix now counts as measured when it came: %s",
		s.topic, Seconds(time.Duration(magnitude(s.off))), side, remedy)
}
