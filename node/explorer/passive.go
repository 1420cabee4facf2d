package explorer

import (
	"math"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/mission"
)

// StatePassive is the state of an explorer that moves nothing. planner.Mission,
// whose events are about targets that the robot is sent to, has no part in it:
// the explorer is idle until the first pose, passive from then on, and done when
// it is stopped.
const StatePassive mission.State = "passive"

// PathConfig says how a passive explorer cuts the readings that come while the
// robot drives into observations. A piece of path ends with the first reading
// that is so far or so long after its first one; 0: no such end. With neither,
// only stops are observed.
type PathConfig struct {
	Length float64 // m
	Time   float64 // s
	Every  int     // so many observations make a suggestion, as each stop does
}

// passive takes observations from wherever the robot goes. Times are those of
// stamps, ns: a bag's record time may be that of another clock.
type passive struct {
	odometer float64 // m driven
	first    int64   // node's time of the first pose, ns
	still    int64   // since when the robot stands, 0: it moves
	halted   bool    // it has stood for the settling time
	since    int64   // when that was over: earlier readings are not of the stop
	sampled  bool    // this stop has given its observation

	begun      float64 // odometer at the first reading of the piece of path
	ended      float64 // and at the last
	begunStamp int64   // stamp of that reading
	begunAt    localization.Belief

	asked  int  // observations known to the last suggestion
	ending bool // the explorer was stopped
}

// moreToSuggest is the share of the known observations that has to come before there
// is another suggestion on the way: with thousands a few more change little.
const moreToSuggest = 0.02

// followed takes up that the robot has driven so many metres to its newest pose.
func (e *Explorer) followed(metres float64) {
	p := &e.passive
	p.odometer += metres
	stamp := e.pose.Stamp
	if e.resumption.pending && e.timeKnown() {
		e.timeCame()
	}
	if p.first == 0 {
		p.first = e.node.Now()
		e.record.Started = stampSeconds(p.first)
		e.wrote(e.beginJournal())
	}
	if math.Abs(e.motion.speed) >= e.cfg.Mission.ArrivalSpeed {
		if p.halted {
			e.cut() // fewer readings than wanted, if it has any
		}
		p.still, p.halted, p.sampled = 0, false, false
		return
	}
	if p.still == 0 || stamp < p.still { // or time was set back
		p.still = stamp
	}
	if !p.halted && stamp-p.still >= int64(seconds(e.cfg.Mission.SettleTime)) {
		e.cut() // the path that ends here
		p.halted, p.since = true, stamp
	}
	if p.halted && stamp-p.since >= int64(seconds(e.cfg.Reading.Wait)) && e.stop.Len() > 0 {
		e.cut()
	}
}

// leap takes up that time has jumped: the robot may be anywhere by now.
func (e *Explorer) leap() {
	e.cut()
	e.passive.still, e.passive.halted, e.passive.sampled = 0, false, false
}

// along takes up a reading that has found its pose.
func (e *Explorer) along(m localization.Matched) {
	p, cfg := &e.passive, &e.cfg.Path
	switch {
	case p.ending, p.halted && p.sampled, !p.halted && cfg.Length == 0 && cfg.Time == 0:
		e.counts.idle++
		return
	case p.halted && m.Reading.Stamp < p.since, !p.halted && p.still != 0 && m.Reading.Stamp >= p.still: // while it settles
		e.counts.early++
		return
	case p.halted:
		e.take(m)
		if e.stop.Len() >= e.cfg.Reading.Count {
			e.cut()
		}
		return
	}
	straight := math.Hypot(m.Belief.X-p.begunAt.X, m.Belief.Y-p.begunAt.Y)
	long := cfg.Length > 0 && max(straight, p.odometer-p.begun) >= cfg.Length
	late := cfg.Time > 0 && m.Reading.Stamp-p.begunStamp >= int64(seconds(cfg.Time))
	back := m.Reading.Stamp < p.begunStamp // readings come late, but not before the first of the piece
	if e.stop.Len() > 0 && (long || late || back || e.stop.Len() == e.cfg.Reading.Stop.MaxReadings) {
		e.cut()
	}
	if e.stop.Len() == 0 {
		p.begun, p.begunStamp, p.begunAt = p.odometer, m.Reading.Stamp, m.Belief
	}
	p.ended = p.odometer
	e.take(m)
}

// cut makes an observation of the readings since the last one, of a stop or of a
// piece of path, if there are any. Its belief has the moments of the mixture of
// the beliefs about the places of its readings, with the weights that the readings
// have in its value: the value is the mean of the field over just that mixture,
// as the model takes it to be, and the covariance includes the spread along the
// path. See localization.Stop.Combine.
func (e *Explorer) cut() {
	p := &e.passive
	if e.stop.Len() == 0 {
		return
	}
	combined, err := e.stop.Combine()
	e.stop.Reset()
	if err != nil {
		return
	}
	var path *float64
	if p.halted {
		p.sampled = true
	} else {
		length := p.ended - p.begun
		path = &length
	}
	if err := e.observe(combined, [2]float64{combined.Belief.X, combined.Belief.Y}, path); err != nil {
		e.warnReading.Warn("an observation is not used", "error", err.Error())
		return
	}
	if p.halted || e.muchNew() {
		e.publishSamples()
		e.wantPlan = true
		e.think()
	}
}

// muchNew reports whether there are enough observations since the last suggestion for
// another one.
func (e *Explorer) muchNew() bool {
	n := e.optimizer.Len()
	return n-e.passive.asked >= max(e.cfg.Path.Every, int(moreToSuggest*float64(n)))
}

// probe returns where the probe is believed to be now.
func (e *Explorer) probe() report.Place {
	at := e.pose.At(e.cfg.Matcher.Probe)
	return report.Place{at.X, at.Y}
}

// arrived notes where the robot went instead of to the last suggestion, and what
// the posterior of that suggestion said of the place.
func (e *Explorer) arrived() {
	n := len(e.record.Suggestions)
	if n == 0 || e.record.Suggestions[n-1].Went != nil {
		return
	}
	s := &e.record.Suggestions[n-1]
	at := e.probe()
	mean, variance := e.optimizer.Learnt().Posterior.Posterior(gp.Belief{Mean: at[:], Cov: e.optimizer.Judgement()})
	s.Went, s.WentMean, s.WentStdDev = &at, mean, math.Sqrt(variance)
}

// suggested takes up the goal that would have been chosen.
func (e *Explorer) suggested(t *task, now int64) {
	e.optimizer.Decide(t.Job)
	if t.NoTarget != nil {
		e.warn.Warn("no goal can be suggested", "error", t.NoTarget.Error())
		return
	}
	s := report.Suggestion{
		Samples: t.own, Stamp: stampSeconds(now), Robot: report.Place(t.Wish().Robot),
		Target: report.Place(t.Target.X), Way: t.Target.Length,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
		WentMean: math.NaN(), WentStdDev: math.NaN(),
	}
	e.record.Suggestions = append(e.record.Suggestions, s)
	m := geometry_msgs.PoseStamped{Header: e.header()}
	m.Pose.Position = geometry_msgs.Point{X: s.Target[0], Y: s.Target[1]}
	m.Pose.Orientation = convert.Quaternion(math.Atan2(s.Target[1]-s.Robot[1], s.Target[0]-s.Robot[0]))
	e.sent(e.out.suggestion.Publish(&m))
}

// End ends what a passive explorer does: the readings since the last observation
// make one more, and the record is written when the model has seen it.
func (e *Explorer) End(reason string) {
	if e.passive.ending {
		return
	}
	e.cut()
	e.passive.ending = true
	if !e.thinking {
		e.arrived()
	}
	e.record.Outcome = reason
	if !e.thinking && e.optimizer.Len() > e.optimizer.Modelled() {
		e.think()
	}
	e.finish(reason)
	e.publishStatus()
}

// status returns what the mission, or the passive explorer, is doing.
func (e *Explorer) status() mission.Status {
	s := e.mission.Status()
	if !e.cfg.Passive {
		return s
	}
	p := &e.passive
	s.Budget = mission.Budget{}
	s.RemainingSamples, s.RemainingDistance, s.RemainingDuration = -1, -1, -1
	s.Samples, s.UsedDistance = len(e.record.Observations), p.odometer
	switch s.State = e.State(); s.State {
	case mission.StateDone:
		s.Text = e.record.Outcome
	case StatePassive:
		s.Text = "observing, moving nothing"
	default:
		s.Text = "passive: waiting for a pose"
	}
	if p.first != 0 {
		s.UsedDuration = time.Duration(e.node.Now() - p.first).Seconds()
	}
	return s
}
