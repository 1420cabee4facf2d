// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"
	"time"
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

// Seconds writes the difference of two clocks: "1.35 s", "2h21m10s".
func Seconds(d time.Duration) string {
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
