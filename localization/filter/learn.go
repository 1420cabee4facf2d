// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

// turnLearnt is the angle, in standard deviations of the heading, by which a robot must have turned before fixes correct
// the scale of its turn. A robot that follows a line steers against the filter's last correction of the heading, and the
// next fix takes back a part of that, so that the robot seems to turn by more than it does: by about a standard deviation
// of the heading. Over kilometres of it the scale came out wrong by half, with a standard deviation of a tenth (Ljung 1979).
const turnLearnt = 6

// learnsTurn reports whether fixes may correct the scale of the turn: the robot has turned far enough, and its heading
// has been confirmed. A wrong one that was given, or came about by hand, would pass for a turn by another scale.
//
// With P of the heading ψ and the scale k, the sum of its lasting and its varying part, P_ψk/P_kk is
// the turn that fixes have not confirmed yet, and P_ψψ − P_ψk²/P_kk the variance of the heading for a known scale.
func (e *estimate) learnsTurn(cfg *Config) bool {
	p := &e.p
	scale := p.turnVariance()
	both := p[stateYaw][stateTurn] + p[stateYaw][stateSkid]
	return (e.proof != unproven || cfg.ignoreWays) && both*both > turnLearnt*turnLearnt*scale*(p[stateYaw][stateYaw]*scale-both*both)
}
