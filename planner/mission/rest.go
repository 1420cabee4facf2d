// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"

	"ugp_explorer/internal/num"
)

// Way is what a mission cannot know by itself of its paths, in m.
type Way struct {
	ToTarget       float64 // rest of the path to the present target
	HomeFromTarget float64 // path home from there
	Leg            float64 // > 0, path to a sample as it is expected before any was taken, see [BudgetConfig.ExpectedLeg]
	Home           float64 // path home from a place of the field like any other
}

// Rest is what the rest of a mission is expected to take, the way home included.
type Rest struct {
	Distance float64 // m
	Duration float64 // s
	Done     float64 // share of the time that the mission takes, pauses and faults left out, see [mostBack]; 1 when it is over
}

// knownLegs and knownStops are how many legs and samples the expected ones count for beside those that were driven and taken.
const (
	knownLegs  = 3
	knownStops = 1
)

// Rest returns what the rest of the mission is expected to take; ok is false if no budget ends it. It is the path to the present
// target, for each further sample the path and the time that samples have taken so far, and the way home. There are as many
// further samples as are left of the budget or, if they are fewer, as the metres and seconds left suffice for.
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

// mostBack is how far [Rest].Done runs back at most while the budget is the same, though the next target may be much farther away
// than any before it.
const mostBack = 0.1

// furthest is the largest share that was done, of a mission with a budget.
type furthest struct {
	done   float64
	budget Budget
}

// rest returns what is left, with the share that is done.
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

// ExpectedLeg returns the path per sample, m, that is expected before any was taken, on a field where a mission with a limit of
// distance takes density samples per metre. With a limit of samples it is twice that of the shortest round through as many
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
