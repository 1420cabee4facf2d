// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

// odometry is a message of the wheels: a pose in their own frame (m, m, rad), or the mean twist since the
// message before.
type odometry struct {
	stamp     int64
	isPose    bool
	x, y, yaw float64
	twist     Twist
}

// motionTo returns the constant twist that leads from one pose to another.
func (o *odometry) motionTo(p *odometry) motion {
	return motionBetween(o.x, o.y, o.yaw, p.x, p.y, p.yaw)
}

type odometer struct{ series[odometry] }

// add puts o, whose stamp is new, in its place.
func (q *odometer) add(o *odometry) {
	q.reserve(1)
	q.insert(q.after(o.stamp), o)
}

// around returns the newest odometry up to a stamp and the oldest after it; nil means none. known says
// that the first is of that very stamp.
func (q *odometer) around(stamp int64) (before, after *odometry, known bool) {
	i := q.after(stamp)
	if i > 0 {
		before = q.at(i - 1)
		known = before.stamp == stamp
	}
	if i < q.len() {
		after = q.at(i)
	}
	return before, after, known
}

// after returns the index of the oldest odometry after a stamp.
func (q *odometer) after(stamp int64) int {
	i := q.len()
	for i > 0 && q.at(i-1).stamp > stamp {
		i--
	}
	return i
}
