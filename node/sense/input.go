// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"errors"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// input receives the readings of a topic, checks them, gives each a pose, and passes it to a gatherer.
type input struct {
	cfg      Readings
	node     *ros.Node
	gatherer Gatherer

	topic            *ros.Subscription // nil: not open
	watched          *watch.Input      // nil: nobody watches
	stamps           ros.Stamps
	warn             ros.Throttle
	matcher          *localization.Matcher
	last             localization.Reading       // the newest, as it came
	received, period int64                      // arrival of the newest reading that is no repetition, and the time from the one before it, ns
	matched          []localization.Observation // workspace
	counts           ReadingCounts
}

// ReadingCounts is how many readings of a topic were used, and how many were not.
type ReadingCounts struct {
	Idle       int64 // readings that came while none was wanted
	Early      int64 // readings made before the robot stood at its target
	NoVariance int64 // readings that state no variance, where none was configured
	Outside    int64 // readings whose value or variance is not finite, or outside the limits
	Stamps     int64 // readings with a stamp that is off, or that came twice

	Matched localization.MatchCounts
}

// newInput returns an input that receives nothing yet. speed is that of the robot, m/s.
func newInput(node *ros.Node, cfg *Readings, speed float64, g Gatherer) *input {
	return &input{
		cfg: *cfg, node: node, gatherer: g,
		stamps: node.NewStamps(speed), warn: node.NewThrottle(time.Second), matcher: localization.NewMatcher(cfg.Matcher),
	}
}

// open subscribes to the topic.
func (in *input) open() (err error) {
	in.topic, err = kinds[in.cfg.Type].subscribe(in.node, in.cfg.Topic, in.read)
	return err
}

// watch starts the checks of the topic. untilDone returns WantNothing when readings are not wanted any more.
func (in *input) watch(w *watch.Watch, name string, untilDone func(watch.Want) watch.Want) {
	in.watched = w.Input(in.topic, watch.Expect{
		Name: name, What: in.cfg.Called, Silence: ros.Duration(in.cfg.Silence), Age: oldestReading,
		Want: func() watch.Want {
			if in.gatherer.wants() { // some probes measure only while the robot stands
				return watch.WantMessages
			}
			return untilDone(watch.WantMatch)
		},
	})
}

// atOnce is the time within which the same value without a stamp is no other measurement, if it is also short for the sensor's period.
const atOnce = 10 * time.Millisecond

// read handles a reading. An unusable one is counted and named in the log.
func (in *input) read(r localization.Reading, info ros.MessageInfo) {
	gap := info.Received - in.received
	again := r == in.last && (r.Stamp != 0 || gap < min(in.period/10, int64(atOnce)))
	if in.last = r; !again {
		in.received, in.period = info.Received, gap
	}
	if r.Stamp != 0 {
		r.Stamp -= in.node.ClockSet()
		in.watched.Stamped(r.Stamp)
	}
	r = dated(r, info.Received, in.cfg.Delay)
	var err error
	count := &in.counts.NoVariance // of refused readings, by reason
	if r.Variance == 0 && in.cfg.StdDev == 0 && !in.cfg.Unknown {
		err = errors.New("it states no variance; set " + in.cfg.Topic + ".stddev")
	} else if again {
		err = errors.New("it is the reading before once more: one measurement came twice, and counts once")
		count = &in.counts.Stamps
	} else if err = in.stamps.Check(r.Stamp, in.node.Now()); err != nil {
		count = &in.counts.Stamps
	} else if err = in.cfg.within(r.Value, r.Variance); err != nil {
		count = &in.counts.Outside
	}
	if err != nil {
		*count++
		in.watched.Refused(err)
		in.warn.Warn(in.cfg.Called+" is not used", "error", err.Error())
		return
	}
	in.gather(in.matcher.AddReading(in.matched[:0], r, in.node.Now()))
}

// pose adds a pose, and keeps the readings that can be matched now for gather.
func (in *input) pose(p localization.Pose) { in.matched = in.matcher.AddPose(in.matched[:0], p) }

// expire drops readings whose pose has not come, and gives the gatherer the time.
func (in *input) expire(now int64) {
	in.gather(in.matcher.Expire(in.matched[:0], now))
	in.gatherer.expire(now)
}

// all returns all counts.
func (in *input) all() ReadingCounts {
	c := in.counts
	c.Matched = in.matcher.Counts()
	return c
}

// gather passes on readings that have a pose.
func (in *input) gather(matched []localization.Observation) {
	in.matched = matched
	in.gatherer.gather(matched, &in.counts)
}
