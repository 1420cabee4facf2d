package explorer

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// along makes the observations of a mission without stops: of each piece of the way, the way
// home included, and of each halt that the robot makes. They are learnt many at once, with
// the decisions. The methods of a nil along, of a mission with stops, do nothing.
type along struct {
	a      *active
	pieces *sense.Pieces
	asked  int   // observations known to the last decision
	heard  int64 // when a reading was taken up last, or the robot set out, ns
	turns  bool  // the robot was sent to a target, which the journal does not know yet
}

func newAlong(a *active) (*along, error) {
	w := &along{a: a}
	var err error
	w.pieces, err = a.e.newPieces(func(m localization.Matched) {
		w.heard = a.now()
		a.e.seen(m)
	}, w.sampled)
	if err != nil {
		return nil, err
	}
	w.pieces.Ended = true
	return w, nil
}

// collects reports whether readings are taken up now.
func (w *along) collects() bool { return w != nil && !w.pieces.Ended }

// follow takes up a new state of the mission. While it is interrupted nothing is observed:
// anybody may move the robot then.
func (w *along) follow(state mission.State) {
	switch {
	case w == nil:
	case state.Active():
		w.heard = w.a.now()
		w.pieces.Ended = false
	case !w.pieces.Ended:
		w.pieces.Cut()
		w.pieces.Ended = true
	}
}

// moved takes up that the robot has driven so many metres to the newest pose.
func (w *along) moved(metres float64) {
	if w != nil {
		s := w.a.e.sense
		w.pieces.Moved(s.Pose().Stamp, s.Speed(), metres)
	}
}

// sampled takes up an observation of a piece of path, or of a halt.
func (w *along) sampled(o localization.Observation, path *float64) {
	if w.a.e.observePiece(o, path) {
		w.a.tell(mission.EventSampled{Stamp: w.a.now()})
		w.news()
	}
}

// news has the target chosen anew, or the observations learnt, when there are enough since
// the last time.
func (w *along) news() {
	a, e := w.a, w.a.e
	if !e.muchNew(w.asked) {
		return
	}
	switch a.state() {
	case mission.StateTravelling:
		a.tell(mission.EventReconsider{Stamp: a.now()})
	case mission.StateReturning:
		w.learns()
		e.think()
	}
}

// learns notes that what is known now is being learnt, and shows it.
func (w *along) learns() {
	if w != nil {
		w.asked = w.a.e.optimizer.Len()
		w.a.e.view.publishSamples()
	}
}

// turn notes that the robot was sent to a target.
func (w *along) turn() {
	if w != nil {
		w.turns = true
	}
}

// turned reports, once, whether the robot was sent to a target.
func (w *along) turned() bool {
	if w == nil || !w.turns {
		return false
	}
	w.turns = false
	return true
}

// avoid adds to what a decision leaves out the surroundings of the robot: a target there
// would be reached at once, so that the robot might stay where it is for ever. A grid has
// each point once.
func (w *along) avoid(discs []acquire.Disc, at orb.Point) []acquire.Disc {
	if w == nil || w.a.e.cfg.Method == methodGrid || w.a.e.cfg.Method == methodLines {
		return discs
	}
	cfg := w.a.e.cfg
	return append(discs, acquire.Disc{Centre: at[:], Radius: max(cfg.Path.Length, 1.5*cfg.Mission.Lead())})
}

// watch gives the target up when no reading has come for SampleTimeout on the way to it.
func (w *along) watch() {
	if w == nil || w.a.state() != mission.StateTravelling {
		return
	}
	now, limit := w.a.now(), w.a.e.cfg.Mission.SampleTimeout
	if now-w.heard > int64(seconds(limit)) {
		w.heard = now
		w.a.tell(mission.EventSampleFailed{Stamp: now, Reason: fmt.Sprintf("no reading within %g s of driving; a probe that reads only while the robot stands needs sample.stop true", limit)})
	}
}

// end makes an observation of the readings since the last one, and has all learnt.
func (w *along) end() {
	if w == nil {
		return
	}
	w.pieces.Cut()
	w.pieces.Ended = true
	w.learns()
	if e := w.a.e; e.optimizer.Len() > e.optimizer.Modelled() {
		e.think()
	}
}
