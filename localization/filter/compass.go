// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

const (
	// lastingYaw (rad) is the assumed standard deviation of the error that a measured heading keeps, such as that of the mounting or of iron
	// nearby, until driving has shown it. compassTau (s) is how long it lasts at least.
	lastingYaw, compassTau = 0.1, 60
	// contraryYaw (rad) is the size of that error above which measured headings are not used; they are used again below half of it.
	contraryYaw = 0.7
	// contraryWay (m) is the path between two comparisons with a heading by driving; of mostContrary the size is a mean.
	contraryWay  = 10
	mostContrary = 4
	// freshYaw (ns) is the largest age of a measured heading that is compared.
	freshYaw = int64(2e9)
)

// compass compares measured headings with those by driving. Whatever they state, they may err by as much all the time: a driver's yaw is 0 to
// the north, an IMU is mounted at another angle, or iron turns it. The heading would be pulled there again after each correction.
type compass struct {
	stamp    int64   // of the newest measured heading
	yaw      float64 // the same from that of the track, rad
	way      float64 // length of the track when it was compared, m
	off      float64 // heading by driving, from the measured one, rad
	variance float64 // of the error that lasts, rad²
	n        float64 // number of comparisons in variance, up to mostContrary
	wrong    bool
}

func newCompass() compass { return compass{variance: lastingYaw * lastingYaw, n: 1} }

// take takes a measured heading, rad, at a stamp at which the track has another.
func (c *compass) take(stamp int64, yaw float64, t *track) { c.stamp, c.yaw = stamp, yaw-t.yaw }

// compare compares the newest one with a heading by driving, rad and rad², and reports whether that has just shown it to be wrong.
func (c *compass) compare(stamp int64, yaw, variance float64, t *track) bool {
	if t.length < c.way+contraryWay || c.stamp == 0 || stamp-c.stamp > freshYaw {
		return false
	}
	c.way, c.off, c.n = t.length, wrapAngle(yaw-c.yaw-t.yaw), min(c.n+1, mostContrary)
	c.variance += (max(0, c.off*c.off-variance) - c.variance) / c.n
	was, most := c.wrong, contraryYaw*contraryYaw
	if was {
		most /= 4
	}
	c.wrong = c.variance > most
	return c.wrong && !was
}
