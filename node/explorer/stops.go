package explorer

import (
	"fmt"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// stops is a mission in which the robot stops at each target to sample.
type stops struct {
	*active
	gatherer *sense.Stops
}

func newStops(e *Explorer) (*stops, error) {
	a, err := newActive(e)
	if err != nil {
		return nil, err
	}
	s := &stops{active: a}
	a.obey, a.follow = s.obey, func(changed bool) bool { return changed }
	s.gatherer = e.sense.Stops(e.seen, s.sampled)
	e.sense.Gatherer = s.gatherer
	return s, nil
}

// obey begins and cancels samples.
func (s *stops) obey(command mission.Command) {
	switch command.(type) {
	case mission.CommandHalt:
		s.gatherer.Cancel()
	case mission.CommandSample:
		s.logArrival()
		s.gatherer.Begin(s.now())
	}
}

// watchTime gives the target up with the cause when something is wrong with the readings, a second before the mission
// would give it up without.
func (s *stops) watchTime() {
	limit := s.cfg.Mission.SampleTimeout
	if now := s.mission.Status(); now.State == mission.StateSampling && time.Duration(now.PhaseTime) >= ros.Duration(limit-1) {
		if why := s.sense.WhyNoReading(); why != "" {
			s.gatherer.Cancel()
			s.tell(mission.EventSampleFailed{Stamp: s.now(), Reason: fmt.Sprintf("none within %g s, %s", limit, why)})
		}
	}
	s.passTime()
}

// sampled processes the observation of a stop.
func (s *stops) sampled(o localization.Observation) {
	now := s.now()
	approach := s.approached
	approach.GaveUp = s.mission.Status().Drive == mission.DriveGivenUp
	if err := s.observe(o, s.target, &approach); err != nil {
		s.tell(mission.EventSampleFailed{Stamp: now, Reason: err.Error()})
		return
	}
	s.publishSamples()
	s.unlogged = true
	if s.mission.Status().RemainingSamples == 1 { // what comes next does not wait for the model
		s.logSample(false)
	}
	s.tell(mission.EventSampled{Stamp: now})
	s.think()
}

func (s *stops) mateSampled() {
	if s.state() != mission.StateIdle { // the first decision learns of it
		s.think()
	}
}

// logArrival tells that the robot stands and samples.
func (s *stops) logArrival() {
	at, now := s.sense.Probe(), s.mission.Status()
	word := "arrived"
	if now.Drive == mission.DriveGivenUp {
		word = "standing"
	}
	s.logLine("%s at %s, %s from target %d", word, show.Place(at), show.Metres(math.Hypot(at[0]-s.target[0], at[1]-s.target[1])), now.Samples+1)
}
