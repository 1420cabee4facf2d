package explorer

import (
	"math"
	"time"

	"ugp_explorer/localization"
)

// motion is how fast the robot goes and how far it has gone. Estimated
// positions jitter, also while the robot stands, so that the sum of their
// differences would grow without end.
type motion struct {
	speed   float64 // m/s
	last    int64   // stamp of the newest pose, ns
	anchor  [2]float64
	since   int64 // stamp of the anchor
	started bool
}

const (
	// anchorDistance is how far a pose has to be from the last one that counted
	// to count as driving, m: beyond the jitter of metre-level localisation.
	anchorDistance = 1.0
	// anchorTime is the time over which a speed is measured from poses alone, s.
	anchorTime = 1.0
	// longestStep is the longest time over which a measured speed is trusted, s.
	longestStep = 1.0
)

// measured takes a pose that came with a measured speed in m/s, and returns the
// metres driven since the pose before.
func (m *motion) measured(p localization.Pose, speed float64) float64 {
	dt := time.Duration(p.Stamp - m.last).Seconds()
	m.speed = speed
	started := m.started
	m.last, m.started = p.Stamp, true
	if !started || dt <= 0 {
		return 0
	}
	return math.Abs(speed) * min(dt, longestStep)
}

// inferred takes a pose that came without a speed: distance is counted from
// anchor to anchor, and speed is what the last second has shown.
func (m *motion) inferred(p localization.Pose) float64 {
	if !m.started || p.Stamp < m.since {
		*m = motion{anchor: [2]float64{p.X, p.Y}, since: p.Stamp, last: p.Stamp, started: true}
		return 0
	}
	m.last = p.Stamp
	moved := math.Hypot(p.X-m.anchor[0], p.Y-m.anchor[1])
	dt := time.Duration(p.Stamp - m.since).Seconds()
	switch {
	case moved >= anchorDistance:
		m.speed = moved / max(dt, 1e-3)
	case dt >= anchorTime:
		m.speed = 0 // less than the jitter in all this time
		moved = 0
	default:
		return 0
	}
	m.anchor, m.since = [2]float64{p.X, p.Y}, p.Stamp
	return moved
}
