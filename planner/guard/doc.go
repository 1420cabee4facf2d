// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package guard decides how fast a robot may drive so that it does not leave its field, and that it gets on. It trusts no filter. It hears
// position fixes as the receiver sends them, the speeds that the wheels tell, the commands that it passed itself, and the fence: the
// outline and the keep-outs, moved outwards by an allowance.
//
// It keeps two places at which the robot can be, one of the fixes and one of the wheels, and the robot has to be able to stop inside
// the fence from both:
//
//	c(z + t·Δw) − kσ − jumps − drift    z the last fix, t·Δw the way of the wheels since
//	c(o + t·w)  − kσ − loose − drifted − apart
//	                                    w dead reckoning in a frame of its own, t = rotation and scale, o = shift
//
// c is the signed distance to the fence. t is learnt from ways on which fixes and wheels agree in shape. On each metre of such a way o
// may follow the fixes by a tenth of a metre at most, with a good receiver for the most part once both stand together, so that neither a
// jump nor a drift nor a receiver that is stuck takes the second place along. On the first way a drift would pass for another t: until both
// have stood together, half of that way is unknown.
// Nothing is refused for good: doubt is the distance between both places and the size of past jumps, metres that fade with metres on
// which both agree, and far from every edge they cost nothing.
//
// README.md says what all this assumes, what was measured, and what it cannot.
package guard
