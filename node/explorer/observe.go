package explorer

import (
	"errors"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// counts is what was dropped or refused, beside what the matcher and the
// checker count themselves.
type counts struct {
	poses       int64 // whose place, heading, speed or stamp was not usable
	frames      int64 // poses in another frame
	idle        int64 // readings that came while the robot did not sample
	early       int64 // readings made before the robot stood at its target
	noVariance  int64 // readings that state no variance, where none was configured
	stray       int64 // readings with a stamp that is off
	transformed int64 // samples whose value the transform has no image of
	refused     int64 // samples that the model would not take
	strange     int64 // observations of team mates that were not usable
	repeated    int64 // observations of team mates that came again
}

// What is wrong with a message, beside what other packages find.
var (
	errSpeed          = errors.New("its speed is not finite")
	errZeroCovariance = errors.New("its covariance is all zeros; set pose.zero_covariance to substitute, and pose.zero_stddev")
	errNoVariance     = errors.New("it states no variance; set reading.stddev")
	errNotFinite      = errors.New("its value is not finite")
)

func (e *Explorer) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	speed := m.Twist.Twist.Linear.X
	if math.IsNaN(speed) || math.IsInf(speed, 0) {
		e.counts.poses++
		e.poses.Refused(errSpeed)
		e.warnPose.Warn("a pose is not used: its speed is not finite", "speed_m_s", speed)
		return
	}
	pose, ok := e.accept(m.Header.FrameID, ros.TimeNs(m.Header.Stamp), &m.Pose)
	if ok && e.isNewest(pose) {
		e.moved(pose, e.motion.measured(pose, speed))
	}
}

func (e *Explorer) onPose(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	pose, ok := e.accept(m.Header.FrameID, ros.TimeNs(m.Header.Stamp), &m.Pose)
	if ok && e.isNewest(pose) {
		e.moved(pose, e.motion.inferred(pose))
	}
}

// accept reads a pose and checks what it claims. What is not usable is counted
// and named in the log.
func (e *Explorer) accept(frame string, stamp int64, m *geometry_msgs.PoseWithCovariance) (localization.Pose, bool) {
	e.poses.Stamped(stamp)
	if frame != e.cfg.Frame {
		e.counts.frames++
		e.poses.Refused(&watch.FrameError{Frame: frame, Want: e.cfg.Frame})
		e.warnPose.Warn("a pose is in another frame and is not used", "frame_id", frame, "want", e.cfg.Frame)
		return localization.Pose{}, false
	}
	pose, err := convert.PlanarPose(stamp, m)
	if err == nil {
		err = e.poseStamps.Check(stamp, e.node.Now())
	}
	if err != nil {
		e.counts.poses++
		e.poses.Refused(err)
		e.warnPose.Warn("a pose is not used", "error", err.Error())
		return pose, false
	}
	if err := e.checker.CheckPose(&pose); err != nil {
		var bad *localization.CovarianceError
		if errors.As(err, &bad) && bad.Kind == localization.ZeroCovariance {
			err = errZeroCovariance
		}
		e.poses.Refused(err)
		e.warnPose.Warn("a pose is not used", "error", err.Error())
		return pose, false
	}
	return pose, true
}

// isNewest gives a pose that is fit for use to the matcher, and reports whether
// it is of use besides: one that is older than what is known is not.
func (e *Explorer) isNewest(pose localization.Pose) bool {
	e.matched = e.matcher.AddPose(e.matched[:0], pose)
	newest, ok := e.matcher.Poses().Newest()
	return ok && newest.Stamp == pose.Stamp
}

// moved takes up the newest pose, reached by so many metres of driving.
func (e *Explorer) moved(pose localization.Pose, metres float64) {
	first := !e.hasPose
	e.pose, e.hasPose = pose, true
	if first && e.record.Home == nil {
		home := report.Place{pose.X, pose.Y}
		if len(e.cfg.Home) == 2 {
			home = report.Place(e.cfg.Home)
		}
		e.setHome(home)
	}
	e.track(pose)
	if e.cfg.Passive {
		e.gather(e.matched)
		e.followed(metres)
		return
	}
	e.gather(e.matched)
	probe := pose.At(e.cfg.Matcher.Probe)
	e.tell(mission.EventPose{
		Stamp:          e.node.Now(),
		Odometer:       metres,
		TargetDistance: math.Hypot(probe.X-e.target[0], probe.Y-e.target[1]),
		HomeDistance:   e.homeDistance(),
		Speed:          e.motion.speed,
	})
	if e.startDue && e.timeKnown() && e.undriven() == "" {
		e.startDue = false
		e.start()
	}
	if e.resumption.due && !e.resumption.pending && e.undriven() == "" {
		e.resumption.due = false
		e.tell(mission.EventResume{Stamp: e.node.Now()})
	}
}

// timeKnown is false until the first tick of /clock, where the time comes from
// there: a mission that began before would find itself decades old with it.
func (e *Explorer) timeKnown() bool { return e.node.Now() > 0 }

// jumped takes back what was to be at a time by the clock before, as the
// simulation's when it begins anew.
func (e *Explorer) jumped(j exec.Jump) {
	if e.resumption.pending || j.From == 0 { // there was no time before
		return
	}
	if e.sampling != 0 {
		e.sampling = j.To
		e.stop.Reset()
	}
	if e.cfg.Passive {
		e.leap()
	}
	for i := range e.avoid {
		if a := &e.avoid[i]; a.until != math.MaxInt64 {
			a.until += j.To - j.From
		}
	}
	e.team.asked = j.To
	for _, m := range e.team.mates {
		m.heard += j.To - j.From
	}
	if j.To < j.From {
		e.beginBag() // in a bag time goes on
	}
}

// homeDistance returns the drivable way home from here, m. A robot that stands
// at its home is there, though both may lie outside the field: at the gate, or
// where a poor first pose put them. Where the field is in parts and the robot was
// carried into another, there is no way, and the straight line is the best that
// can be said.
func (e *Explorer) homeDistance() float64 {
	straight := math.Hypot(e.pose.X-e.home[0], e.pose.Y-e.home[1])
	way := e.homeWay.Length([]float64{e.pose.X, e.pose.Y})
	if straight <= e.cfg.Mission.HomeTolerance || math.IsInf(way, 1) {
		return straight
	}
	return way
}

// setHome makes a place the robot's home.
func (e *Explorer) setHome(home report.Place) {
	e.home = home
	e.homeWay.From(home[:])
	e.record.Home = &home
}

func (e *Explorer) onReading(r localization.Reading) {
	if r.Variance == 0 && e.cfg.Reading.StdDev == 0 {
		e.counts.noVariance++
		e.readings.Refused(errNoVariance)
		e.warnReading.Warn("a reading is not used", "error", errNoVariance.Error())
		return
	}
	if err := e.readingStamps.Check(r.Stamp, e.node.Now()); err != nil {
		e.counts.stray++
		e.readings.Refused(err)
		e.warnReading.Warn("a reading is not used", "error", err.Error())
		return
	}
	if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) {
		e.readings.Refused(errNotFinite) // and counted by the matcher
	}
	e.matched = e.matcher.AddReading(e.matched[:0], r, e.node.Now())
	e.gather(e.matched)
}

// gather takes readings that have found their pose into the sample under way.
func (e *Explorer) gather(matched []localization.Matched) {
	for _, m := range matched {
		switch {
		case e.cfg.Passive:
			e.along(m)
		case e.sampling == 0:
			e.counts.idle++
		case m.Reading.Stamp < e.sampling:
			e.counts.early++
		default:
			e.take(m)
		}
	}
	if e.sampling != 0 && e.stop.Len() >= e.cfg.Reading.Count {
		e.sample()
	}
}

// take takes a reading into the observation under way.
func (e *Explorer) take(m localization.Matched) {
	if e.stop.Add(m) && e.truth != nil {
		e.truth.compare(m)
	}
}

// sampleDue gives readings without a pose up, and is content with fewer readings
// when the wait is over.
func (e *Explorer) sampleDue() {
	now := e.node.Now()
	e.matched = e.matcher.Expire(e.matched[:0], now)
	e.gather(e.matched)
	if e.sampling != 0 && e.stop.Len() > 0 && now-e.sampling >= int64(seconds(e.cfg.Reading.Wait)) {
		e.sample()
	}
}

// sample makes one observation of the readings of this stop.
func (e *Explorer) sample() {
	now := e.node.Now()
	combined, err := e.stop.Combine()
	if err != nil {
		return // too few yet: more may come before the mission's timeout
	}
	e.sampling = 0
	if err := e.observe(combined, e.target, nil); err != nil {
		e.tell(mission.EventSampleFailed{Stamp: now, Reason: err.Error()})
		return
	}
	e.publishSamples()
	e.tell(mission.EventSampled{Stamp: now})
	e.think()
}

// observe takes up an observation meant to be made at target; path is the length
// of the piece of path along which it was made, m, nil for one of a stop. What cannot be one is counted and the error.
func (e *Explorer) observe(combined localization.Observation, target [2]float64, path *float64) error {
	transform := report.Transform(e.cfg.Reading.Transform)
	value, variance, err := toModel(transform, combined.Value, combined.Variance)
	if err != nil {
		e.counts.transformed++
		return err
	}
	o := report.Observation{
		Sequence: e.sampled() + 1,
		Stamp:    stampSeconds(combined.First + (combined.Last-combined.First)/2),
		Target:   target,
		Path:     path,
		Belief: report.Belief{
			X: combined.Belief.X, Y: combined.Belief.Y,
			XX: combined.Belief.XX, XY: combined.Belief.XY, YY: combined.Belief.YY,
		},
		Readings: combined.Readings,
		Value:    combined.Value, Variance: combined.Variance,
		ModelValue: value, ModelVariance: variance,
	}
	if !e.cfg.Passive {
		approach := e.approached
		approach.GaveUp = e.mission.Status().GaveUp
		o.Approach = &approach
	}
	if e.truth != nil {
		o.TruePlace = e.truth.place(combined.First + (combined.Last-combined.First)/2)
	}
	if err := e.optimizer.Check(sample(&o)); err != nil {
		e.counts.refused++
		return err
	}
	if e.book.begun { // before anyone hears of it
		if err := e.book.Commit(o); err != nil {
			e.wrote(err)
			return err
		}
	}
	e.optimizer.Add(sample(&o))
	e.record.Observations = append(e.record.Observations, o)
	e.saved = false
	e.publishObservation(o)
	return nil
}

// sampled returns the number of the last observation.
func (e *Explorer) sampled() int {
	n := len(e.record.Observations)
	if n == 0 {
		return 0
	}
	return e.record.Observations[n-1].Sequence
}
