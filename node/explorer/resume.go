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
func (l *loop) takeUp(found *journal.State) error {
	if err := l.book.Resumes(found); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot be resumed: %w", l.cfg.OutputDir, err)
	}
	l.book.ReportFound(found)
	at, err := l.restore(found)
	if err == nil {
		l.book.Restore(found, at)
		err = l.learner.Resume(found)
	}
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", l.cfg.OutputDir, err)
	}
	l.resumption = resumption{at: at, pending: true}
	l.setHome(found.Started.Home)
	l.finished = at.State == mission.StateDone
	return nil
}

// restore goes on with the mission of an earlier run, and returns where it stands.
func (l *loop) restore(found *journal.State) (s mission.Status, err error) {
	rules := l.cfg.Rules()
	if l.mode.Suggests {
		s = mission.Status{
			State: mission.StateIdle, Stamp: found.Mission.Stamp, Samples: len(found.Observations),
			UsedDistance: found.Mission.UsedDistance, Elapsed: found.Mission.Stamp - found.Started.Stamp,
		}
		l.pieces.Odometer = s.UsedDistance
		l.mission, err = mission.Restore(rules, s)
		return s, err
	}
	s = mission.Restarted(rules, found.Mission)
	if l.mission, err = mission.Restore(rules, s); err != nil {
		return s, err
	}
	l.startup, l.mayDrive = mission.After(&s, l.cfg.AutoResume), s.Resumable()
	l.pilot.Resume(found)
	return s, nil
}

// timeCame resumes the mission once the time is known. The time since the last journal
// entry counts against the budget, as a battery would count it, unless the clock was set in between. The journal still has the
// mission as under way, so that another crash before it continues changes nothing.
func (l *loop) timeCame() {
	l.resumption.pending = false
	if !l.mode.Suggests {
		s, gap, log := l.resumption.at, l.now()-l.resumption.at.Stamp, l.node.Logger()
		switch {
		case gap < 0 || time.Duration(gap) > longestGap:
			l.ground.Shift(gap)
			log.Warn("the time since the mission was interrupted is not known and is not counted", "clock_went_on_s", time.Duration(gap).Seconds())
			s.Stamp += gap
		case s.State != mission.StateDone:
			log.Info("the time since the mission was interrupted counts as spent", "s", time.Duration(gap).Seconds())
		}
		l.mission.Continue(s)
	}
	l.book.Resume(l.mission.Status())
	if !l.finished {
		l.book.Journal.BeginBag()
	}
	for _, o := range l.book.Record().Observations {
		l.show.Observation(o)
	}
	l.publishSamples()
	if l.learner.Learnt().Posterior != nil {
		l.publishMaps()
	}
	l.publishStatus()
	if l.finished || l.learner.Modelled() < l.learner.Len() {
		l.think()
	}
}
