// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"

	"ugp_explorer/internal/num"
)

// Way has lengths of paths that a mission cannot know by itself, in m.
type Way struct {
	ToTarget       float64 // rest of the path to the present target
	HomeFromTarget float64 // path home from there
	Leg            float64 // > 0, expected path to a sample before any has been taken, see [BudgetConfig.ExpectedLeg]
	Home           float64 // path home from a typical place of the field
}

// Rest is the expected cost of the rest of a mission, including the way home.
type Rest struct {
	Distance float64 // m
	Duration float64 // s
	Done     float64 // completed share of the mission's time, without pauses and faults, see [mostBack]; 1 when it is over
}

// knownLegs and knownStops are the weights of the expected leg and sample time, in numbers of actual legs and samples.
const (
	knownLegs  = 3
	knownStops = 1
)

// Rest returns the expected cost of the rest of the mission; ok is false if no budget ends it. The cost consists of the path to the present
// target, the mean path and time per sample so far for each further sample, and the way home. The number of further samples is that left of
// the budget, or that which the remaining metres and seconds allow, if this is lower.
func (m *Mission) Rest(w Way) (rest Rest, ok bool) {
	s, l := &m.s, m.Ledger()
	c, b := l.Config, l.Config.Budget
	phase := s.State
	if s.Interrupted != "" {
		phase = s.Interrupted
	}
	speed := (l.Distance + c.Speed*trust) / (l.Driving + trust)
	switch {
	case phase == StateDone:
		m.furthest = furthest{} // a person may continue with it
		return Rest{Done: 1}, true
	case phase == StateReturning:
		return m.furthest.rest(s, b, s.HomeDistance, s.HomeDistance/speed), true
	case b == Budget{}:
		return Rest{}, false
	}
	ahead, from, legs, stops := 0.0, s.HomeDistance, float64(s.Samples), 0.0
	if phase == StateTravelling {
		ahead, from = w.ToTarget, w.HomeFromTarget
	}
	if phase == StateTravelling || phase == StateSampling {
		legs, stops = legs+1, 1
	}
	leg := (knownLegs*w.Leg + l.Distance + ahead) / (knownLegs + legs)
	stop := (knownStops*c.SampleTime + max(0, num.Seconds(s.Working)-l.Driving)) / (knownStops + float64(s.Samples))
	if m.cfg.Mode.Pieces {
		stop = 0
	}
	// The last path and the way home leave their reserves.
	spare := (c.ReserveFactor - 1) * (leg + w.Home)
	metres := l.remainingDistance() - ahead - w.Home - spare - c.ReserveDistance
	time := l.remainingDuration() - (ahead+w.Home+spare)/speed - stops*stop - c.ReserveTime
	more := max(0, min(metres/leg, time/(leg/speed+stop)))
	if left := float64(b.Samples) - legs; b.Samples > 0 {
		if metres < left*leg { // the paths become shorter then: there will be more stops
			stops += (left - more) / 2
		}
		more = max(0, min(more, left))
	}
	home := (from + more*w.Home) / (1 + more) // the fewer samples are left, the nearer to the present target is the last
	distance := ahead + more*leg + home
	duration := distance/speed + (stops+more)*stop
	return m.furthest.rest(s, b, min(distance, max(0, l.remainingDistance())), min(duration, max(0, l.remainingDuration()))), true
}

// mostBack is the largest decrease of [Rest].Done while the budget stays the same, even if the next target is much farther away than any
// before.
const mostBack = 0.1

// furthest is the largest share done so far, for one budget.
type furthest struct {
	done   float64
	budget Budget
}

// rest returns the rest of the mission, with the completed share.
func (f *furthest) rest(s *Status, b Budget, distance, duration float64) Rest {
	r := Rest{Distance: distance, Duration: duration}
	if worked := max(num.Seconds(s.Working), num.Seconds(s.Driving)); worked > 0 { // a journal may be without Working
		r.Done = worked / (worked + duration)
	}
	if b != f.budget {
		*f = furthest{budget: b}
	}
	f.done = max(f.done, r.Done)
	r.Done = max(r.Done, f.done-mostBack)
	return r
}

// ExpectedLeg returns the expected path per sample, m, before any sample has been taken, on a field where a mission with a limit of
// distance takes density samples per metre. With a limit of samples it is twice the leg of the shortest round trip through that number of
// places, 0.7·√(area/samples).
func (c BudgetConfig) ExpectedLeg(density float64) float64 {
	b, leg := c.Budget, 1/density
	if b.Samples > 0 {
		leg *= 12 / math.Sqrt(float64(b.Samples))
	}
	if b.Samples > 0 && b.Distance > 0 {
		leg = min(leg, b.Distance/float64(b.Samples))
	}
	return leg
}
