// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "math"

const (
	// A measured heading is contrary if a surely known one by driving differs from it by contraryYaw (rad), and agrees below half of that. Each
	// contraryWay (m) counts once, and contraryTimes of them in excess decide.
	contraryYaw, contraryWay = 0.7, 10
	contraryTimes            = 3
	// freshYaw (ns) is the largest age of a measured heading that is compared.
	freshYaw = int64(2e9)
)

// compass compares measured headings with those by driving. A driver whose yaw is 0 to the north, or an IMU that is mounted the other way, is
// wrong by as much all the time: the heading would be pulled there again after each correction.
type compass struct {
	stamp    int64   // of the newest measured heading
	yaw      float64 // the same from that of the track, rad
	way      float64 // length of the track when it was compared, m
	off      float64 // heading by driving, from the measured one, rad
	contrary int     // 0 to contraryTimes
	wrong    bool
}

// take takes a measured heading, rad, at a stamp at which the track has another.
func (c *compass) take(stamp int64, yaw float64, t *track) { c.stamp, c.yaw = stamp, yaw-t.yaw }

// compare compares the newest one with a heading by driving, rad, and reports whether that has just shown it to be wrong.
func (c *compass) compare(stamp int64, yaw float64, t *track) bool {
	if c.stamp == 0 || stamp-c.stamp > freshYaw || t.length < c.way+contraryWay {
		return false
	}
	c.way, c.off = t.length, wrapAngle(yaw-c.yaw-t.yaw)
	was := c.wrong
	switch off := math.Abs(c.off); {
	case off > contraryYaw:
		c.contrary = min(c.contrary+1, contraryTimes)
		c.wrong = c.wrong || c.contrary == contraryTimes
	case off < contraryYaw/2:
		c.contrary = max(c.contrary-1, 0)
		c.wrong = c.wrong && c.contrary > 0
	}
	return c.wrong && !was
}
