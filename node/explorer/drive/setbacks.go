// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import "time"

const (
	// quickAbort is the time after its acceptance in which an aborted goal says more about
	// the server than about the goal, unless the robot has moved.
	quickAbort = 2 * time.Second
	// leastMove is the distance from which on the robot has moved, m.
	leastMove = 0.2
	// shortestTry is the length below which legs are not halved again, m.
	shortestTry = 5.0
	// leastAborts is the number of goals in a row that must fail before the target is
	// blamed: the first one may have failed because the server was being stopped.
	leastAborts = 2
	// mostAborts bounds the number of goals in a row that may fail, however far they are.
	mostAborts = 10
)

// setbacks decides what failed goals mean: that legs are too long, that the server does not
// work, or that a target cannot be reached.
//
// A goal outside a costmap that moves with the robot is aborted like an unreachable one, and the explorer does not know the costmap. Legs
// are therefore halved after each abort until the goal is inside any such costmap, and stay that short for the rest of the mission.
// nav2.max_leg avoids the aborts.
type setbacks struct {
	patience float64 // time limit of a goal, s
	longest  float64 // greatest length of a leg, m; 0: no limit
	before   float64 // the same when the drive began
	aborts   int     // goals in a row that failed
	refused  string  // what the server does with all goals, "rejects" or "aborts"; empty: nothing is wrong
	waited   float64 // time since the first of these, s
}

// drove is called when the server has accepted a goal and works on it.
func (s *setbacks) drove() { s.refused, s.waited = "", 0 }

// rejected is called when the server has rejected a goal. If a goal failed just before, the server was being stopped, and the length of the leg was
// not the reason.
func (s *setbacks) rejected() { s.refused, s.longest = "rejects", s.before }

// refusing lets a period pass, s. It reports whether the server has rejected goals for
// the time limit of a goal.
func (s *setbacks) refusing(period float64) bool {
	if s.refused == "" {
		return false
	}
	s.waited += period
	return s.refused == "rejects" && s.waited >= s.patience
}

// blame is called when a goal has failed after it was accepted, with rest metres to go. It
// reports whether the target is to blame; otherwise the goal is worth another attempt.
func (s *setbacks) blame(rest float64, drove bool) bool {
	s.aborts++
	if drove {
		s.drove()
	} else {
		s.refused = "aborts"
	}
	switch {
	case rest/2 >= shortestTry && s.aborts < mostAborts:
		s.longest = rest / 2
		return false
	case s.aborts < leastAborts, !drove && s.waited < s.patience:
		return false
	}
	s.longest = s.before // its length was not the reason
	return true
}
