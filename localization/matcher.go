package localization

import (
	"errors"
	"math"
	"time"
)

// Reading is one value of a sensor at one moment (ns). Variance is in the
// value's unit squared; zero means that the sensor does not state one.
type Reading struct {
	Stamp    int64
	Value    float64
	Variance float64
}

// valid reports whether the reading's numbers can be used in computations: no unit
// needs numbers whose squares leave the range of float64.
func (r Reading) valid() bool {
	const huge = 1e100
	return math.Abs(r.Value) <= huge && (r.Variance == 0 || r.Variance >= 1/huge && r.Variance <= huge)
}

// Matched is a reading with the pose at its moment and the belief about where
// the probe was.
type Matched struct {
	Reading Reading
	Pose    Pose
	Belief  Belief
	Held    bool // Pose was held and not interpolated: see PoseBuffer.Hold
}

// MatcherConfig configures a Matcher.
type MatcherConfig struct {
	Buffer BufferConfig
	// Probe is the position of the probe on the robot (m, base).
	Probe Lever
	// Capacity is the number of readings that may wait for a pose. When one more
	// comes, the one that has waited longest is dropped.
	Capacity int
	// Timeout is how long a reading waits for a pose after its arrival.
	Timeout time.Duration
}

// DefaultMatcherConfig puts the probe at the robot's origin and lets up to 256 readings wait for 2
// s.
func DefaultMatcherConfig() MatcherConfig {
	return MatcherConfig{Buffer: DefaultBufferConfig(), Capacity: 256, Timeout: 2 * time.Second}
}

// Validate returns an error that lists every invalid field of c.
func (c MatcherConfig) Validate() error {
	p := problems{of: "MatcherConfig"}
	p.nested(c.Buffer.Validate())
	p.lever("Probe", c.Probe)
	p.atLeast("Capacity", c.Capacity, 1)
	p.positiveTime("Timeout", c.Timeout)
	return p.err()
}

// MatchCounts counts matched and dropped readings. Every reading ends as Matched or under one of
// the reasons for dropping it.
type MatchCounts struct {
	Matched  uint64
	Held     uint64 // among Matched: the nearest pose was held
	TooEarly uint64 // before the oldest pose kept
	Gap      uint64 // between two poses too far apart
	TimedOut uint64 // no pose came in time
	Overflow uint64 // too many readings waiting
	Reset    uint64 // time was set back while it waited
	Invalid  uint64 // value or variance not finite or out of range, or variance negative
}

// Dropped returns the number of readings that were dropped for any reason.
func (c MatchCounts) Dropped() uint64 {
	return c.TooEarly + c.Gap + c.TimedOut + c.Overflow + c.Reset + c.Invalid
}

type waitingReading struct {
	Reading
	arrived int64
}

// Matcher joins readings with poses at the readings' own stamps. A reading
// newer than the newest pose waits until poses have caught up with it.
type Matcher struct {
	cfg     MatcherConfig
	poses   *PoseBuffer
	waiting []waitingReading // in order of arrival
	counts  MatchCounts
}

// NewMatcher returns a matcher without poses, or an error that lists every invalid
// field of cfg.
func NewMatcher(cfg MatcherConfig) (*Matcher, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	poses, err := NewPoseBuffer(cfg.Buffer)
	if err != nil {
		return nil, err
	}
	return &Matcher{cfg: cfg, poses: poses, waiting: make([]waitingReading, 0, cfg.Capacity)}, nil
}

// Poses returns the matcher's own buffer, for look-ups and for its counts. Only
// AddPose may add poses to it.
func (m *Matcher) Poses() *PoseBuffer { return m.poses }

// Counts returns how many readings were matched and dropped so far.
func (m *Matcher) Counts() MatchCounts { return m.counts }

// Waiting returns the number of readings that are waiting for a pose.
func (m *Matcher) Waiting() int { return len(m.waiting) }

// AddReading adds a reading that arrived at now (ns, the clock of Expire). When its
// pose is known already, the match is appended to dst. The memory of dst belongs to
// the caller.
func (m *Matcher) AddReading(dst []Matched, r Reading, now int64) []Matched {
	if !r.valid() {
		m.counts.Invalid++
		return dst
	}
	dst, done := m.match(dst, r)
	if done {
		return dst
	}
	if len(m.waiting) == m.cfg.Capacity {
		m.counts.Overflow++
		m.waiting = append(m.waiting[:0], m.waiting[1:]...)
	}
	m.waiting = append(m.waiting, waitingReading{r, now})
	return dst
}

// AddPose adds a pose that has passed a Checker and appends to dst the readings that
// can now be matched, in order of arrival. When time was set back, the waiting
// readings are dropped: their poses will not come.
func (m *Matcher) AddPose(dst []Matched, p Pose) []Matched {
	switch m.poses.Add(p) {
	case PoseDropped:
		return dst
	case PoseReset:
		m.counts.Reset += uint64(len(m.waiting))
		m.waiting = m.waiting[:0]
		return dst
	}
	kept := m.waiting[:0]
	for _, w := range m.waiting {
		var done bool
		if dst, done = m.match(dst, w.Reading); !done {
			kept = append(kept, w)
		}
	}
	m.waiting = kept
	return dst
}

// Expire ends the wait of the readings that arrived more than Timeout before now
// (ns). Each is matched to the newest pose and appended to dst when that pose is
// within HoldTolerance, and dropped otherwise.
func (m *Matcher) Expire(dst []Matched, now int64) []Matched {
	kept := m.waiting[:0]
	for _, w := range m.waiting {
		if now-w.arrived <= int64(m.cfg.Timeout) {
			kept = append(kept, w)
			continue
		}
		if p, err := m.poses.Hold(w.Stamp); err == nil {
			dst = m.emit(dst, w.Reading, p, true)
		} else {
			m.counts.TimedOut++
		}
	}
	m.waiting = kept
	return dst
}

// Clear drops the waiting readings, counted as Reset, and forgets the poses.
func (m *Matcher) Clear() {
	m.counts.Reset += uint64(len(m.waiting))
	m.waiting = m.waiting[:0]
	m.poses.Clear()
}

// match appends r to dst or drops it; done is false when r must wait.
func (m *Matcher) match(dst []Matched, r Reading) (_ []Matched, done bool) {
	p, err := m.poses.At(r.Stamp)
	if err == nil {
		return m.emit(dst, r, p, false), true
	}
	if errors.Is(err, ErrPending) {
		return dst, false
	}
	if held, holdErr := m.poses.Hold(r.Stamp); holdErr == nil {
		return m.emit(dst, r, held, true), true
	}
	if errors.Is(err, ErrGap) {
		m.counts.Gap++
	} else {
		m.counts.TooEarly++
	}
	return dst, true
}

func (m *Matcher) emit(dst []Matched, r Reading, p Pose, held bool) []Matched {
	m.counts.Matched++
	if held {
		m.counts.Held++
	}
	return append(dst, Matched{Reading: r, Pose: p, Belief: p.At(m.cfg.Probe), Held: held})
}
