// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package guard decides how fast a robot may drive so that it stays inside its field, and is not stopped for good without a reason. It uses
// no filter. Its inputs are raw position fixes, wheel speeds, the yaw rate of a gyroscope, the commands that it has passed on, and the
// fence: outline and keep-outs, moved outwards by an allowance.
//
// The guard keeps three possible positions of the robot: one from the fixes, one from the wheels, and one from the fixes without their
// jumps. The robot must be able to stop inside the fence from each:
//
//	c(z + t·Δw)         − kσ − drift    z the last fix, t·Δw the motion of the wheels since
//	c(z + t·Δw − jumps) − kσ − drift    jumps the sum of the jumps, a vector
//	c(o + t·w)          − kσ − loose − drifted − apart
//	                                    w dead reckoning in its own frame, t = rotation and scale, o = shift
//
// c is the signed distance to the fence. The guard learns t from stretches on which fixes and wheels agree in shape. On each metre of such
// a stretch, o follows the fixes by at most a tenth of a metre; with a good receiver, most of this correction waits until wheels and fixes
// stand still together. A jump, a drift or a stuck receiver therefore does not drag the wheels' position along. On the first drive, a drift
// looks like another t: until both have stood still together, half of that drive is unknown. Nothing is refused for good: the doubt is the
// distance between the positions. It fades with each metre on which they agree, and costs nothing far from every edge.
//
// README.md states the assumptions, the measurements and the limits.
package guard
