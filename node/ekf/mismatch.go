// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"fmt"
	"math"
	"math/cmplx"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
)

const (
	// pathBlock, m, and turnBlock, rad, are the motions over which pose and twist of the odometry are compared, within longestBlock, s: noise
	// of a robot that stands amounts to less. sameBlocks is the number of such blocks in a row that must show the same.
	pathBlock, turnBlock, longestBlock, sameBlocks = 1.5, 1.0, 15.0, 3
	// askew is the ratio of the motion to the side of the twist to that along it up to which both have the same direction, and explained the
	// share by which they may differ where a wrong frame or direction explains another one.
	askew, explained = 0.3, 0.05
	// uneven is the share of messages in which the pose or the twist does not move, from which a twist is made of single encoder ticks. A robot
	// of which neither moves for pause, s, stands.
	uneven, pause = 0.2, 1.0
)

// matched compares the pose of the odometry with its twist, which the driver makes of the same wheels: where they contradict each other,
// one of the two has a wrong unit, sign or frame.
type matched struct {
	stamp int64      // of the last message, ns; 0: none
	place complex128 // by its pose, m
	yaw   float64    // by its pose, rad

	moving  span       // since the block began
	moved   complex128 // in it by poses, m
	driven  complex128 // by twists, in the frame of the pose
	plain   complex128 // by twists, as if they were in that frame
	turning span       // since the block began
	turned  float64    // in it by poses, rad
	spun    float64    // by twists

	moves, turns verdict
}

// span is the length of a block: in time, s, in messages without those of a robot that stands, and in those of them in which the pose or the
// twist does not move.
type span struct{ lasts, messages, uneven, silent, silence float64 }

func (s *span) add(dt float64, pose, twist bool) {
	s.lasts += dt
	if !pose && !twist {
		s.silent++
		s.silence += dt
		return
	}
	if s.silence < pause { // between two ticks
		s.messages, s.uneven = s.messages+s.silent, s.uneven+s.silent
	}
	if s.messages++; pose != twist {
		s.uneven++
	}
	s.silent, s.silence = 0, 0
}

// inTicks returns the mismatch of a block as that of a twist that is made of single ticks, if it is.
func (s *span) inTicks(c mismatch) mismatch {
	if c.kind != agrees && s.uneven > uneven*s.messages {
		c.kind = ticks
	}
	return c
}

// verdict is what the last blocks show.
type verdict struct {
	now mismatch
	n   int
}

// mismatch is how the pose differs from the twist. The zero value means that it does not.
type mismatch struct {
	kind  differs
	ratio float64 // of the motion by the pose to that by the twist
}

// differs is a kind of mismatch.
type differs uint8

const (
	agrees     differs = iota
	inAnother          // unit
	opposite           // sign
	worldTwist         // in the frame of the pose
	ticks              // the twist moves in other messages than the pose
)

// add adds what a block shows.
func (v *verdict) add(c mismatch) {
	if v.now.kind != c.kind {
		v.n = 0
	}
	v.now = c
	v.n++
}

// proven returns the mismatch that enough blocks show.
func (v *verdict) proven() mismatch {
	if v.n < sameBlocks {
		return mismatch{}
	}
	return v.now
}

// hear adds a message.
func (k *matched) hear(stamp int64, m *nav_msgs.Odometry) {
	yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
	place := complex(m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y)
	dt := float64(stamp-k.stamp) * 1e-9
	if turned := math.Remainder(yaw-k.yaw, 2*math.Pi); k.stamp != 0 && dt > 0 && dt < 1 && err == nil {
		step := complex(m.Twist.Twist.Linear.X*dt, m.Twist.Twist.Linear.Y*dt)
		k.moving.add(dt, place != k.place, step != 0)
		k.moved, k.driven, k.plain = k.moved+place-k.place, k.driven+step*cmplx.Rect(1, k.yaw+turned/2), k.plain+step
		k.turning.add(dt, turned != 0, m.Twist.Twist.Angular.Z != 0)
		k.turned, k.spun = k.turned+turned, k.spun+m.Twist.Twist.Angular.Z*dt
		k.judge()
	}
	k.stamp, k.place, k.yaw = stamp, place, yaw
	if err != nil {
		k.stamp = 0
	}
}

// judge ends a block that is long enough. A pose or a twist that is not filled in shows nothing.
func (k *matched) judge() {
	if long := max(cmplx.Abs(k.moved), cmplx.Abs(k.driven)) > pathBlock; long || k.moving.lasts > longestBlock {
		if long && k.moved != 0 && k.driven != 0 {
			k.moves.add(k.moving.inTicks(k.compareMoves()))
		}
		k.moving, k.moved, k.driven, k.plain = span{}, 0, 0, 0
	}
	if long := max(math.Abs(k.turned), math.Abs(k.spun)) > turnBlock; long || k.turning.lasts > longestBlock {
		if long && k.turned != 0 && k.spun != 0 {
			k.turns.add(k.turning.inTicks(compareTurns(k.turned / k.spun)))
		}
		k.turning, k.turned, k.spun = span{}, 0, 0
	}
}

// compareMoves returns what the motion of a block shows.
func (k *matched) compareMoves() mismatch {
	near := func(a, b complex128) bool { return cmplx.Abs(a-b) < explained*cmplx.Abs(k.moved) }
	ratio := k.moved / k.driven
	switch straight := math.Abs(imag(ratio)) < askew*real(ratio); {
	case straight && real(ratio) < mostScale && real(ratio) > 1/mostScale:
		return mismatch{}
	case straight:
		return mismatch{inAnother, real(ratio)}
	case near(k.moved, k.plain) && near(k.moved, -k.driven): // to the west, both explain it
		return k.moves.now
	case near(k.moved, k.plain):
		return mismatch{worldTwist, 1}
	case near(k.moved, -k.driven):
		return mismatch{opposite, -1}
	}
	return mismatch{}
}

// compareTurns returns what the ratio of the turn of a block by poses to that by twists shows.
func compareTurns(ratio float64) mismatch {
	switch {
	case ratio < -1/mostScale && ratio > -mostScale:
		return mismatch{opposite, ratio}
	case ratio > mostScale || ratio > 0 && ratio < 1/mostScale:
		return mismatch{inAnother, ratio}
	}
	return mismatch{}
}

// wrongTwist says how pose and twist of the odometry contradict each other, "" if they do not. Where the yaw of the pose may be wrong, the
// direction of its motion shows nothing.
func (e *EKF) wrongTwist() string {
	why := ""
	switch moves, turns := e.matched.moves.proven(), e.matched.turns.proven(); {
	case turns.kind == ticks || moves.kind == ticks:
		why = "its pose and its twist move in different messages, and by different amounts, as with coarse encoder ticks: let its driver compute the twist from the motion of the pose " +
			"since the last message, or over several ticks"
	case turns.kind == opposite:
		why = "its pose turns one way and its twist the other: correct the sign of one of them in its driver; yaw is counter-clockwise"
	case turns.kind == inAnother:
		why = fmt.Sprintf("its pose turns %.2g times as far as its twist says: correct the unit of one of them in its driver, rad and rad/s", turns.ratio)
	case moves.kind == inAnother:
		why = fmt.Sprintf("its pose moves %.2g times as far as its twist says: correct the unit of one of them in its driver, m and m/s", moves.ratio)
	case moves.kind == worldTwist:
		why = "its twist points where its pose moves, so it is in the frame of the pose, but must be in that of the robot, where x is forward: correct its driver"
	case moves.kind == opposite:
		why = "its pose moves forwards and its twist backwards: correct the sign of one of them in its driver; x is forward"
	}
	if why == "" {
		return ""
	}
	return "the odometry of " + e.wheels.Senders() + " contradicts itself: " + why
}

// match compares pose and twist of odometry, and logs when they prove to contradict each other, or agree again.
func (e *EKF) match(stamp int64, m *nav_msgs.Odometry) {
	proven := func() [2]differs { return [2]differs{e.matched.moves.proven().kind, e.matched.turns.proven().kind} }
	before := proven()
	e.matched.hear(stamp, m)
	switch now := proven(); {
	case now == before:
	case now == [2]differs{}:
		e.node.Logger().Info("pose and twist of the odometry agree again")
	default:
		e.node.Logger().Warn(e.wrongTwist())
	}
}
