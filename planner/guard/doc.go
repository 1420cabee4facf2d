// Package guard decides how fast a robot may drive so that it cannot leave its field. It trusts
// no filter and knows no heading. It hears position fixes as the receiver sends them, the speeds
// that the wheels tell, the commands that it passed itself, and the fence: the outline and the
// keep-outs, moved outwards by an allowance.
//
// # What it computes
//
// Let c(p) be the signed distance from a place to the fence, positive inside. It changes by at
// most a metre per metre. Let s be the path that the robot can have driven: the integral of the
// larger of commanded and measured speed, times [excess]. A fix z, whose error along any one
// direction is at most kσ and whose antenna is at most l from the base, that shows where the robot was at a
// path of at least a, says of the robot's place p at path s
//
//	c(p) ≥ c(z) − kσ − l − (s − a)
//
// Each fix gives such a bound, and the largest holds. Since s is the same in all of them, one
// number is kept: the largest level c(z) − kσ − l + a. [Guard.Clearance] is that level less s. The
// robot may drive at the speed from which it can stop within it.
//
// # How old a fix is, in metres
//
// A receiver may repeat itself with fresh stamps, with or without noise. So a fix counts as being
// of path a, where a is the path at the latest earlier fix from which this one differs by more
// than the noise of both explains. A receiver that stood still between the two could not have
// done that. One that lives differs from its fix of some noise widths ago; one that is stuck does not,
// a stays, and the clearance shrinks by each metre driven until the robot stands.
//
// # Fixes that jump or drift
//
// A fix that lies farther from earlier ones than the robot can have driven is not believed. It is a
// rival, and from then on all rivals must be inside, too: the clearance is the least of all. A fix
// that fits the earlier ones again ends that, but once two rivals have come only if it is nearer to
// the earlier ones. So an outlier costs a moment, and a jump, or a robot that was carried, the trust
// in the receiver, until it jumps back or a person drives ([Guard.Reset]).
//
// # Fixes that go elsewhere than the wheels
//
// Two stretches of one track tell more than one. On the earlier one fixes and dead reckoning agree but for
// a rotation and a scale, which hold on the later one, too, but for what wheels slip and robots skid. A fix
// that contradicts this is a rival, and the clearance is at most what it was before the later stretch. This
// can only make the guard more careful: the inequality above uses no heading.
//
// README.md says what all this assumes, and what it cannot.
package guard
