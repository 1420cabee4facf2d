package explorer

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

const (
	// teamSilence is how long a team mate may be silent, whose status comes every
	// second, before it counts as gone and its target as free.
	teamSilence = 30 * time.Second
	// teamSettle is what a decision waits for the news that a team mate is deciding
	// too, from when it was asked for.
	teamSettle = 300 * time.Millisecond
	// teamPatience is the longest that it waits for the decision of that one.
	teamPatience = 5 * time.Second
)

// team is what is known of the other robots' explorers.
//
// Those that decide at the same time do so one after the other, in the order of
// their names: a decision is kept back for teamSettle, and as long as a mate with an
// earlier name is planning, and made anew when a mate has got a target meanwhile. Two
// robots may be sent to one place only if a status takes longer than that.
type team struct {
	mates   []*mate
	checker *localization.Checker // as the one for poses, with counts of its own
	known   map[sighting]bool     // observations that are in the model
	asked   int64                 // when the mission wanted the last target, ns
	held    *task                 // a decision that is kept back; nil: none
}

// mate is another robot's explorer.
type mate struct {
	name     string // of its node
	earlier  bool   // decides before this one
	known    bool   // a status has come from it
	heard    int64  // when the last one came, ns
	planning bool
	driving  bool       // to target, or samples there
	target   [2]float64 // m
}

// sighting tells one observation from all others.
type sighting struct {
	robot    string
	stamp    int64
	sequence uint32
}

func (c *Config) validateTeam() error {
	for i, name := range c.Team {
		if err := names.ValidateFull(name); err != nil {
			return fmt.Errorf("explorer: team: %q is not the full name of a node, as /robot2/ugp_explorer is: %w", name, err)
		}
		if slices.Contains(c.Team[:i], name) {
			return fmt.Errorf("explorer: team: %s is there twice", name)
		}
	}
	return nil
}

// joinTeam listens to the team mates.
func (e *Explorer) joinTeam() (err error) {
	t := &e.team
	t.known = map[sighting]bool{}
	if t.checker, err = localization.NewChecker(e.cfg.Covariance); err != nil {
		return err
	}
	for _, name := range e.cfg.Team {
		if name == e.node.FullName() {
			return fmt.Errorf("explorer: team: %s is this explorer's own name, want those of the others", name)
		}
		m := &mate{name: name, earlier: name < e.node.FullName()}
		t.mates = append(t.mates, m)
		_, err := ros.Subscribe(e.node, name+"/observation", ros.Latched().WithDepth(keptObservations), func(o *ugp_explorer_msgs.FieldObservation, _ ros.MessageInfo) {
			e.heardObservation(m, o)
		})
		if err != nil {
			return err
		}
		_, err = ros.Subscribe(e.node, name+"/status", ros.Latched(), func(s *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
			e.heardStatus(m, s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// heardObservation takes up what a team mate has sampled. It is not journalled: the mate
// has it in its own journal, and tells it again when either of the two begins anew.
func (e *Explorer) heardObservation(m *mate, msg *ugp_explorer_msgs.FieldObservation) {
	if e.finished {
		return
	}
	seen := sighting{m.name, ros.TimeNs(msg.Header.Stamp), msg.Sequence}
	if e.team.known[seen] {
		e.counts.repeated++
		return
	}
	o, err := e.teamObservation(msg)
	if err == nil {
		err = e.optimizer.Check(foreign(&o))
	}
	if err != nil {
		e.counts.strange++
		e.warnTeam.Warn("an observation of a team mate is not used", "from", m.name, "sequence", msg.Sequence, "error", err.Error())
		return
	}
	e.team.known[seen] = true
	e.optimizer.Add(foreign(&o))
	e.record.Team = append(e.record.Team, report.TeamSample{Robot: m.name, Observation: o})
	e.saved = false
	switch {
	case !e.cfg.Passive:
		if e.State() != mission.StateIdle { // the first decision learns of it
			e.think()
		}
	case e.hasPose && e.muchNew():
		e.wantPlan = true
		e.think()
	}
}

// teamObservation reads an observation, by the rules for own poses and readings.
func (e *Explorer) teamObservation(msg *ugp_explorer_msgs.FieldObservation) (report.Observation, error) {
	if msg.Header.FrameID != e.cfg.Frame {
		return report.Observation{}, &watch.FrameError{Frame: msg.Header.FrameID, Want: e.cfg.Frame}
	}
	stamp := ros.TimeNs(msg.Header.Stamp)
	pose, err := convert.PlanarPose(stamp, &msg.Belief)
	if err != nil {
		return report.Observation{}, err
	}
	if err := e.team.checker.CheckPose(&pose); err != nil {
		return report.Observation{}, err
	}
	target := report.Place{msg.Target.X, msg.Target.Y}
	switch {
	case !finite(target[0]) || !finite(target[1]):
		return report.Observation{}, fmt.Errorf("its target (%g, %g) m is not finite", target[0], target[1])
	case !finite(msg.Value):
		return report.Observation{}, errNotFinite
	case !finite(msg.Variance) || msg.Variance <= 0:
		return report.Observation{}, fmt.Errorf("its variance is %g, want a finite number above 0", msg.Variance)
	}
	value, variance, err := toModel(report.Transform(e.cfg.Reading.Transform), msg.Value, msg.Variance)
	if err != nil {
		return report.Observation{}, err
	}
	return report.Observation{
		Sequence: int(msg.Sequence) + 1, Stamp: stampSeconds(stamp), Target: target,
		Belief: report.Belief{X: pose.X, Y: pose.Y, XX: pose.Cov[0][0], XY: pose.Cov[0][1], YY: pose.Cov[1][1]},
		Value:  msg.Value, Variance: msg.Variance, ModelValue: value, ModelVariance: variance,
	}, nil
}

// heardStatus takes up what a team mate does, and where.
func (e *Explorer) heardStatus(m *mate, s *ugp_explorer_msgs.MissionStatus) {
	m.known, m.heard = true, e.node.Now()
	m.planning = s.State == string(mission.StatePlanning)
	m.target = [2]float64{s.Target.X, s.Target.Y}
	m.driving = s.HasTarget && finite(m.target[0]) && finite(m.target[1])
	if m.driving && s.Header.FrameID != e.cfg.Frame {
		m.driving = false
		err := &watch.FrameError{Frame: s.Header.FrameID, Want: e.cfg.Frame}
		e.warnTeam.Warn("a team mate's target is not used", "from", m.name, "error", err.Error())
	}
	e.heldDue()
}

// underWay returns where a mission has the robot sample: while it drives there or
// samples, or waits to go on with that.
func underWay(s mission.Status) (at [2]float64, ok bool) {
	state := s.State
	if state == mission.StatePaused || s.StalePose {
		state = s.Interrupted
	}
	return s.Target, state == mission.StateTravelling || state == mission.StateSampling
}

// present reports whether a mate was heard lately.
func (e *Explorer) present(m *mate) bool {
	return m.known && e.node.Now()-m.heard <= int64(teamSilence)
}

// mateTargets returns where team mates have samples under way.
func (e *Explorer) mateTargets() (targets [][]float64) {
	for _, m := range e.team.mates {
		if m.driving && e.present(m) {
			targets = append(targets, []float64{m.target[0], m.target[1]})
		}
	}
	return targets
}

// outdated reports whether a mate has got a target that a decision does not know of.
func (e *Explorer) outdated(t *task) bool {
	return slices.ContainsFunc(e.mateTargets(), func(x []float64) bool {
		return !slices.ContainsFunc(t.Wish().Pending, func(y []float64) bool { return slices.Equal(x, y) })
	})
}

// awaits reports whether a team mate may be deciding whose turn is before this
// explorer's.
func (e *Explorer) awaits() bool {
	waited := e.node.Now() - e.team.asked
	switch {
	case len(e.team.mates) == 0:
		return false
	case waited < int64(teamSettle):
		return true
	case waited >= min(int64(teamPatience), int64(seconds(e.cfg.Mission.PlanTimeout/2))):
		return false
	}
	return slices.ContainsFunc(e.team.mates, func(m *mate) bool { return m.earlier && m.planning && e.present(m) })
}

// holds keeps a decision back that is not to be carried out yet, or has it made
// anew.
func (e *Explorer) holds(t *task) bool {
	switch {
	case e.awaits():
		e.team.held = t
	case e.outdated(t):
		e.wantPlan = true
	default:
		return false
	}
	return true
}

// heldDue carries out the decision that was kept back, when nothing speaks against it
// any more.
func (e *Explorer) heldDue() {
	t := e.team.held
	switch {
	case t == nil:
	case !e.mission.Awaits(t.plan):
		e.team.held = nil
	case e.awaits():
	case e.outdated(t):
		e.team.held, e.wantPlan = nil, true
		e.think()
	default:
		e.team.held = nil
		e.decided(t, e.node.Now())
	}
}

// unheardMates says which team mates there is no news of.
func (e *Explorer) unheardMates() string {
	if e.finished {
		return ""
	}
	for _, m := range e.team.mates {
		if !e.present(m) {
			return fmt.Sprintf("nothing is heard of the team mate %s on %s/status", m.name, m.name)
		}
	}
	return ""
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
