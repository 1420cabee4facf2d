package explorer

import (
	"cmp"
	"errors"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ugp_explorer"

// Explorer is the node. Use it only from its executor's goroutine.
//
// A reading passes through the parts in this order: sense matches it with a pose and gathers
// it into an observation; the learner has the logbook write the observation to the disk, and learns from it and decides, in a
// task; the mission accepts the decision; the pilot sends the goal.
type Explorer struct {
	loop *loop
}

// New starts the explorer on a node whose parameters are bound to cfg. The
// robot does not move before the mission is started. Commands come by [Explorer.Order]: package
// host takes them from people.
func New(node *ros.Node, cfg *settings.Config) (*Explorer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l, err := build(node, cfg)
	if err != nil {
		return nil, err
	}
	e := &Explorer{loop: l}
	l.book.AddSettings(node.Name(), node.Parameters())
	found, err := l.book.Journal.Open()
	if err == nil && found != nil {
		err = l.takeUp(found)
	} else if err == nil {
		err = l.learner.ReadEarlier(l.ground.Outline().Boundary, node.Logger())
	}
	if err == nil {
		err = join(l)
	}
	if err != nil {
		return nil, errors.Join(err, l.book.Journal.Abandon())
	}
	if l.resumption.pending && l.timeKnown() {
		l.timeCame()
	}
	return e, nil
}

// ReadPhoto makes the photo of the field. It is not worth a mission: one that cannot be made is left out.
func (e *Explorer) ReadPhoto() { e.loop.readPhoto() }

// NoPhoto says why a photo beside the field's file is left out, "" if none is.
func (e *Explorer) NoPhoto() string { return e.loop.noPhoto }

// AddSettings puts the parameters of another node into the record.
func (e *Explorer) AddSettings(node string, set *param.Set) { e.loop.book.AddSettings(node, set) }

// SetSource adds the description of a replayed bag to the record.
func (e *Explorer) SetSource(s *record.Source) { e.loop.book.SetSource(s) }

// HomeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (e *Explorer) HomeDistance() (metres float64, ok bool) { return e.loop.homeDistance() }

// Finished reports whether the mission is over and its record written.
func (e *Explorer) Finished() bool { return e.loop.over() }

// State returns the mission's state.
func (e *Explorer) State() mission.State { return e.loop.mission.State() }

// Status says in a line what the mission is doing.
func (e *Explorer) Status() string { return e.loop.line() }

// Waiting says what a mission waits for that has not begun, "" for one that has.
func (e *Explorer) Waiting() string {
	waits, _ := e.loop.lacks()
	return waits
}

// Refusal returns why a mission that starts by itself does not, once its position does not become more certain by waiting;
// "" otherwise.
func (e *Explorer) Refusal() string {
	l := e.loop
	if l.startup != mission.StartAtPose {
		return ""
	}
	return l.pilot.Edge.Refusal(l.now(), l.sense.StdDev())
}

// Err returns why the mission's record could not be written, nil when it could.
func (e *Explorer) Err() error { return e.loop.book.Err() }

// Model returns the posterior as last computed, nil before the first sample.
// It must not be changed.
func (e *Explorer) Model() *gp.GP { return e.loop.learner.Learnt().Posterior }

// Prior returns what the model assumes about the field before the first sample: its
// hyper-parameters, and the priors of those that it learns.
func (e *Explorer) Prior() (gp.Hyper, fit.Config) { return e.loop.learner.Prior() }

// Region returns the places that may be targets.
func (e *Explorer) Region() *field.Region { return e.loop.ground.Region() }

// Busy says why another explorer cannot take the place of this one, "" while the mission has not
// begun.
func (e *Explorer) Busy() string {
	switch l := e.loop; {
	case l.finished:
		return "the mission is over; for another field start the explorer again, with another output_dir"
	case l.resumption.pending:
		return "a mission is being resumed"
	case l.state() == stateHeading:
		return "the robot drives to find its heading"
	case l.book.Journal.Begun(), len(l.book.Record().Observations) > 0, !l.mode.Suggests && e.State() != mission.StateIdle:
		return "a mission is under way (" + e.Status() + ")"
	}
	return ""
}

// End ends the mission, of which the record says the reason if it only suggests targets. If pieces of path are observed, the readings since the last observation make one more,
// and the record is written when the model has seen it.
func (e *Explorer) End(reason string) {
	e.loop.tell(mission.EventStop{Stamp: e.loop.now(), Reason: reason})
}

// Trouble returns the most urgent problem, "" if there is none.
func (e *Explorer) Trouble() string { return e.loop.trouble() }

// Rest returns what the rest of the mission is expected to take; ok is false while no budget ends it.
func (e *Explorer) Rest() (rest mission.Rest, ok bool) { return e.loop.rest() }

// Watched returns everything that is checked, each with what is wrong with it: for /diagnostics, the
// page and ugp doctor.
func (e *Explorer) Watched() []diagnostic_msgs.DiagnosticStatus { return e.loop.watched() }

// Extent says how large the field and its keep-outs are, see [show.Extent].
func (e *Explorer) Extent() string { return show.Extent(e.loop.cfg, e.loop.ground) }

// TightBudget says that the budgets keep the robot near its start, see [show.TightBudget].
func (e *Explorer) TightBudget() (why string, pointless bool) {
	return show.TightBudget(e.loop.cfg, e.loop.ground)
}

// Snapshot returns what the page shows, see [settings.Config.HasPage].
func (e *Explorer) Snapshot() *web.Snapshot {
	l := e.loop
	s := l.closeUp()
	c := s.Close
	c.Offers, c.Plan, c.Track, c.Robot = offers(l), l.plan(), l.book.Tracks().Estimated, show.Robot(l.sense)
	if c.Field, _ = l.truth.Field(); s.Record.LooksForBest() {
		c.Truth = l.truth.Evaluate(&s.Record)
	}
	return l.show.Page(s, l.photo)
}

// Refuses implements web.Explorer.
func (e *Explorer) Refuses(at record.Place) (why string, inside bool) {
	if why = "the explorer does not drive the robot"; e.loop.pilot != nil {
		_, _, _, why = wayTo(e.loop, orb.Point(at))
	}
	return why, e.loop.ground.Region().SignedDistance(orb.Point(at)) >= 0
}

// Record returns the mission's present record. The result shares the record's slices.
func (e *Explorer) Record() *record.Mission { return e.loop.recorded() }

// Survey returns how well the whole field is known, nil before there is a model. It uses neither
// the graph nor the executor.
func (e *Explorer) Survey() (*record.Survey, error) {
	if len(e.loop.book.Record().Observations) == 0 {
		return nil, nil
	}
	r := e.loop.newReport()
	_, err := r.Complete()
	return r.Mission.Survey, err
}

// Answer returns what the mission has found so far. Like Survey it may compute the maps anew.
func (e *Explorer) Answer() record.Answer {
	r := e.loop.newReport()
	maps, _ := r.Complete() // nil with an error
	return r.Mission.Answer(maps)
}

// WriteReport writes the record, and the report of an interrupted mission. It
// does nothing if the report exists already or is disabled, or if there are no samples. It
// uses neither the graph nor the executor and may be called after both are closed.
func (e *Explorer) WriteReport() error {
	l := e.loop
	if l.book.Complete() {
		return nil
	}
	if r := l.ending; r != nil && r.Written { // the shutdown came meanwhile, and wrote a record that does not have the survey
		m := e.Record()
		m.Survey = r.Mission.Survey
		return l.book.Take(r, logbook.WriteRecord(l.cfg.OutputDir, m))
	}
	if !l.cfg.Report {
		return nil
	}
	r := l.newReport()
	err, exportErr := r.Write(l.cfg)
	return cmp.Or(l.book.Take(r, err), exportErr)
}

// newThrottle returns a rate limit for one kind of warning. Each kind has its own: with a
// common one, warnings about poses at 20 Hz would hide all others.
func newThrottle(node *ros.Node) ros.Throttle { return node.NewThrottle(time.Second) }
