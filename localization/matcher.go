// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"errors"
	"math"
	"slices"
	"time"
)

// Reading is one value of a sensor at one moment (ns). Variance is in the
// value's unit squared; zero means that the sensor does not state one.
type Reading struct {
	Stamp    int64
	Value    float64
	Variance float64

	arrived int64 // while it waits for a pose in a Matcher, ns
}

// Usable reports whether the value and the variance of a reading are finite, the variance is not negative, and both are of
// a size that no unit needs to exceed: their squares and inverses stay within the range of float64.
func Usable(value, variance float64) bool {
	return math.Abs(value) <= Huge && (variance == 0 || variance >= 1/Huge && variance <= Huge)
}

// Huge is the largest value of a usable reading, and the largest variance or inverse of one.
const Huge = 1e100

// Observation is a value and the belief about the place where it was measured: a reading whose pose is
// known, or the readings of one stop or piece of path, see Stop. The stamp of several is the middle
// between the first and the last.
type Observation struct {
	Reading
	Belief   Belief
	Readings int
	Path     *float64 // length of the path along which they were made, m; nil: unknown, or the robot stood
}

// MatcherConfig says how readings and poses are joined.
type MatcherConfig struct {
	// Probe is the position of the probe on the robot (m, base).
	Probe Lever
	// MaxGap is the longest time between two poses that interpolation bridges: see NewPoseBuffer.
	MaxGap time.Duration
}

// DefaultMatcherConfig puts the probe at the robot's origin and bridges half a second.
func DefaultMatcherConfig() MatcherConfig { return MatcherConfig{MaxGap: 500 * time.Millisecond} }

const (
	// mostWaiting is the number of readings that may wait for a pose. When one more comes, the one that
	// has waited longest is dropped.
	mostWaiting = 256
	// matchTimeout is how long a reading waits for a pose after its arrival.
	matchTimeout = 2 * time.Second
)

// MatchCounts counts matched and dropped readings. Every reading ends as Matched or under one of
// the reasons for dropping it.
type MatchCounts struct {
	Matched  uint64
	TooEarly uint64 // before the oldest pose kept
	Gap      uint64 // between two poses too far apart
	TimedOut uint64 // no pose came in time
	Overflow uint64 // too many readings waiting
	Reset    uint64 // time was set back while it waited
	Invalid  uint64 // value or variance not finite or out of range, or variance negative
}

// Matcher joins readings with poses at the readings' own stamps. A reading
// newer than the newest pose waits until poses have caught up with it.
type Matcher struct {
	probe   Lever
	poses   *PoseBuffer
	waiting []Reading // in order of arrival
	counts  MatchCounts
}

// NewMatcher returns a matcher without poses.
func NewMatcher(cfg MatcherConfig) *Matcher {
	return &Matcher{probe: cfg.Probe, poses: NewPoseBuffer(cfg.MaxGap), waiting: make([]Reading, 0, mostWaiting)}
}

// Newest returns the newest pose; ok is false when there is none.
func (m *Matcher) Newest() (p Pose, ok bool) { return m.poses.newest() }

// OutOfOrder returns the number of poses that were dropped, being older than the newest.
func (m *Matcher) OutOfOrder() uint64 { return m.poses.outOfOrder }

// Counts returns how many readings were matched and dropped so far.
func (m *Matcher) Counts() MatchCounts { return m.counts }

// AddReading adds a reading that arrived at now (ns, the clock of Expire). When its
// pose is known already, the match is appended to dst. The memory of dst belongs to
// the caller.
func (m *Matcher) AddReading(dst []Observation, r Reading, now int64) []Observation {
	if !Usable(r.Value, r.Variance) {
		m.counts.Invalid++
		return dst
	}
	dst, done := m.match(dst, r, false)
	if done {
		return dst
	}
	if len(m.waiting) == mostWaiting {
		m.counts.Overflow++
		m.waiting = slices.Delete(m.waiting, 0, 1)
	}
	r.arrived = now
	m.waiting = append(m.waiting, r)
	return dst
}

// AddPose adds a pose that has passed a Checker and appends to dst the readings that
// can now be matched, in order of arrival. When time was set back, the waiting
// readings are dropped: their poses will not come.
func (m *Matcher) AddPose(dst []Observation, p Pose) []Observation {
	switch m.poses.Add(p) {
	case poseDropped:
		return dst
	case poseReset:
		m.counts.Reset += uint64(len(m.waiting))
		m.waiting = m.waiting[:0]
		return dst
	}
	return m.retry(dst, math.MinInt64)
}

// Expire ends the wait of the readings that arrived more than matchTimeout before now
// (ns). Each is matched to the newest pose and appended to dst when that pose is
// within holdTolerance, and dropped otherwise.
func (m *Matcher) Expire(dst []Observation, now int64) []Observation {
	return m.retry(dst, now-int64(matchTimeout))
}

// retry matches the waiting readings. Those that arrived before a time do not wait any longer.
func (m *Matcher) retry(dst []Observation, before int64) []Observation {
	m.waiting = slices.DeleteFunc(m.waiting, func(w Reading) (done bool) {
		dst, done = m.match(dst, w, w.arrived < before)
		return done
	})
	return dst
}

// match appends r to dst or drops it; done is false when r must wait, which it does unless it is late.
func (m *Matcher) match(dst []Observation, r Reading, late bool) (_ []Observation, done bool) {
	p, err := m.poses.At(r.Stamp)
	if errors.Is(err, ErrPending) && !late {
		return dst, false
	}
	if err != nil {
		p, err = m.poses.hold(r.Stamp, err)
	}
	r.arrived = 0
	switch {
	case err == nil:
		m.counts.Matched++
		dst = append(dst, Observation{Reading: r, Belief: p.At(m.probe), Readings: 1})
	case errors.Is(err, ErrPending):
		m.counts.TimedOut++
	case errors.Is(err, errGap):
		m.counts.Gap++
	default:
		m.counts.TooEarly++
	}
	return dst, true
}
