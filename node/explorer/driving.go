package explorer

import (
	"cmp"
	"fmt"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// driving is a mission without stops: each piece of the path becomes an observation, that of the path home
// included, and each halt that the robot makes. They are learnt many at once, with the decisions.
type driving struct {
	*active
	pieces *sense.Pieces
	asked  int   // observations known to the last decision
	heard  int64 // when a reading was taken up last, or the robot set out, ns
	sent   bool  // the robot was sent to a target, which the journal does not know yet
}

func newDriving(e *Explorer) (*driving, error) {
	a, err := newActive(e)
	if err != nil {
		return nil, err
	}
	d := &driving{active: a}
	a.obey, a.follow = d.obey, d.follow
	d.pieces = e.sense.Pieces(func(m localization.Observation) {
		d.heard = d.now()
		e.seen(m)
	}, d.sampled)
	d.pieces.Ended = true
	e.sense.Gatherer = d.pieces
	return d, nil
}

// obey notes that the robot is sent to a target. At the end it makes an observation of the readings since
// the last one, and has all learnt.
func (d *driving) obey(command mission.Command) {
	switch command.(type) {
	case mission.CommandDrive:
		d.sent = true
	case mission.CommandFinish:
		d.pieces.Cut()
		d.pieces.Ended = true
		d.learns()
		if d.optimizer.Len() > d.optimizer.Modelled() {
			d.think()
		}
	}
}

// follow takes up a new state of the mission. While it is interrupted nothing is observed:
// anybody may move the robot then.
func (d *driving) follow(changed bool) (note bool) {
	switch {
	case !changed:
	case d.state().Active():
		d.heard = d.now()
		d.pieces.Ended = false
	case !d.pieces.Ended:
		d.pieces.Cut()
		d.pieces.Ended = true
	}
	note, d.sent = changed || d.sent, false
	return note
}

func (d *driving) newPose(metres float64) {
	d.pieces.Moved(d.sense.Pose().Stamp, d.sense.Speed(), metres)
	d.active.newPose(metres)
}

// sampled takes up an observation of a piece of path, or of a halt.
func (d *driving) sampled(o localization.Observation) {
	if d.observePiece(o) {
		d.tell(mission.EventSampled{Stamp: d.now()})
		d.mateSampled()
	}
}

// mateSampled has the target chosen anew, or the observations learnt, when there are enough since
// the last time.
func (d *driving) mateSampled() {
	if !d.muchNew(d.asked) {
		return
	}
	switch d.state() {
	case mission.StateTravelling:
		d.tell(mission.EventReconsider{Stamp: d.now()})
	case mission.StateReturning:
		d.learns()
		d.think()
	}
}

// learns notes that what is known now is being learnt, and shows it.
func (d *driving) learns() {
	d.asked = d.optimizer.Len()
	d.publishSamples()
}

// wish leaves out the surroundings of the robot: a target there would be reached at once, so that the
// robot might stay where it is for ever. A grid has each point once.
func (d *driving) wish(t *task) *planner.TargetRequest {
	w, cfg := d.active.wish(t), d.cfg
	d.learns()
	if cfg.Method != settings.MethodGrid && cfg.Method != settings.MethodLines {
		w.Reach.Avoid = append(w.Reach.Avoid, acquire.Disc{Centre: w.Robot, Radius: max(cfg.Path.Length, 1.5*cfg.Mission.Lead())})
	}
	return w
}

// watchTime gives the target up when no reading has come for SampleTimeout on the way to it.
func (d *driving) watchTime() {
	if !d.passTime() || d.state() != mission.StateTravelling {
		return
	}
	now, limit := d.now(), d.cfg.Mission.SampleTimeout
	if now-d.heard > int64(ros.Duration(limit)) {
		d.heard = now
		why := cmp.Or(d.sense.WhyNoReading(), "a probe that reads only while the robot stands needs sample.stop true")
		d.tell(mission.EventSampleFailed{Stamp: now, Reason: fmt.Sprintf("no reading within %g s of driving; %s", limit, why)})
	}
}
