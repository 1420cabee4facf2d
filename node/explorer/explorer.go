// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/parts"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ugp_explorer"

// Explorer is the node. Use it only from its executor's goroutine.
//
// A reading passes through the parts in this order: sense matches it with a pose and gathers it into an observation; the logbook writes the
// observation to the disk; a task of the learner learns from it and decides; the mission accepts the decision; the pilot sends the goal.
type Explorer struct {
	loop *loop
}

// New starts the explorer on a node whose parameters are bound to cfg. The robot does not move before the mission is started. Commands come
// through [Explorer.Order], from people by package host.
func New(node *ros.Node, cfg *settings.Config) (*Explorer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l, err := build(node, cfg)
	if err != nil {
		return nil, err
	}
	e := &Explorer{loop: l}
	l.Book.AddSettings(node.Name(), node.Parameters())
	found, err := l.Book.Journal.Open()
	if err == nil && found != nil {
		err = takeUp(l, found)
	} else if err == nil {
		err = l.Learner.ReadEarlier(l.Ground, node.Logger())
	}
	if err == nil {
		err = join(l)
	}
	if err != nil {
		return nil, errors.Join(err, l.Book.Journal.Abandon())
	}
	if l.resuming && l.TimeKnown() {
		l.timeCame()
	}
	return e, nil
}

// ReadPhoto reads the photo of the field. If it cannot be read, the mission continues, and NoPhoto says why.
func (e *Explorer) ReadPhoto() { readPhoto(e.loop) }

// NoPhoto says why an existing photo is not used, or "".
func (e *Explorer) NoPhoto() string { return e.loop.noPhoto }

// AddSettings puts the parameters of another node into the record.
func (e *Explorer) AddSettings(node string, set *param.Set) { e.loop.Book.AddSettings(node, set) }

// SetSource adds the description of a replayed bag to the record.
func (e *Explorer) SetSource(s *record.Source) { e.loop.Book.SetSource(s) }

// HomeDistance returns the drivable distance home from the robot's position, m; ok is false while it is unknown.
func (e *Explorer) HomeDistance() (metres float64, ok bool) { return e.loop.HomeDistance() }

// Finished reports whether the mission is over and its record written.
func (e *Explorer) Finished() bool { return e.loop.Over() }

// State returns the mission's state.
func (e *Explorer) State() mission.State { return e.loop.Mission.State() }

// Status states in one line what the mission is doing.
func (e *Explorer) Status() string { return e.loop.view.Line() }

// Waiting says what a mission that has not begun is waiting for; "" if it has begun.
func (e *Explorer) Waiting() string {
	waits, _, _ := e.loop.view.Lacks()
	return waits
}

// Refusal returns why a mission that starts by itself does not start, once waiting does not make its position more certain; otherwise "".
func (e *Explorer) Refusal() string {
	l := e.loop
	if l.Startup != mission.StartAtPose {
		return ""
	}
	return l.Pilot.Edge.Refusal(l.Now(), l.Sense.StdDev())
}

// Err returns why the mission's record could not be written, or nil.
func (e *Explorer) Err() error { return e.loop.Book.Err() }

// Model returns the latest posterior, nil before the first sample. It must not be changed.
func (e *Explorer) Model() *gp.GP { return e.loop.Learner.Learnt().Posterior }

// Prior returns the model's assumptions before the first sample: its hyper-parameters, and the priors of those that it learns.
func (e *Explorer) Prior() (gp.Hyper, fit.Config) { return e.loop.Learner.Prior() }

// Region returns the places that may be targets.
func (e *Explorer) Region() *field.Region { return e.loop.Ground.Region() }

// Next returns the command by which a person continues the mission: resume, start or more; "" if it needs none.
func (e *Explorer) Next() string {
	commands := e.loop.view.Commands()
	for _, word := range []string{"resume", "start", "more"} {
		if slices.Contains(commands, word) {
			return word
		}
	}
	return ""
}

// Busy says why another explorer cannot replace this one; "" while the mission has not begun.
func (e *Explorer) Busy() string {
	switch l := e.loop; {
	case l.Finished():
		return "the mission is over; for another field, start the explorer again with another output_dir"
	case l.resuming:
		return "a mission is being resumed"
	case l.view.State() == parts.StateHeading:
		return "the robot drives to find its heading"
	case l.Book.Journal.Begun(), len(l.Book.Record().Observations) > 0, !l.Mode.Suggests && e.State() != mission.StateIdle:
		return "a mission is in progress (" + e.Status() + ")"
	}
	return ""
}

// End ends the mission. In a mode with pieces of path, the readings since the last observation make a last observation, and the record is
// written when the model has learnt it. The reason enters the record of a mission that only suggests targets; other missions record their
// own.
func (e *Explorer) End(reason string) {
	e.loop.tell(mission.EventStop{Stamp: e.loop.Now(), Reason: reason})
}

// Trouble returns the most urgent problem that the status does not name, or "".
func (e *Explorer) Trouble() string { return e.loop.view.Trouble() }

// Watched returns all checks with their problems, for /diagnostics, the page and ugp doctor.
func (e *Explorer) Watched() []watch.Finding { return e.loop.view.Watched() }

// Extent says how large the field and its keep-outs are, see [show.Extent].
func (e *Explorer) Extent() string { return show.Extent(e.loop.Config, e.loop.Ground) }

// TightBudget says that the budgets keep the robot near its start, see [show.TightBudget].
func (e *Explorer) TightBudget() (why string, pointless bool) {
	return show.TightBudget(e.loop.Config, e.loop.Ground)
}

// Narrow returns why the field has no room for a mission from the robot's place, "" if it has or there is no pose, see [edge.Narrow].
// It is for a passive explorer, too.
func (e *Explorer) Narrow() string {
	if !e.loop.Sense.HasPose() {
		return ""
	}
	return e.NarrowAt(e.loop.Sense.Place(), e.loop.Sense.StdDev())
}

// NarrowAt is Narrow for a robot at a place that is known to a standard deviation, m.
func (e *Explorer) NarrowAt(at orb.Point, stdDev float64) string {
	return edge.Narrow(e.loop.Config, e.loop.Ground, at, stdDev)
}

// Reach returns how much of the field the guard leaves.
func (e *Explorer) Reach() edge.Reach { return e.loop.Reach() }

// Snapshot returns what the page shows, see [settings.Config.HasPage].
func (e *Explorer) Snapshot() *web.Snapshot {
	l := e.loop
	s := l.view.CloseUp()
	c := s.Close
	c.Plan, c.Track, c.Robot = l.view.Plan(), l.Book.Tracks().Estimated, show.Robot(l.Sense)
	if c.Field, _ = l.Truth.Field(); s.Record.LooksForBest() {
		c.Truth = l.Truth.Evaluate(&s.Record)
	}
	return l.Show.Page(s, l.Photo)
}

// Refuses implements web.Explorer.
func (e *Explorer) Refuses(at record.Place) (why string, inside bool) {
	if why = "the explorer does not drive the robot"; e.loop.Pilot != nil {
		_, _, why = e.loop.view.WayTo(orb.Point(at))
	}
	return why, e.loop.Ground.Region().SignedDistance(orb.Point(at)) >= 0
}

// Record returns the mission's present record. The result shares the record's slices.
func (e *Explorer) Record() *record.Mission { return e.loop.view.Recorded() }

// Survey returns how well the whole field is known, nil before there is a model. It needs neither the graph nor the executor.
func (e *Explorer) Survey() (*record.Survey, error) {
	if len(e.loop.Book.Record().Observations) == 0 {
		return nil, nil
	}
	r := e.loop.view.NewReport()
	_, err := r.Complete()
	return r.Mission.Survey, err
}

// Answer returns the mission's result so far. Like Survey it may have to compute the maps.
func (e *Explorer) Answer() record.Answer {
	r := e.loop.view.NewReport()
	maps, _ := r.Complete() // nil with an error
	return r.Mission.Answer(maps)
}

// WriteReport writes the record, and the report of an interrupted mission. It does nothing if the report exists already, or if there are no
// samples. It uses neither the graph nor the executor and may be called after both are closed.
func (e *Explorer) WriteReport() error { return e.loop.Book.WriteReport() }
