// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "math"

const (
	// Turns by gyroscope and wheels that differ by rivalYaw (rad) contradict each other. The one that is off from the direction of the fixes by
	// more than twice as much as the other is wrong. A gyroscope is also right if it turns as the wheels do, within a quarter.
	rivalYaw = 0.7
	// straightYaw is the largest such difference, rad, within a window whose direction is compared.
	straightYaw = 0.6
	// rivalWay and longWay are the least and the largest path, m, over which turns are compared: the turn of the wheels drifts.
	rivalWay, longWay = 10, 50
)

// rivals compares the turns by gyroscope and wheels, where they contradict each other, with the directions in which the fixes move. A
// gyroscope whose scale or bias changes while the robot drives would turn the heading away again after each correction.
type rivals struct {
	known bool // there is a direction, since which turns are compared
	yaw   float64
	track track
	wrong bool // the gyroscope is not used
}

// contradict reports whether gyroscope and wheels contradict each other since the last direction.
func (r *rivals) contradict(t *track) bool {
	return r.known && math.Abs(t.apart-r.track.apart) > rivalYaw
}

// compare compares turns with a surely known heading by driving, rad, and reports whether that has just shown the gyroscope to be wrong, or
// right again.
func (r *rivals) compare(yaw float64, t *track) bool {
	way, contradict, was := t.length-r.track.length, r.contradict(t), r.wrong
	if r.known && (way < rivalWay || !contradict && way < longWay) {
		return false
	}
	turned, apart := t.rolled-r.track.rolled, t.apart-r.track.apart
	off := yaw - r.yaw - turned
	wheels, gyro := math.Abs(wrapAngle(off)), math.Abs(wrapAngle(off-apart))
	switch {
	case contradict && wheels < gyro/2:
		r.wrong = true
	case contradict && gyro < wheels/2, math.Abs(turned) > rivalYaw && math.Abs(apart) < math.Abs(turned)/4:
		r.wrong = false
	}
	r.known, r.yaw, r.track = true, yaw, *t
	return r.wrong != was
}
