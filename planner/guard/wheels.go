// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math"
	"math/cmplx"
)

const (
	// excess is the largest ratio of the true speed to the larger of commanded and measured speed, until the wheels have been compared with
	// fixes.
	excess = 1.1
	// deceleration is the largest assumed deceleration of a base, m/s²: that which our follower uses. Until the base has shown its own,
	// unproven is assumed; the assumption is never below leastDeceleration.
	deceleration, unproven, leastDeceleration = 0.8, 0.3, 0.1
	// reaction is the longest time from a command until the base obeys, s: the period of the
	// commands, and the base's lag.
	reaction = 0.3
	// still is the speed below which wheels stand, m/s. Some bases report a little noise for ever.
	still = 0.01
	// maxAge is the largest age of a usable fix, s, and also how far its stamp may be in the future.
	maxAge = 3.0
	// marks is the number of past states that are kept, one every between s: they reach back for maxAge and the largest delay of stamps.
	marks, between = 160, maxAge / 60
	// braking is the time over which the deceleration is measured, s. Over a shorter time, noise of the wheels looks like braking.
	braking = 0.4
)

// mark is the state of the wheels at an instant.
type mark struct {
	stamp  int64      // ns
	at     complex128 // the antenna in the wheels' own frame, m
	yaw    float64    // rad
	length float64    // longest path that the robot can have driven, m
	rolled float64    // path of the wheels, m
	turned float64    // sum of all turns, each times vague, rad
	vague  float64    // present uncertainty of turns as a share of that with wheels: less with a gyroscope
}

// wheels is dead reckoning, and the response of the base to commands.
type wheels struct {
	mark                     // now
	antenna       complex128 // on the base, m
	base          complex128 // m
	forward, left float64    // m/s
	rate          float64    // rad/s
	gyro          gyroscope
	bent          float64     // learnt turn of the robot beyond what the wheels measure, rad/m
	told          float64     // speed of the last command, m/s
	coasting      float64     // speed that the base may still have from faster commands before, m/s
	since         float64     // s since told changed much
	seen          int64       // when its braking was measured last
	shown         float64     // speed then, m/s
	gain, brakes  float64     // speed by command, at least 1; measured deceleration of the base, m/s²
	past          [marks]mark // a ring
	kept          int         // marks that were put into past
}

func (w *wheels) speed() float64 { return math.Hypot(w.forward, w.left) }

// advance adds the motion of the robot until now.
func (w *wheels) advance(now int64) {
	if w.stamp == 0 {
		w.stamp = now
	}
	if now <= w.stamp {
		return
	}
	if w.kept == 0 || float64(w.stamp-w.past[(w.kept-1)%marks].stamp)/1e9 >= between {
		w.past[w.kept%marks] = w.mark
		w.kept++
	}
	dt := float64(now-w.stamp) / 1e9
	w.stamp = now
	rate := w.rate + w.bent*w.forward
	if y, otherwise, ok := w.gyro.turn(now, dt, math.Copysign(w.speed(), w.forward), w.rate); ok {
		rate, w.vague = y, seen
		w.turned += otherwise / skid
	} else {
		w.vague = 1
	}
	turn := rate * dt
	w.base += complex(w.forward, w.left) * cmplx.Rect(dt, w.yaw+turn/2)
	w.yaw += turn
	w.at = w.base + w.antenna*cmplx.Rect(1, w.yaw)
	w.rolled += w.speed() * dt
	w.turned += w.vague * math.Abs(w.rate) * dt
	w.length += max(w.speed(), w.coasting) * excess * dt
	w.coasting = max(w.told, w.coasting-w.brakes*dt)
	w.since += dt
}

// brake slows wheels whose odometry has ceased to the speed that the base may still have from its commands. With the last speed that was
// measured, a robot that stands for minutes would seem to drive out of the field.
func (w *wheels) brake() {
	if v := w.speed(); v > w.coasting {
		part := w.coasting / v
		w.forward, w.left, w.rate = part*w.forward, part*w.left, part*w.rate
	}
}

// measure takes the speeds of the wheels forward and to the left, m/s, and their yaw rate, rad/s.
func (w *wheels) measure(forward, left, rate float64) {
	w.forward, w.left, w.rate = forward, left, rate
	if w.speed() < still {
		w.forward, w.left = 0, 0
	}
	// If the base stays faster than commanded for longer than its reaction, it has a gain, or brakes less than assumed.
	v, dt := w.speed(), float64(w.stamp-w.seen)/1e9
	if dt < braking/2 {
		return
	}
	slowing := (w.shown - v) / dt
	switch {
	case v > w.coasting+0.15 && w.since > reaction:
		if slowing < leastDeceleration {
			w.gain = max(w.gain, min(4, v/max(0.1, w.told)))
		} else {
			w.brakes = max(leastDeceleration, min(w.brakes, slowing))
		}
		w.coasting = v
	case slowing > w.brakes && dt >= braking:
		w.brakes += (min(deceleration, slowing) - w.brakes) / 4
	}
	if dt >= braking {
		w.seen, w.shown = w.stamp, v
	}
}

// tell takes the speed of a command, m/s.
func (w *wheels) tell(speed float64) {
	if math.Abs(speed-w.told) > 0.05 {
		w.since = 0
	}
	w.told = speed
	w.coasting = max(w.coasting, speed)
}

// stopping returns the highest speed from which the robot stops within a distance, m/s and m.
func (w *wheels) stopping(distance float64) float64 {
	if distance <= 0 {
		return 0
	}
	// The path until it stands: excess·gain·(v·reaction + v²/2a) = distance.
	at := w.brakes * reaction
	return math.Sqrt(at*at+2*w.brakes*distance/excess/w.gain) - at
}

// knows reports whether the state at a time is known, which is not more than maxAge from now.
func (w *wheels) knows(stamp int64) bool {
	return math.Abs(float64(w.stamp-stamp)/1e9) <= maxAge && (stamp >= w.stamp || w.kept > 0 && stamp >= w.past[max(0, w.kept-marks)%marks].stamp)
}

// then returns the state at a time, the oldest that is kept for times before it. Its length had been driven at least then.
func (w *wheels) then(stamp int64) mark {
	next := &w.mark
	for i := w.kept - 1; i >= max(0, w.kept-marks) && stamp < next.stamp; i-- {
		m := &w.past[i%marks]
		if m.stamp <= stamp {
			part := float64(stamp-m.stamp) / float64(next.stamp-m.stamp)
			is := *m
			is.at += complex(part, 0) * (next.at - m.at)
			is.yaw += part * (next.yaw - m.yaw)
			is.rolled += part * (next.rolled - m.rolled)
			is.turned += part * (next.turned - m.turned)
			return is
		}
		next = m
	}
	return *next
}
