// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"errors"
	"math"
	"sort"
	"time"
)

var (
	// ErrPending is returned for a stamp newer than every pose: a later pose may
	// still answer it.
	ErrPending  = errors.New("localization: no pose at or after the stamp yet")
	errTooEarly = errors.New("localization: stamp before the oldest pose kept")
	errGap      = errors.New("localization: gap between the poses around the stamp")
)

const (
	// posesKept is the number of poses kept, 20 s at 50 Hz; a new pose replaces the oldest.
	posesKept = 1000
	// holdTolerance is the longest time between a stamp and the nearest pose for which hold uses that pose.
	holdTolerance = 50 * time.Millisecond
	// holdSpeed (m/s) and holdTurnRate (rad/s) bound the robot's motion between a held pose and the stamp.
	holdSpeed, holdTurnRate = 2, 2
	// resetJump is how much older than the newest pose another must be to show that
	// time was set back; the buffer then starts again.
	resetJump = time.Second
)

// AddResult says how a PoseBuffer used a pose.
type AddResult int

const (
	poseStored  AddResult = iota // is now the newest
	poseDropped                  // older than the newest pose
	poseReset                    // showed that time was set back: it is now the only pose
)

// PoseBuffer keeps the newest poses in the order of their stamps. Poses must have
// passed a Checker.
type PoseBuffer struct {
	maxGap     time.Duration
	poses      []Pose // oldest first, in memory
	memory     []Pose // of twice posesKept, nil until there are as many
	outOfOrder uint64 // poses dropped, being older than the newest
}

// NewPoseBuffer returns an empty buffer. maxGap is the longest time between two poses that interpolation
// bridges. It takes the path as straight: at turn rate ω and speed v the middle is off by about
// v·ω·maxGap²/8.
func NewPoseBuffer(maxGap time.Duration) *PoseBuffer { return &PoseBuffer{maxGap: maxGap} }

func (b *PoseBuffer) newest() (p Pose, ok bool) {
	if len(b.poses) == 0 {
		return Pose{}, false
	}
	return b.poses[len(b.poses)-1], true
}

// Add stores p when it is newer than all others. A pose with the stamp of the newest
// replaces it. An older pose is dropped, unless it is older by more than resetJump:
// then time was set back (a simulation or a bag started again), and Add forgets all
// other poses.
func (b *PoseBuffer) Add(p Pose) AddResult {
	result := poseStored
	if newest, ok := b.newest(); ok {
		switch {
		case p.Stamp > newest.Stamp:
		case p.Stamp == newest.Stamp:
			b.poses = b.poses[:len(b.poses)-1]
		case newest.Stamp-p.Stamp <= int64(resetJump):
			b.outOfOrder++
			return poseDropped
		default:
			b.poses = b.poses[:0]
			result = poseReset
		}
	}
	if len(b.poses) == posesKept {
		if b.memory == nil {
			b.memory = make([]Pose, 2*posesKept)
		}
		if b.poses = b.poses[1:]; len(b.poses) == cap(b.poses) {
			b.poses = append(b.memory[:0], b.poses...)
		}
	}
	b.poses = append(b.poses, p)
	return result
}

// after returns the index of the oldest pose with a stamp at or after t.
func (b *PoseBuffer) after(t int64) int {
	return sort.Search(len(b.poses), func(i int) bool { return b.poses[i].Stamp >= t })
}

// At returns the pose at a stamp (ns): the pose with that stamp, or the
// interpolation between the two around it. The error is ErrPending while a later pose may answer it.
func (b *PoseBuffer) At(stamp int64) (Pose, error) {
	i := b.after(stamp)
	switch {
	case i == len(b.poses):
		return Pose{}, ErrPending
	case b.poses[i].Stamp == stamp:
		return b.poses[i], nil
	case i == 0:
		return Pose{}, errTooEarly
	case b.poses[i].Stamp-b.poses[i-1].Stamp > int64(b.maxGap):
		return Pose{}, errGap
	}
	return interpolate(&b.poses[i-1], &b.poses[i], stamp), nil
}

// hold returns the pose nearest in time to a stamp when it is within holdTolerance, otherwise the error, that of At.
// The result has the requested stamp, and its covariance is enlarged for the motion
// in between: (holdSpeed·Δt)² in x and y and (holdTurnRate·Δt)² in yaw, so that the
// largest possible motion is one standard deviation.
func (b *PoseBuffer) hold(stamp int64, otherwise error) (Pose, error) {
	i := b.after(stamp)
	around := b.poses[max(i-1, 0):min(i+1, len(b.poses))]
	if len(around) == 0 {
		return Pose{}, otherwise
	}
	p := around[len(around)-1]
	if before := around[0]; stamp-before.Stamp < p.Stamp-stamp {
		p = before
	}
	dt := max(p.Stamp-stamp, stamp-p.Stamp)
	if dt > int64(holdTolerance) {
		return Pose{}, otherwise
	}
	p.Stamp = stamp
	s := float64(dt) * 1e-9
	move, turn := holdSpeed*s, holdTurnRate*s
	p.Cov[0][0] += move * move
	p.Cov[1][1] += move * move
	p.Cov[2][2] = math.Min(p.Cov[2][2]+turn*turn, math.Max(p.Cov[2][2], unknownYaw))
	return p, nil
}

// interpolate returns the pose at a stamp between p0 and p1 (p0 the earlier). x and y
// are interpolated linearly, yaw linearly along the shorter arc, and the covariance is
// (1−a)·P0 + a·P1. The error of the interpolated mean is (1−a)·e0 + a·e1. However e0
// and e1 are correlated, its covariance is at most that convex combination in the
// Loewner order, since variance is convex. So the result never claims too much
// certainty, and it stays positive semi-definite.
func interpolate(p0, p1 *Pose, stamp int64) Pose {
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
