// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
)

// Stops gathers the readings that are made while the robot stands at its target.
type Stops struct {
	cfg   *Readings
	stop  *localization.Stop
	seen  func(localization.Observation)
	done  func(localization.Observation)
	since int64 // since when the robot samples, ns; 0: it does not

	others        // other quantities of the same stop
	full    bool  // all readings have come
	waiting int64 // time since which the sample waits for other quantities, ns; 0: it does not
}

var _ Gatherer = (*Stops)(nil)

// NewStops returns a gatherer of stops. It calls seen with each reading that belongs to the sample under
// way, and done with the sample.
func NewStops(cfg *Readings, seen, done func(localization.Observation)) *Stops {
	return &Stops{cfg: cfg, stop: localization.NewStop(cfg.StdDev), seen: seen, done: done}
}

// Begin begins a sample.
func (s *Stops) Begin(now int64) {
	s.since, s.full, s.waiting = now, false, 0
	s.stop.Reset()
	s.open(now)
}

// Cancel gives up the sample under way.
func (s *Stops) Cancel() {
	s.since = 0
	s.open(0)
}

// wants implements Gatherer: a sample is under way.
func (s *Stops) wants() bool { return s.since != 0 }

// gather implements Gatherer.
func (s *Stops) gather(matched []localization.Observation, counts *ReadingCounts) {
	for _, m := range matched {
		switch {
		case s.since == 0 || s.full:
			counts.Idle++
		case m.Stamp < s.since:
			counts.Early++
		case s.stop.Add(m):
			s.seen(m)
		}
	}
	if s.full = s.stop.Len() >= s.cfg.Readings; s.since != 0 && s.full && s.complete() {
		s.finish()
	}
}

// finish makes the sample.
func (s *Stops) finish() {
	s.since = 0
	s.close()
	s.done(s.stop.Combine())
}

// expire implements Gatherer: it makes the sample from the readings so far once Wait has passed, or the wait for other quantities
// is over.
func (s *Stops) expire(now int64) {
	if s.since == 0 || s.stop.Len() == 0 {
		return
	}
	if s.full && s.waiting == 0 {
		s.waiting = now
	}
	if s.full && now-s.waiting >= int64(patience) || now-s.since >= int64(ros.Duration(s.cfg.Wait)) {
		s.finish()
	}
}

// ClockChanged implements Gatherer: the sample starts again.
func (s *Stops) ClockChanged(now int64) {
	if s.since != 0 {
		s.Begin(now)
	}
}
