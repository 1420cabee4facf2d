// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

// Mode says how a mission gets its observations, and when it asks for a target. A new mode is a new value.
type Mode struct {
	Suggests bool // a person moves the robot, and targets are only suggested; otherwise commands send it there
	Pieces   bool // each piece of path and each halt is an observation; otherwise CommandSample begins one at the target
	Ahead    bool // the mission asks for the next target on the way to the present one; otherwise after each sample
}

// The modes. With WhileDriving, EventSampled comes with each observation, wherever the robot is, and the budget has no samples.
var (
	AtStops      = Mode{}
	WhileDriving = Mode{Pieces: true, Ahead: true}
	Passive      = Mode{Suggests: true, Pieces: true}
)

// observe handles an event of a passive mission, which begins with the first pose and lasts until EventStop.
func (m *Mission) observe(e Event) {
	s := &m.s
	if s.State == StatePassive || s.Elapsed > 0 { // or it continues after an earlier run
		s.Elapsed += e.stamp() - s.Stamp
	}
	s.Stamp = e.stamp()
	switch e := e.(type) {
	case EventPose:
		s.UsedDistance += e.Odometer
		if s.State != StateIdle {
			return
		}
		s.State = StatePassive
		if !m.restored {
			m.emit(CommandObserve{})
		}
	case EventSampled:
		s.Samples++
	case EventStop:
		if s.State != StateDone {
			s.State, s.Ending = StateDone, e.Reason
			m.emit(CommandFinish{Reason: e.Reason})
		}
	}
}
