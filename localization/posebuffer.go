package localization

import (
	"errors"
	"math"
	"time"
)

var (
	// ErrPending is returned for a stamp newer than every pose: a later pose may
	// still answer it.
	ErrPending = errors.New("localization: no pose at or after the stamp yet")
	// ErrTooEarly is returned for a stamp older than every pose kept: no later pose
	// will answer it.
	ErrTooEarly = errors.New("localization: stamp before the oldest pose kept")
	// ErrGap is returned when the poses around the stamp are too far apart in time.
	ErrGap = errors.New("localization: gap between the poses around the stamp")
)

// BufferConfig configures a PoseBuffer.
type BufferConfig struct {
	// Capacity is the number of poses kept; a new pose replaces the oldest.
	Capacity int
	// MaxGap is the longest time between two poses that interpolation bridges. It
	// takes the path as straight: at turn rate ω and speed v the middle is off by
	// about v·ω·MaxGap²/8.
	MaxGap time.Duration
	// HoldTolerance is the longest time between a stamp and the nearest pose for
	// which Hold uses that pose. With zero no pose is held.
	HoldTolerance time.Duration
	// MaxSpeed (m/s) and MaxTurnRate (rad/s) bound the robot's motion between a held
	// pose and the stamp.
	MaxSpeed, MaxTurnRate float64
	// ResetJump is how much older than the newest pose another must be to show that
	// time was set back; the buffer then begins anew.
	ResetJump time.Duration
}

// DefaultBufferConfig keeps 20 s of poses at 50 Hz, bridges half a second and holds a pose for 50
// ms.
func DefaultBufferConfig() BufferConfig {
	return BufferConfig{
		Capacity:      1000,
		MaxGap:        500 * time.Millisecond,
		HoldTolerance: 50 * time.Millisecond,
		MaxSpeed:      2,
		MaxTurnRate:   2,
		ResetJump:     time.Second,
	}
}

// Validate returns an error that lists every invalid field of c.
func (c BufferConfig) Validate() error {
	p := problems{of: "BufferConfig"}
	p.atLeast("Capacity", c.Capacity, 2)
	p.positiveTime("MaxGap", c.MaxGap)
	p.notNegativeTime("HoldTolerance", c.HoldTolerance)
	p.notNegative("MaxSpeed", c.MaxSpeed)
	p.notNegative("MaxTurnRate", c.MaxTurnRate)
	p.positiveTime("ResetJump", c.ResetJump)
	return p.err()
}

// AddResult says how a PoseBuffer used a pose.
type AddResult int

const (
	PoseStored   AddResult = iota
	PoseReplaced           // had the stamp of the newest pose and replaced it
	PoseDropped            // older than the newest pose, or not finite
	PoseReset              // showed that time was set back: it is now the only pose
)

// BufferCounts counts how a PoseBuffer used the poses given to it.
type BufferCounts struct {
	Stored, Replaced, OutOfOrder, NotFinite, Resets uint64
}

// PoseBuffer keeps the newest poses in the order of their stamps. Poses must have
// passed a Checker.
type PoseBuffer struct {
	cfg    BufferConfig
	ring   []Pose
	first  int // index of the oldest
	n      int
	counts BufferCounts
}

// NewPoseBuffer returns an empty buffer, or an error that lists every invalid field
// of cfg.
func NewPoseBuffer(cfg BufferConfig) (*PoseBuffer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &PoseBuffer{cfg: cfg, ring: make([]Pose, cfg.Capacity)}, nil
}

// Len returns the number of poses kept.
func (b *PoseBuffer) Len() int { return b.n }

// Counts returns how the poses were used so far.
func (b *PoseBuffer) Counts() BufferCounts { return b.counts }

// Newest returns the newest pose; ok is false when there is none.
func (b *PoseBuffer) Newest() (p Pose, ok bool) {
	if b.n == 0 {
		return Pose{}, false
	}
	return *b.at(b.n - 1), true
}

// Clear forgets every pose; the counts stay.
func (b *PoseBuffer) Clear() { b.first, b.n = 0, 0 }

// at returns the i-th pose; 0 is the oldest.
func (b *PoseBuffer) at(i int) *Pose {
	i += b.first
	if i >= len(b.ring) {
		i -= len(b.ring)
	}
	return &b.ring[i]
}

// Add stores p when it is newer than all others. A pose with the stamp of the newest
// replaces it. An older pose is dropped, unless it is older by more than ResetJump:
// then time was set back (a simulation or a bag began anew), and Add forgets all
// other poses.
func (b *PoseBuffer) Add(p Pose) AddResult {
	if !finite(p.X) || !finite(p.Y) || !finite(p.Yaw) {
		b.counts.NotFinite++
		return PoseDropped
	}
	result := PoseStored
	if b.n > 0 {
		newest := b.at(b.n - 1)
		switch {
		case p.Stamp > newest.Stamp:
		case p.Stamp == newest.Stamp:
			*newest = p
			b.counts.Replaced++
			return PoseReplaced
		case newest.Stamp-p.Stamp <= int64(b.cfg.ResetJump):
			b.counts.OutOfOrder++
			return PoseDropped
		default:
			b.Clear()
			b.counts.Resets++
			result = PoseReset
		}
	}
	if b.n == len(b.ring) {
		b.first++
		if b.first == len(b.ring) {
			b.first = 0
		}
		b.n--
	}
	b.n++
	*b.at(b.n - 1) = p
	b.counts.Stored++
	return result
}

// after returns the index of the oldest pose with a stamp at or after t.
func (b *PoseBuffer) after(t int64) int {
	lo, hi := 0, b.n
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if b.at(mid).Stamp < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// At returns the pose at a stamp (ns): the pose with that stamp, or the
// interpolation between the two around it. It returns ErrPending, ErrTooEarly or
// ErrGap when there is none, and allocates nothing.
func (b *PoseBuffer) At(stamp int64) (Pose, error) {
	i := b.after(stamp)
	if i == b.n {
		return Pose{}, ErrPending
	}
	p1 := b.at(i)
	if p1.Stamp == stamp {
		return *p1, nil
	}
	if i == 0 {
		return Pose{}, ErrTooEarly
	}
	p0 := b.at(i - 1)
	if p1.Stamp-p0.Stamp > int64(b.cfg.MaxGap) {
		return Pose{}, ErrGap
	}
	return Interpolate(p0, p1, stamp), nil
}

// Hold returns the pose nearest in time to a stamp when it is within HoldTolerance.
// The result has the requested stamp, and its covariance is enlarged for the motion
// in between: (MaxSpeed·Δt)² in x and y and (MaxTurnRate·Δt)² in yaw, so that the
// largest possible motion is one standard deviation. The errors are those of At.
func (b *PoseBuffer) Hold(stamp int64) (Pose, error) {
	i := b.after(stamp)
	var nearest *Pose
	var err error
	switch {
	case b.n == 0:
		return Pose{}, ErrPending
	case i == b.n:
		nearest, err = b.at(i-1), ErrPending
	case i == 0:
		nearest, err = b.at(0), ErrTooEarly
	default:
		nearest, err = b.at(i), ErrGap
		if p0 := b.at(i - 1); stamp-p0.Stamp < nearest.Stamp-stamp {
			nearest = p0
		}
	}
	dt := nearest.Stamp - stamp
	if dt < 0 {
		dt = -dt
	}
	if dt > int64(b.cfg.HoldTolerance) {
		return Pose{}, err
	}
	p := *nearest
	p.Stamp = stamp
	s := float64(dt) * 1e-9
	move, turn := b.cfg.MaxSpeed*s, b.cfg.MaxTurnRate*s
	p.Cov[0][0] += move * move
	p.Cov[1][1] += move * move
	p.Cov[2][2] = math.Min(p.Cov[2][2]+turn*turn, math.Max(p.Cov[2][2], unknownYaw))
	return p, nil
}

// Interpolate returns the pose at a stamp between p0 and p1 (p0 the earlier). x and y
// are interpolated linearly, yaw linearly along the shorter arc, and the covariance is
// (1−a)·P0 + a·P1. The error of the interpolated mean is (1−a)·e0 + a·e1. However e0
// and e1 are correlated, its covariance is at most that convex combination in the
// Loewner order, since variance is convex. So the result never claims too much
// certainty, and it stays positive semi-definite.
func Interpolate(p0, p1 *Pose, stamp int64) Pose {
	a := float64(stamp-p0.Stamp) / float64(p1.Stamp-p0.Stamp)
	p := Pose{
		Stamp: stamp,
		X:     p0.X + a*(p1.X-p0.X),
		Y:     p0.Y + a*(p1.Y-p0.Y),
		Yaw:   wrapAngle(p0.Yaw + a*wrapAngle(p1.Yaw-p0.Yaw)),
	}
	for i := range 3 {
		for j := range 3 {
			p.Cov[i][j] = (1-a)*p0.Cov[i][j] + a*p1.Cov[i][j]
		}
	}
	return p
}
