// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package team receives from the explorers of the other robots, and says when it is this explorer's turn to decide.
package team

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

const (
	// teamSilence is the time without a status after which a team mate is gone and its target free. A status is published every second.
	teamSilence = 30 * time.Second
	// teamSettle is the time after a request for a decision in which a status may still show that a team mate is deciding, too.
	teamSettle = 300 * time.Millisecond
	// teamPatience is the longest time that a decision waits for that of a team mate.
	teamPatience = 5 * time.Second
	// mostOfMates is the largest number of observations that all team mates together may
	// contribute: a thousand missions of ten samples, and what the model can hold.
	mostOfMates = 10_000
	// mateFields is the largest distance of a mate's place from this robot's field, in sizes of the field.
	mateFields = 10
)

// Team tracks the explorers of the other robots.
//
// Explorers that decide at the same time take turns in the order of their names. A decision
// is held for teamSettle and while a mate with an earlier name is planning, and it is
// computed again if a mate gets a target meanwhile. Two robots may be sent to the same place
// only if a status takes longer than that.
type Team struct {
	node    *ros.Node
	cfg     *settings.Config
	warn    ros.Throttle
	mates   []*mate
	checker *localization.Checker // same settings as for poses, with separate counts
	known   map[sighting]bool     // observations that the model already has; false: the mate has struck it
	near    orb.Bound             // places outside are refused, m
	asked   int64                 // when the mission last asked for a target, ns

	mission Mission

	unusable, repeated int64 // observations that cannot be used, and those received more than once
}

// Mission receives a team's observations.
type Mission struct {
	Over    func() bool                                    // reports whether the mission is over
	Learn   func(robot string, o record.Observation) error // adds an observation to the model
	Strike  func(robot string, sequence int, struck bool)  // strikes or restores an observation passed to Learn
	Settled func()                                         // is called when a held decision may be free
}

// mate is another robot's explorer.
type mate struct {
	name     string // full name of its node
	earlier  bool   // its turn is before this explorer's
	known    bool   // a status has been received
	heard    int64  // when the last status was received, ns
	planning bool
	driving  bool      // drives to target or samples there
	target   orb.Point // m
}

// sighting identifies an observation.
type sighting struct {
	robot    string
	stamp    int64
	sequence uint32
}

// New returns the team of a robot; boundary is that of its field.
func New(node *ros.Node, cfg *settings.Config, boundary orb.Polygon) (*Team, error) {
	checker, err := localization.NewChecker(cfg.Sense().Covariance)
	b := boundary.Bound()
	near := b.Pad(mateFields * max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]))
	return &Team{node: node, cfg: cfg, warn: node.NewThrottle(time.Second), checker: checker, known: map[sighting]bool{}, near: near}, err
}

// Open subscribes to the team mates' topics for a mission.
func (t *Team) Open(m Mission) error {
	t.mission = m
	for _, name := range t.cfg.Team {
		if name == t.node.FullName() {
			return fmt.Errorf("explorer: team: %s is this explorer's own name: list only the other explorers", name)
		}
		m := &mate{name: name, earlier: name < t.node.FullName()}
		t.mates = append(t.mates, m)
		_, err := ros.Subscribe(t.node, name+"/observation", ros.Latched().WithDepth(show.KeptObservations), func(o *ugp_explorer_msgs.FieldObservation, _ ros.MessageInfo) {
			t.heardObservation(m, o)
		})
		if err != nil {
			return err
		}
		_, err = ros.Subscribe(t.node, name+"/status", ros.Latched(), func(s *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
			t.heardStatus(m, s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// heardObservation adds a team mate's observation to the model. It is not journalled: the
// mate has it in its own journal and publishes it again when either of the two restarts.
func (t *Team) heardObservation(m *mate, msg *ugp_explorer_msgs.FieldObservation) {
	if t.mission.Over() {
		return
	}
	seen := sighting{m.name, ros.TimeNs(msg.Header.Stamp), msg.Sequence}
	counts, known := t.known[seen]
	struck := math.IsInf(msg.Variance, 1)
	switch {
	case known && counts == struck:
		t.known[seen] = !struck
		t.mission.Strike(m.name, int(msg.Sequence)+1, struck)
		return
	case known || struck:
		t.repeated++
		return
	}
	o, err := t.observation(msg)
	if err == nil && len(t.known) >= mostOfMates {
		err = fmt.Errorf("the team mates have contributed %d observations, the largest number that is accepted", len(t.known))
	}
	if err == nil {
		err = t.mission.Learn(m.name, o)
	}
	if err != nil {
		t.unusable++
		t.warn.Warn("an observation of a team mate is not used", "from", m.name, "sequence", msg.Sequence, "error", err.Error())
		return
	}
	t.known[seen] = true
}

// observation checks and converts an observation by the rules for own poses and readings.
func (t *Team) observation(msg *ugp_explorer_msgs.FieldObservation) (record.Observation, error) {
	if msg.Header.FrameID != t.cfg.Frame {
		return record.Observation{}, &watch.FrameError{Frame: msg.Header.FrameID, Want: t.cfg.Frame}
	}
	stamp := t.node.Stamped(msg.Header.Stamp)
	pose, err := convert.PlanarPose(stamp, &msg.Belief)
	if err != nil {
		return record.Observation{}, err
	}
	if err := t.checker.CheckPose(&pose); err != nil {
		return record.Observation{}, err
	}
	target := record.Place{msg.Target.X, msg.Target.Y}
	switch {
	case !num.Finite(target[0]) || !num.Finite(target[1]):
		return record.Observation{}, fmt.Errorf("its target (%g, %g) m is not finite", target[0], target[1])
	case !t.near.Contains(orb.Point{pose.X, pose.Y}) || !t.near.Contains(orb.Point(target)):
		return record.Observation{}, fmt.Errorf("its place (%.6g, %.6g) m or its target (%.6g, %.6g) m is too far from this robot's field: want x from %.6g to %.6g m and y from %.6g to %.6g m",
			pose.X, pose.Y, target[0], target[1], t.near.Min[0], t.near.Max[0], t.near.Min[1], t.near.Max[1])
	case msg.Variance == 0 || !localization.Usable(msg.Value, msg.Variance):
		return record.Observation{}, fmt.Errorf("its value is %g and its variance %g, want a value up to %g and a variance from %g to %g",
			msg.Value, msg.Variance, localization.Huge, 1/localization.Huge, localization.Huge)
	}
	value, variance, err := record.Transform(t.cfg.Reading.Transform).Forward(msg.Value, msg.Variance)
	if err != nil {
		return record.Observation{}, err
	}
	return record.Observation{
		Sequence: int(msg.Sequence) + 1, Stamp: time.Duration(stamp).Seconds(), Target: target,
		Belief: record.Belief{X: pose.X, Y: pose.Y, XX: pose.Cov[0][0], XY: pose.Cov[0][1], YY: pose.Cov[1][1]},
		Value:  msg.Value, Variance: msg.Variance, ModelValue: value, ModelVariance: variance,
	}, nil
}

// heardStatus updates the state and the target of a team mate.
func (t *Team) heardStatus(m *mate, s *ugp_explorer_msgs.MissionStatus) {
	m.known, m.heard = true, t.node.Now()
	m.planning = s.State == string(mission.StatePlanning)
	m.target = orb.Point{s.Target.X, s.Target.Y}
	m.driving = s.HasTarget && num.Finite(m.target[0]) && num.Finite(m.target[1]) && t.near.Contains(m.target)
	if m.driving && s.Header.FrameID != t.cfg.Frame {
		m.driving = false
		err := &watch.FrameError{Frame: s.Header.FrameID, Want: t.cfg.Frame}
		t.warn.Warn("a team mate's target is not used", "from", m.name, "error", err.Error())
	}
	t.mission.Settled()
}

// present reports whether a mate's status was received recently.
func (t *Team) present(m *mate) bool {
	return m.known && t.node.Now()-m.heard <= int64(teamSilence)
}

// Targets returns the current targets of the team mates.
func (t *Team) Targets() (targets [][]float64) {
	for _, m := range t.mates {
		if m.driving && t.present(m) {
			targets = append(targets, []float64{m.target[0], m.target[1]})
		}
	}
	return targets
}

// Outdated reports whether a mate has a target that is not among those that a decision took into account.
func (t *Team) Outdated(pending [][]float64) bool {
	return slices.ContainsFunc(t.Targets(), func(x []float64) bool {
		return !slices.ContainsFunc(pending, func(y []float64) bool { return slices.Equal(x, y) })
	})
}

// Ask notes that the mission asks for a target.
func (t *Team) Ask() { t.asked = t.node.Now() }

// Refused returns the number of unusable observations of mates, and the number of repeated ones.
func (t *Team) Refused() (unusable, repeated int64) { return t.unusable, t.repeated }

// Awaits reports whether a team mate whose turn comes first may be deciding.
func (t *Team) Awaits() bool {
	waited := t.node.Now() - t.asked
	switch {
	case len(t.mates) == 0:
		return false
	case waited < int64(teamSettle):
		return true
	case waited >= min(int64(teamPatience), int64(ros.Duration(t.cfg.Mission.PlanTimeout/2))):
		return false
	}
	return slices.ContainsFunc(t.mates, func(m *mate) bool { return m.earlier && m.planning && t.present(m) })
}

// ClockChanged shifts all times after the clock was set by the duration by to now, ns.
func (t *Team) ClockChanged(by, now int64) {
	t.asked = now
	for _, m := range t.mates {
		m.heard += by
	}
}

// Unheard describes a team mate that is silent; "" if all are present.
func (t *Team) Unheard() string {
	for _, m := range t.mates {
		if !t.present(m) {
			return fmt.Sprintf("no status from the team mate %s on %s/status", m.name, m.name)
		}
	}
	return ""
}
