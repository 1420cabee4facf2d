// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"fmt"
	"time"

	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// longestGap is the longest time between two runs that uses the budget. After more than a day the clock was set, or the robot was not in
// use.
const longestGap = 24 * time.Hour

// takeUp restores the mission of an earlier run from its journal.
func takeUp(l *loop, found *journal.State) error {
	if err := l.Book.Resumes(found); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot be resumed: %w", l.Config.OutputDir, err)
	}
	s := mission.Restarted(l.Config.Mission, found.Mission)
	if l.Mode.Suggests {
		s = mission.Status{
			State: mission.StateIdle, Stamp: found.Mission.Stamp, Samples: len(found.Observations),
			UsedDistance: found.Mission.UsedDistance, Elapsed: found.Mission.Stamp - found.Started.Stamp,
		}
	}
	err := l.Mission.Restore(s)
	if err == nil && !l.Mode.Suggests {
		l.Startup, l.mayDrive = mission.After(&s, l.Config.AutoResume), s.Resumable()
		l.Pilot.Resume(found)
	}
	if err == nil {
		l.Book.Restore(found, s)
		err = l.Learner.Resume(found)
	}
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", l.Config.OutputDir, err)
	}
	l.resuming = true
	l.SetHome(found.Started.Home)
	return nil
}

// timeCame resumes the mission once the time is known. The time since the last journal entry uses the budget, as it drains a battery,
// unless the clock was set in between. In the journal the mission is still under way, so that another crash before it continues changes
// nothing.
func (l *loop) timeCame() {
	l.resuming = false
	if s, log := l.Mission.Status(), l.Node.Logger(); !l.Mode.Suggests {
		switch gap := l.Now() - s.Stamp; {
		case gap < 0 || time.Duration(gap) > longestGap:
			l.Ground.Shift(gap)
			log.Warn("the time since the mission was interrupted is unknown and does not count against the budget", "clock_went_on_s", time.Duration(gap).Seconds())
			l.Mission.ClockChanged(gap)
		case s.State != mission.StateDone:
			log.Info("the time since the mission was interrupted counts against the budget", "s", time.Duration(gap).Seconds())
		}
	}
	l.Book.Resume(l.Mission.Status())
	if !l.Finished() {
		l.Book.Journal.BeginBag()
	}
	for _, o := range l.Book.Record().Observations {
		l.Show.Observation(o)
	}
	l.Show.Samples(l.Book.Record().Observations)
	if l.Learner.Learnt().Posterior != nil {
		l.Show.Maps()
	}
	l.Show.Status()
	if l.Finished() || l.Learner.Behind() {
		l.Decider.Think()
	}
}
