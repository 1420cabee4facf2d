// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import "time"

// steady is a time that advances with every step of the follower, even while the node's clock
// stands or is set back: a robot that has to stop must slow down then, too.
type steady struct {
	last   int64 // the node's time at the last step, ns; 0: there was none
	behind int64 // by which that time is behind steady time, ns
}

// step returns the steady time of a step at the node's time now, ns, a period after the last.
func (s *steady) step(now int64, period time.Duration) int64 {
	if s.last != 0 && now <= s.last {
		s.behind += s.last - now + int64(period)
	}
	s.last = now
	return s.at(now)
}

// at returns a time of the node's clock as steady time, ns.
func (s *steady) at(t int64) int64 { return t + s.behind }

// now returns the steady time at the node's time now, ns. If that was set back since the last
// step, it is the time of that step.
func (s *steady) now(now int64) int64 { return s.at(max(now, s.last)) }
