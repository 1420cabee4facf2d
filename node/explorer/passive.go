package explorer

import (
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// statePassive is the state of an explorer that moves nothing. The mission's state
// machine, whose events are about targets that the robot is sent to, has no part in it:
// the explorer is idle until the first pose, passive from then on, and done when
// it is stopped.
const statePassive mission.State = "passive"

// passive observes from wherever the robot goes, and suggests where it should go.
type passive struct {
	*Explorer
	warn       ros.Throttle
	pieces     *sense.Pieces
	suggestion *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped]

	first  int64 // node's time of the first pose, ns; 0: there was none
	asked  int   // observations known to the last suggestion
	ending bool  // the explorer was stopped
}

func newPassive(e *Explorer) (*passive, error) {
	p := &passive{Explorer: e, warn: newThrottle(e.node)}
	p.pieces = e.sense.Pieces(e.seen, p.sampled)
	e.sense.Gatherer = p.pieces
	var err error
	p.suggestion, err = ros.Advertise[geometry_msgs.PoseStamped](e.node, "~/suggestion", ros.Latched())
	return p, err
}

func (p *passive) state() mission.State {
	switch {
	case p.finished:
		return mission.StateDone
	case p.sense.HasPose():
		return statePassive
	}
	return mission.StateIdle
}

func (p *passive) status() mission.Status {
	s := mission.Status{
		State: p.state(), Stamp: p.now(), Samples: len(p.book.Record().Observations), UsedDistance: p.pieces.Odometer,
		RemainingSamples: -1, RemainingDistance: -1, RemainingDuration: -1,
	}
	if p.first != 0 {
		s.UsedDuration = time.Duration(p.now() - p.first).Seconds()
	}
	return s
}

func (p *passive) text() string {
	switch p.state() {
	case mission.StateDone:
		return p.book.Record().Outcome
	case statePassive:
		return "observing, moving nothing"
	}
	return "passive: waiting for a pose"
}

func (p *passive) rest() (mission.Rest, bool) { return mission.Rest{}, false }

func (p *passive) publicState() mission.State { return p.state() }

func (p *passive) lacks() (waits, advice string) {
	if p.state() != mission.StateIdle {
		return "", ""
	}
	return p.wantedPose(), ""
}

// commands are those of an explorer that moves nothing: it can be stopped.
func (p *passive) commands() []command {
	var list []command
	const no = "the explorer is passive: it moves no robot, and observes by itself"
	for _, word := range []string{"start", "pause", "resume", "home", "more", "skip"} {
		list = append(list, command{word: word, act: func() (bool, string) { return false, no }})
	}
	list = append(list, command{word: "goto", at: func(orb.Point) (bool, string) { return false, no }})
	return append(list, command{word: "stop", act: func() (bool, string) {
		p.end("stopped")
		return true, p.Status()
	}})
}

// offers implements mode.
func (p *passive) offers() []string {
	if p.state() != statePassive {
		return nil
	}
	return []string{"stop"}
}

// A passive explorer drives nothing, and spends nothing.
func (p *passive) watchTime()                               {}
func (p *passive) goalDue()                                 {}
func (p *passive) standStill()                              {}
func (p *passive) journalBroken(string)                     {}
func (p *passive) journalMended()                           {}
func (p *passive) refusal() string                          { return "" }
func (p *passive) resume(mission.Status, int64, bool) error { return nil }

func (p *passive) failed(*task, bool) {}
func (p *passive) clockChanged(int64) { p.pieces.ClockChanged(p.now()) }

// plan leads to the place where the explorer would go.
func (p *passive) plan() []record.Place {
	list := p.book.Record().Suggestions
	if len(list) == 0 {
		return nil
	}
	return []record.Place{p.sense.Place(), list[len(list)-1].Target}
}

func (p *passive) newPose(metres float64) {
	if p.resumption.pending && p.timeKnown() {
		p.timeCame()
	}
	if p.first == 0 {
		p.first = p.now()
		p.book.Started()
		home, _ := p.HomeDistance()
		p.book.Begin(home)
	}
	p.pieces.Moved(p.sense.Pose().Stamp, p.sense.Speed(), metres)
}

// sampled takes up an observation of a stop, or of a piece of path.
func (p *passive) sampled(o localization.Observation) {
	if p.observePiece(o) && (o.Path == nil || p.muchNew(p.asked)) {
		p.publishSamples()
		p.suggest()
	}
}

// suggest asks for a suggestion.
func (p *passive) suggest() {
	p.wanted = true
	p.think()
}

func (p *passive) mateSampled() {
	if p.sense.HasPose() && p.muchNew(p.asked) {
		p.suggest()
	}
}

func (p *passive) wish(*task) *planner.Wish {
	p.asked = p.optimizer.Len()
	p.arrived()
	at := p.sense.Probe()
	return &planner.Wish{Robot: at[:], Reach: acquire.Anywhere(), Price: p.cfg.Price(mission.Ledger{}), Pending: p.team.Targets()}
}

// arrived adds to the last suggestion where the robot went instead, and the posterior of
// that place when the suggestion was made.
func (p *passive) arrived() {
	list := p.book.Record().Suggestions
	n := len(list)
	if n == 0 || list[n-1].Went != nil {
		return
	}
	at := record.Place(p.sense.Probe())
	mean, variance := p.optimizer.Learnt().Mixture.Posterior(gp.Belief{Mean: at[:], Cov: p.optimizer.QueryCov()})
	p.book.Went(at, mean, math.Sqrt(variance))
}

// decided publishes the goal that an active explorer would have chosen.
func (p *passive) decided(t *task) {
	p.optimizer.Decide(t.Job)
	if t.NoTarget != nil {
		p.warn.Warn("no goal can be suggested", "error", t.NoTarget.Error())
		return
	}
	s := record.Suggestion{
		Samples: t.own, Stamp: stampSeconds(p.now()), Robot: record.Place(t.Wish().Robot),
		Target: record.Place(t.Target.X), Path: t.Target.Length,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
		WentMean: math.NaN(), WentStdDev: math.NaN(),
	}
	p.book.Suggested(s)
	p.logLine("after %d observations: suggesting %s, %s away, expected %s", s.Samples, show.Place(orb.Point(s.Target)), show.Metres(s.Path), p.book.Record().Expected(s.Mean, s.StdDev))
	m := geometry_msgs.PoseStamped{Header: std_msgs.Header{Stamp: p.node.Stamp(), FrameID: p.cfg.Frame}}
	m.Pose.Position = geometry_msgs.Point{X: s.Target[0], Y: s.Target[1]}
	m.Pose.Orientation = convert.Quaternion(math.Atan2(s.Target[1]-s.Robot[1], s.Target[0]-s.Robot[0]))
	p.warn.Unsent(p.suggestion.Publish(&m))
}

// end stops the explorer. The readings since the last observation become one more, and the
// record is written when the model includes it.
func (p *passive) end(reason string) {
	if p.ending {
		return
	}
	p.pieces.Cut()
	p.ending, p.pieces.Ended = true, true
	if !p.working {
		p.arrived()
	}
	p.book.SetOutcome(reason)
	if !p.working && p.optimizer.Len() > p.optimizer.Modelled() {
		p.think()
	}
	p.finish(reason)
	p.publishStatus()
}

func (p *passive) restore(found *journal.State) (mission.Status, error) {
	s := mission.Status{State: mission.StateIdle, Stamp: found.Mission.Stamp, UsedDistance: found.Mission.UsedDistance}
	p.first, p.pieces.Odometer = found.Started.Stamp, s.UsedDistance
	return s, nil
}
