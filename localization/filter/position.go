package filter

import (
	"math"
	"time"

	"ugp_explorer/localization"
)

// unknownYaw (rad²) is the variance of a yaw that nobody knows: see localization.Pose.HeadingKnown.
const unknownYaw = math.Pi * math.Pi

// freshFix is the age (ns) up to which a fix tells the position of a robot without a heading.
const freshFix = int64(5 * time.Second)

// stand notes the newest fix of a robot without a heading.
func (e *estimate) stand(fix *Fix, antenna localization.Lever) {
	sin, cos := math.Sincos(e.x[stateYaw])
	e.newest = *fix
	e.newestVar = e.p[stateX][stateX] + e.p[stateY][stateY]
	e.newestAt = [2]float64{e.x[stateX] + cos*antenna.X - sin*antenna.Y, e.x[stateY] + sin*antenna.X + cos*antenna.Y}
}

// position returns the position of a robot without a heading: the newest fix. By odometry the base
// is at a vector of length d from the antenna's place at that fix, in an unknown direction; that has
// the mean 0 and the variance d²/2 in x and y.
func (e *estimate) position() localization.Pose {
	dx, dy := e.x[stateX]-e.newestAt[0], e.x[stateY]-e.newestAt[1]
	grown := e.p[stateX][stateX] + e.p[stateY][stateY] - e.newestVar // by odometry's errors
	spread := (dx*dx + dy*dy + max(grown, 0)) / 2
	c := &e.newest.Cov
	return localization.Pose{
		Stamp: e.stamp, X: e.newest.X, Y: e.newest.Y,
		Cov: [3][3]float64{{c[0][0] + spread, c[0][1], 0}, {c[1][0], c[1][1] + spread, 0}, {0, 0, unknownYaw}},
	}
}
