// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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

// fusePosition uses a position fix at the estimate's stamp as the mode requires.
func (e *estimate) fusePosition(fix *Fix, cfg *Config, gate *[2]float64) {
	switch e.mode {
	case Running:
		stands := e.hasFix && e.way.length+e.way.turned-e.newestWay < standsStill
		if stands && e.rejections[0] == 0 && fix.X == e.newest.X && fix.Y == e.newest.Y { // the receiver holds its position
			e.counts.Accepted++
			e.innovation = e.measured[0]
			e.innovation.Stamp, e.innovation.Status = e.stamp, fixAccepted
			return
		}
		kind, was := e.receiver.kind, e.receiver.size()
		slow, white := e.receiver.expect(fix)
		m := e.positionMeasurement(fix, cfg.Antenna)
		off := e.off(&m)
		dt := 1e9 // s: the error of the last fix is forgotten
		if e.hasFix && (e.receiver.kind >= kind || !e.receiver.jumped(off)) {
			dt = max(float64(fix.Stamp-e.newest.Stamp)*1e-9, 0)
		}
		if e.receiver.kind != kind || dt > learnTime {
			e.receiver.row, e.receiver.lasts, was = 0, 0, 0
		}
		if was > 0 {
			e.resize(was)
		}
		if stands {
			dt /= stillTimes
		}
		e.drift(dt, &slow)
		m = e.positionMeasurement(fix, cfg.Antenna)
		m.r = white
		m.keepTurn = !e.learnsTurn(cfg)
		if e.doubt.on && e.back(fix, &m, cfg.Antenna) {
			e.placeByHeading(fix, cfg.Antenna)
			e.trust()
			e.counts.Accepted++
			e.innovation = Innovation{Stamp: e.stamp, Status: fixAccepted, Residual: m.nu}
		} else {
			e.fusePlace(&m, &slow, cfg, gate[1])
			if e.innovation.Status != fixAccepted || e.doubt.on { // the difference tells nothing of the receiver
				e.receiver.row = 0
			} else {
				after := e.positionMeasurement(fix, cfg.Antenna)
				e.learnErrors(fix, off, &after, dt, !stands && e.proven())
			}
		}
		e.take(fix)
		return
	case HeadingKnown:
		e.placeByHeading(fix, cfg.Antenna)
	default: // the newest fix is where the robot is, and a heading is found by driving
		e.zeroPose()
		e.mode, e.newest = PositionKnown, *fix
		e.counts.Waiting++
		e.innovation = Innovation{Stamp: e.stamp, Status: fixWaiting}
		return
	}
	e.run()
	e.take(fix)
	e.innovation = Innovation{Stamp: e.stamp, Status: fixInitialised}
}

// take remembers the newest fix that was used.
func (e *estimate) take(fix *Fix) {
	e.newest, e.newestWay, e.hasFix = *fix, e.way.length+e.way.turned, true
}

// fuseYaw takes a yaw at the estimate's stamp, by the mode.
func (e *estimate) fuseYaw(yaw, variance float64, cfg *Config, gate *[2]float64) {
	if e.mode == Running || e.mode == HeadingKnown {
		moved := e.way.length + e.way.turned
		if e.heldYaw == yaw && moved-e.yawWay < standsStill && e.rejections[1] == 0 && e.measured[1].Stamp > 0 { // a pose that is said again
			e.innovation = e.measured[1]
			e.innovation.Stamp, e.innovation.Status = e.stamp, fixAccepted
			e.counts.Accepted++
			return
		}
		e.heldYaw, e.yawWay = yaw, moved
		m := e.yawMeasurement(yaw, variance)
		m.keepTurn = !e.learnsTurn(cfg)
		e.fuse(&m, gate[0])
		return
	}
	e.knowHeading(yaw, variance)
	e.innovation = Innovation{Stamp: e.stamp, Status: fixHeading}
}

// placeByHeading sets the pose from a fix when the heading is known. With b = R′(yaw)·antenna the
// position is fix − R(yaw)·antenna, and its error is e_fix − b·δyaw.
func (e *estimate) placeByHeading(fix *Fix, antenna localization.Lever) {
	slow, white := e.receiver.expect(fix)
	e.forgetError()
	sin, cos := math.Sincos(e.x[stateYaw])
	ax, ay := cos*antenna.X-sin*antenna.Y, sin*antenna.X+cos*antenna.Y
	e.x[stateX], e.x[stateY] = fix.X-ax, fix.Y-ay
	b := [2]float64{-ay, ax}
	for i := range 2 {
		for j := range stateDim {
			v := -b[i] * e.p[stateYaw][j]
			switch j {
			case stateX, stateY:
				v = slow[i][j] + white[i][j] + b[i]*b[j]*e.p[stateYaw][stateYaw]
			case stateErrX, stateErrY:
				v = -slow[i][j-stateErrX]
			}
			e.p[i][j], e.p[j][i] = v, v
		}
	}
}

// position returns the position of a robot without a heading: the newest fix. By odometry the base
// is at a vector of length d from the antenna's place at that fix, in an unknown direction; that has
// the mean 0 and the variance d²/2 in x and y.
func (e *estimate) position(antenna localization.Lever) localization.Pose {
	dx, dy := e.x[stateX]-antenna.X, e.x[stateY]-antenna.Y
	spread := (dx*dx + dy*dy + e.p[stateX][stateX] + e.p[stateY][stateY]) / 2
	c := &e.newest.Cov
	return localization.Pose{
		Stamp: e.stamp, X: e.newest.X, Y: e.newest.Y,
		Cov: [3][3]float64{{c[0][0] + spread, c[0][1], 0}, {c[1][0], c[1][1] + spread, 0}, {0, 0, unknownYaw}},
	}
}
