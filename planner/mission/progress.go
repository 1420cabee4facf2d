// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
)

// progress detects a stuck robot, whose wheels turn while its position stays. It keeps the positions of the last seconds in which the
// wheels turned.
type progress struct {
	stamp  int64   // ns, of the newest position
	driven float64 // s for which the wheels have turned since the beginning
	wheels float64 // m, how far ahead they have driven meanwhile
	last   orb.Point
	way    []waypoint
}

// waypoint is a position on the way.
type waypoint struct {
	driven float64   // s
	wheels float64   // m
	at     orb.Point // m
	stdDev float64   // m
	jumped bool      // the position has jumped since the waypoint before: the localisation has corrected itself
}

const (
	// waypointTime is the driving time between two waypoints, s.
	waypointTime = 0.25
	// mostWaypoints bounds the memory.
	mostWaypoints = 1000
	// stuckDistance is how far the position of a stuck robot moves at most, m, beyond twice its standard deviation.
	stuckDistance = 0.5
	// jump is a distance by which errors of fixes alone do not move a position at once, beyond twice the driven distance, m.
	jump = 0.5
)

// reset starts again.
func (p *progress) reset() { p.way, p.driven, p.wheels, p.stamp = p.way[:0], 0, 0, 0 }

// stuck handles a position, destination metres from the end of the drive, and returns the reason if the robot is stuck, or "". Within near
// metres of the end, a robot that drives to and fro is not stuck but arriving.
//
// The robot is stuck when its wheels have turned for StuckTime and its position has moved by less than stuckDistance beyond twice its
// standard deviation, while the wheels drove twice that and as much again for the errors of both positions. A position that moved with the
// wheels and was then set back has not moved.
func (p *progress) stuck(e EventPosition, cfg *Config, destination, near float64) string {
	if !num.Finite(e.Position[0]) || !num.Finite(e.Position[1]) || !num.Finite(e.StdDev) || !num.Finite(e.Speed) || e.StdDev < 0 {
		return ""
	}
	if destination <= near+stuckDistance+2*e.StdDev {
		p.reset()
		return ""
	}
	if len(p.way) == 0 {
		p.stamp, p.last = e.Stamp, e.Position
		p.way = append(p.way, waypoint{at: e.Position, stdDev: e.StdDev})
		return ""
	}
	dt := num.Seconds(min(max(e.Stamp-p.stamp, 0), clockJitter))
	jumped := planar.Distance(e.Position, p.last) > 2*math.Abs(e.Speed)*dt+jump
	p.stamp, p.last = e.Stamp, e.Position
	if math.Abs(e.Speed) > StandingSpeed {
		p.driven += dt
		p.wheels += e.Speed * dt
	}
	if newest := &p.way[len(p.way)-1]; p.driven-newest.driven >= waypointTime && len(p.way) < mostWaypoints {
		p.way = append(p.way, waypoint{driven: p.driven, wheels: p.wheels, at: e.Position, stdDev: e.StdDev, jumped: jumped})
	} else {
		newest.jumped = newest.jumped || jumped
	}
	// Of the waypoints that are old enough, only the newest counts. The position of an
	// earlier one was more certain when the wheels have slipped since.
	for len(p.way) > 1 && p.enough(&p.way[1], e.StdDev, cfg) {
		p.way = append(p.way[:0], p.way[1:]...)
	}
	then := &p.way[0]
	stdDev := min(e.StdDev, then.stdDev)
	took := p.driven - then.driven
	if need := stuckDistance + 2*stdDev; !p.enough(then, e.StdDev, cfg) || planar.Distance(e.Position, then.at) > need || !p.stayed(need) {
		return ""
	}
	p.reset()
	return fmt.Sprintf("stuck at (%.1f, %.1f) m: the wheels turned for %.3g s and the position moved by %.1f m",
		e.Position[0], e.Position[1], took, planar.Distance(e.Position, then.at))
}

// stayed reports whether the position never was farther than need from its first value, unless it was set back.
func (p *progress) stayed(need float64) bool {
	away := false
	for _, w := range p.way[1:] {
		if w.jumped {
			away = false
		} else if planar.Distance(w.at, p.way[0].at) > need {
			away = true
		}
	}
	return !away
}

// enough reports whether the wheels have driven for so long and so far since then that the position must have moved. stdDev is its standard
// deviation, m.
func (p *progress) enough(then *waypoint, stdDev float64, cfg *Config) bool {
	return p.driven-then.driven > cfg.StuckTime && math.Abs(p.wheels-then.wheels) >= 2*stuckDistance+6*min(stdDev, then.stdDev)
}

// watchProgress ends a drive on which the robot is stuck: a target is skipped, and a drive
// home has failed.
func (m *Mission) watchProgress(e EventPosition) {
	s := &m.s
	destination, near := s.TargetDistance, m.cfg.ArrivalTolerance
	if s.State == StateReturning {
		destination, near = s.HomeDistance, m.cfg.HomeTolerance
	}
	if m.cfg.StuckTime == 0 || !s.Drives() || s.Drive == DriveDone || s.Waiting != "" {
		m.progress.reset()
		return
	}
	why := m.progress.stuck(e, &m.cfg, destination, near)
	if why == "" {
		return
	}
	m.emit(CommandStuck{})
	if s.State == StateReturning {
		m.driveFailed(EventDriveFailed{Reason: why})
		return
	}
	m.emit(CommandHalt{})
	m.skip(why)
}
