package explorer

import (
	"math"
	"time"

	"ugp_explorer/localization"

	"github.com/paulmach/orb"
)

// motion is how fast the robot goes and how far it has gone. Estimated
// positions jitter, also while the robot stands, so that the sum of their
// differences would grow without end.
type motion struct {
	speed   float64 // m/s
	last    int64   // stamp of the newest pose, ns
	started bool
	stated  bool // a speed other than 0 was measured: the sender does measure it

	// From poses alone: the positions smoothed once and twice, and the one up to
	// which driving has been counted, m.
	once, twice, counted orb.Point
	first                int64 // stamp of the first pose, ns
}

const (
	// smoothing is the time constant over which positions are smoothed, s.
	smoothing = 1.0
	// settling is the time after the first pose until which the smoothed one is
	// not counted from, s.
	settling = 3.0
	// anchorDistance is how far the smoothed position has to be from the last
	// one that counted to count as driving, m: beyond the jitter of metre-level
	// localisation.
	anchorDistance = 1.0
	// leastSpeed is the speed below which a robot stands as far as its poses
	// can tell, m/s.
	leastSpeed = 0.25
	// longestStep is the longest time over which a measured speed is trusted, s.
	longestStep = 1.0
)

// measured takes a pose that came with a measured speed in m/s, and returns the
// metres driven since the pose before.
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

// inferred takes a pose that came without a speed. Both are told from smoothed
// positions: at a steady speed v the first lags v·τ behind, and the second
// another v·τ behind that, which weights of dt/(τ+dt) make exact for any dt. So
// the first and their difference together do not lag.
func (m *motion) inferred(p localization.Pose) float64 {
	at := orb.Point{p.X, p.Y}
	if !m.started || p.Stamp < m.last {
		*m = motion{last: p.Stamp, first: p.Stamp, started: true, stated: m.stated, once: at, twice: at, counted: at}
		return 0
	}
	dt := time.Duration(p.Stamp - m.last).Seconds()
	m.last = p.Stamp
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
		m.counted = here // the first pose of all was not smoothed
	}
	metres := math.Hypot(here[0]-m.counted[0], here[1]-m.counted[1])
	if metres < anchorDistance {
		return 0
	}
	m.counted = here
	return metres
}
