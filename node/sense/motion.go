// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"
	"time"

	"ugp_explorer/localization"

	"github.com/paulmach/orb"
)

// motion estimates the robot's speed and the distance driven. Estimated positions jitter
// even while the robot stands, so the sum of their differences would grow without limit.
type motion struct {
	speed   float64 // m/s
	last    int64   // stamp of the newest pose, ns
	started bool
	stated  bool // a nonzero speed was received, so the sender measures speed

	// For poses without speed: the newest position, positions smoothed once and twice, and the position up
	// to which the distance has been counted, m.
	at, once, twice, counted orb.Point
	first                    int64 // stamp of the first pose, ns
	broken                   bool  // a pose since the newest was too uncertain
}

const (
	// smoothing is the time constant over which positions are smoothed, s.
	smoothing = 1.0
	// settling is the time after the first pose before the distance is counted, s.
	settling = 3.0
	// anchorDistance is the distance between the smoothed position and the last counted
	// one that counts as driving, m. It exceeds the jitter of metre-level localisation.
	anchorDistance = 1.0
	// leastSpeed is the speed below which the robot counts as standing if only poses are
	// known, m/s.
	leastSpeed = 0.25
	// longestStep is the longest time over which a measured speed is integrated, s.
	longestStep = 1.0
)

// measured adds a pose with a measured speed, m/s, and returns the distance driven since
// the previous pose, m.
func (m *motion) measured(p localization.Pose, speed float64) float64 {
	if m.stated = m.stated || speed != 0; !m.stated { // many senders of odometry leave the twist empty
		return m.inferred(p)
	}
	dt := time.Duration(p.Stamp - m.last).Seconds()
	m.speed = speed
	started := m.started
	m.last, m.started = p.Stamp, true
	if !started || dt <= 0 {
		return 0
	}
	return math.Abs(speed) * min(dt, longestStep)
}

// inferred adds a pose without a speed and returns the distance driven, m. Speed and
// distance are estimated from smoothed positions: at a constant speed v the first smoothed
// position lags by v·τ and the second by another v·τ; weights of dt/(τ+dt) make this exact
// for any dt. So the first position plus their difference does not lag. A mission stands while poses
// are too uncertain, and no robot is faster than [localization.MostSpeed]. What the position changes
// meanwhile, or faster than that, is a correction: it was not driven, and all of these places are moved by it.
func (m *motion) inferred(p localization.Pose) float64 {
	at := orb.Point{p.X, p.Y}
	if !m.started || p.Stamp < m.last {
		*m = motion{last: p.Stamp, first: p.Stamp, started: true, stated: m.stated, at: at, once: at, twice: at, counted: at}
		return 0
	}
	dt := time.Duration(p.Stamp - m.last).Seconds()
	if m.broken || math.Hypot(at[0]-m.at[0], at[1]-m.at[1]) > anchorDistance+localization.MostSpeed*dt {
		for _, place := range [...]*orb.Point{&m.once, &m.twice, &m.counted} {
			place[0], place[1] = place[0]+at[0]-m.at[0], place[1]+at[1]-m.at[1]
		}
	}
	m.last, m.at, m.broken = p.Stamp, at, false
	weight := dt / (smoothing + dt)
	for i := range at {
		m.once[i] += weight * (at[i] - m.once[i])
		m.twice[i] += weight * (m.once[i] - m.twice[i])
	}
	m.speed = math.Hypot(m.once[0]-m.twice[0], m.once[1]-m.twice[1]) / smoothing
	if m.speed < leastSpeed {
		m.speed = 0
	}
	here := orb.Point{2*m.once[0] - m.twice[0], 2*m.once[1] - m.twice[1]}
	if m.speed == 0 && time.Duration(p.Stamp-m.first).Seconds() < settling {
		m.counted = here // the first pose was not smoothed
	}
	metres := math.Hypot(here[0]-m.counted[0], here[1]-m.counted[1])
	if metres < anchorDistance {
		return 0
	}
	m.counted = here
	return metres
}
