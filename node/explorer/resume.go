// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"fmt"
	"time"

	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// longestGap is the longest time between two runs that counts against the budget. After
// more than a day the clock was set or the robot was not in use.
const longestGap = 24 * time.Hour

// resumption is the remaining work to resume a mission once the time is known.
type resumption struct {
	at      mission.Status // status at the end of the last run
	pending bool           // the time is not known yet; the mission gets no events
}

// takeUp restores the mission of an earlier run from its journal.
func takeUp(l *loop, found *journal.State) error {
	if err := l.Book.Resumes(found); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot be resumed: %w", l.Config.OutputDir, err)
	}
	l.Book.ReportFound(found)
	at, err := restore(l, found)
	if err == nil {
		l.Book.Restore(found, at)
		err = l.Learner.Resume(found)
	}
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", l.Config.OutputDir, err)
	}
	l.resumption = resumption{at: at, pending: true}
	l.setHome(found.Started.Home)
	l.Finished = at.State == mission.StateDone
	return nil
}

// restore goes on with the mission of an earlier run, and returns where it stands.
func restore(l *loop, found *journal.State) (s mission.Status, err error) {
	rules := l.Config.Rules()
	if l.Mode.Suggests {
		s = mission.Status{
			State: mission.StateIdle, Stamp: found.Mission.Stamp, Samples: len(found.Observations),
			UsedDistance: found.Mission.UsedDistance, Elapsed: found.Mission.Stamp - found.Started.Stamp,
		}
		l.Gather.Resume(s.UsedDistance)
		l.Mission, err = mission.Restore(rules, s)
		return s, err
	}
	s = mission.Restarted(rules, found.Mission)
	if l.Mission, err = mission.Restore(rules, s); err != nil {
		return s, err
	}
	l.Startup, l.mayDrive = mission.After(&s, l.Config.AutoResume), s.Resumable()
	l.Pilot.Resume(found)
	return s, nil
}

// timeCame resumes the mission once the time is known. The time since the last journal
// entry counts against the budget, as a battery would count it, unless the clock was set in between. The journal still has the
// mission as under way, so that another crash before it continues changes nothing.
func (l *loop) timeCame() {
	l.resumption.pending = false
	if !l.Mode.Suggests {
		s, gap, log := l.resumption.at, l.Now()-l.resumption.at.Stamp, l.Node.Logger()
		switch {
		case gap < 0 || time.Duration(gap) > longestGap:
			l.Ground.Shift(gap)
			log.Warn("the time since the mission was interrupted is not known and is not counted", "clock_went_on_s", time.Duration(gap).Seconds())
			s.Stamp += gap
		case s.State != mission.StateDone:
			log.Info("the time since the mission was interrupted counts as spent", "s", time.Duration(gap).Seconds())
		}
		l.Mission.Continue(s)
	}
	l.Book.Resume(l.Mission.Status())
	if !l.Finished {
		l.Book.Journal.BeginBag()
	}
	for _, o := range l.Book.Record().Observations {
		l.Show.Observation(o)
	}
	l.publishSamples()
	if l.Learner.Learnt().Posterior != nil {
		l.publishMaps()
	}
	l.publishStatus()
	if l.Finished || l.Learner.Behind() {
		l.think()
	}
}
