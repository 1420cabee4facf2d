// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "ugp_explorer/localization"

type eventKind int

const (
	_ eventKind = iota // of the first event
	motionEvent
	positionEvent
	yawEvent
	poseEvent
	doubtEvent
	turnEvent
	confirmEvent
)

// event is a motion or a correction of the filter, with the estimate after it.
type event struct {
	kind   eventKind
	stamp  int64
	motion motion            // motionEvent: the motion since the event before
	fix    Fix               // positionEvent, turnEvent; in a yawEvent X is the yaw and Cov[0][0] its variance
	pose   localization.Pose // poseEvent; of a turnEvent only the heading
	doubt  doubt             // doubtEvent
	from   *gripEntry        // doubtEvent: holds the estimate at its begin
	after  estimate
}

// history keeps events. Only the estimate of the first event is used.
type history struct {
	series[event]
	origin int64 // stamp of the first event since the last reset
}

// reset drops all events and returns a new first one, whose estimate the caller fills in.
func (h *history) reset(stamp int64) *event {
	h.lo, h.hi, h.origin = 0, 1, stamp
	h.buf[0] = event{stamp: stamp}
	return &h.buf[0]
}

// split divides the motion that spans a stamp, for which the caller has reserved the room. It returns
// the index of the first event that has changed and that of the first event after the stamp.
func (h *history) split(stamp int64) (first, after int) {
	i := h.len()
	for i > 0 && h.at(i-1).stamp > stamp {
		i--
	}
	if i == 0 || i == h.len() || h.at(i).kind != motionEvent || h.at(i-1).stamp == stamp {
		return i, i
	}
	late := h.at(i)
	f := float64(stamp-h.at(i-1).stamp) / float64(late.stamp-h.at(i-1).stamp)
	early := event{kind: motionEvent, stamp: stamp, motion: late.motion.share(f)}
	late.motion = late.motion.share(1 - f)
	h.insert(i, &early)
	return i, i + 1
}
