// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"time"

	"ugp_explorer/localization"
)

// unknownYaw (rad²) is the variance of an unknown yaw: see localization.Pose.HeadingKnown.
const unknownYaw = math.Pi * math.Pi

// freshFix is the age (ns) up to which a fix gives the position of a robot without a heading.
const freshFix = int64(5 * time.Second)

// source returns the source of an event of this kind.
func (e *estimate) source(kind eventKind) *source {
	if kind == yawEvent {
		return &e.yaws
	}
	return &e.fixes
}

// take uses a position or a yaw at the estimate's stamp. A repeated value contains no information: the receiver holds its position while the
// robot stands, or it is published more often than it is measured. If it stays while the robot drives, the receiver is stuck.
func (e *estimate) take(kind eventKind, fix *Fix, cfg *Config) {
	s := e.source(kind)
	switch {
	case s.known && s.rejections == 0 && fix.X == s.last.X && fix.Y == s.last.Y && (fix.Stamp-s.last.Stamp < int64(localization.RepeatTime) || s.stands(&e.way)):
		e.counts.Accepted++
		s.innovation.Stamp, s.innovation.Status = e.stamp, fixRepeated
	case kind == yawEvent:
		s.innovation = e.fuseYaw(fix, cfg)
	default:
		s.innovation = e.fusePosition(fix, cfg)
	}
}

// fusePosition uses a position fix at the estimate's stamp as the mode requires.
func (e *estimate) fusePosition(fix *Fix, cfg *Config) Innovation {
	in := Innovation{Stamp: e.stamp, Status: fixInitialised}
	switch e.mode {
	case Running:
		in = e.fuseRunning(fix, cfg)
	case HeadingKnown:
		e.placeByHeading(fix)
		e.run()
	default: // the newest fix is where the robot is, and a heading is found by driving
		e.zeroPose()
		e.mode, e.fixes.last = PositionKnown, *fix
		e.counts.Waiting++
		in.Status = fixWaiting
		return in
	}
	e.fixes.use(fix, &e.way)
	return in
}

// fuseRunning uses a position fix of a robot with a pose.
func (e *estimate) fuseRunning(fix *Fix, cfg *Config) (in Innovation) {
	kind, was := e.receiver.kind, e.receiver.size()
	slow, fast := e.receiver.expect(fix)
	m := e.positionMeasurement(fix)
	off := e.x.off(&m)
	since := 1e9 // s since the newest fix that was used, if there is one
	if e.fixes.known {
		since = max(float64(fix.Stamp-e.fixes.last.Stamp)*1e-9, 0)
	}
	dt := 1e9 // s: the error of the last fix is forgotten
	if e.receiver.fixed == 0 || e.receiver.fixed == fix.Stamp {
		e.receiver.leaps = e.receiver.jumped(off)
	}
	if e.receiver.kind >= kind || !e.receiver.leaps {
		dt = since
	}
	if e.receiver.kind != kind || dt > learnTime {
		e.receiver.row, e.receiver.lasts, was = 0, 0, 0
	}
	if was > 0 {
		e.resize(was)
	}
	stands := e.fixes.stands(&e.way)
	if stands {
		dt /= stillTimes
	}
	e.drift(dt, &slow)
	m = e.positionMeasurement(fix)
	m.r = fast
	crowd := e.receiver.kinds[e.receiver.kind].crowd(since)
	for i := range 2 {
		for j := range 2 {
			m.r[i][j] *= crowd
		}
	}
	m.keepTurn, m.keepDelay = !e.learnsTurn(cfg), !e.learnsDelay(dt)
	if e.doubt.on && e.back(fix, &m) {
		e.placeByHeading(fix)
		e.trust()
		e.counts.Accepted++
		return Innovation{Stamp: e.stamp, Status: fixAccepted, Residual: m.nu}
	}
	in = e.fusePlace(&m, &slow, cfg)
	if in.Status != fixAccepted || e.doubt.on { // the difference says nothing about the receiver
		e.receiver.row = 0
	} else {
		after := e.positionMeasurement(fix)
		e.learnErrors(fix, off, &after, dt, !stands && e.proof == proven)
	}
	return in
}

// fuseYaw uses a yaw, X, at the estimate's stamp: it becomes the first heading, or corrects the heading if it passes the gate. After
// MaxRejections refusals in a row, the next yaw is forced in. Cov has the variances of its own error and of one that lasts.
func (e *estimate) fuseYaw(fix *Fix, cfg *Config) Innovation {
	yaw, variance, lasting := fix.X, fix.Cov[0][0], fix.Cov[1][1]
	if e.yaws.known {
		lasting = localization.Repeated(lasting, max(1e-3, float64(fix.Stamp-e.yaws.last.Stamp)*1e-9), compassTau)
	}
	variance += lasting
	e.yaws.use(fix, &e.way)
	if e.mode != Running && e.mode != HeadingKnown {
		e.knowHeading(yaw, variance)
		return Innovation{Stamp: e.stamp, Status: fixHeading}
	}
	m := e.x.yawMeasurement(yaw, variance)
	m.keepTurn = !e.learnsTurn(cfg)
	f := e.factorise(&m)
	in := Innovation{Stamp: e.stamp, NIS: f.nis, DoF: 1, Residual: m.nu}
	if f.ok && f.nis > cfg.gate[0] {
		if e.yaws.rejections < MaxRejections {
			e.yaws.rejections++
			in.Status = FixRejected
			e.counts.Rejected++
			return in
		}
		e.p[stateYaw][stateYaw] += m.nu[0] * m.nu[0]
		f = e.factorise(&m)
		in.Status = fixForced
		e.counts.Forced++
	}
	if !f.ok {
		return e.singular(&in)
	}
	e.yaws.rejections = 0
	e.counts.Accepted++
	e.correct(&m, &f)
	return in
}

// placeByHeading sets the position from a fix when the heading is known: the rest of the measurement, which depends on the other states, is
// subtracted from it.
func (e *estimate) placeByHeading(fix *Fix) {
	_, fast := e.receiver.expect(fix)
	e.forgetError()
	p := &e.p
	p.forget(stateX, 0)
	p.forget(stateY, 0)
	m := e.positionMeasurement(fix)
	f := e.factorise(&m)
	for i := range 2 {
		e.x[i] += m.nu[i]
		for j := range stateDim {
			p[i][j], p[j][i] = -f.pht[j][i], -f.pht[j][i]
		}
	}
	for i := range 2 {
		for j := range 2 {
			p[i][j] = fast[i][j]
			for k := stateYaw; k < stateDim; k++ {
				p[i][j] += m.h[i][k] * f.pht[k][j]
			}
		}
	}
}

// position returns the position of a robot without a heading: the newest fix. By odometry, the base is at distance d from the antenna's
// position at that fix, in an unknown direction; this offset has the mean 0 and the variance d²/2 in x and y.
func (e *estimate) position() localization.Pose {
	dx, dy := e.x[stateX]-e.antenna.X, e.x[stateY]-e.antenna.Y
	spread := (dx*dx + dy*dy + e.p[stateX][stateX] + e.p[stateY][stateY]) / 2
	c := &e.fixes.last.Cov
	return localization.Pose{
		Stamp: e.stamp, X: e.fixes.last.X, Y: e.fixes.last.Y,
		Cov: [3][3]float64{{c[0][0] + spread, c[0][1], 0}, {c[1][0], c[1][1] + spread, 0}, {0, 0, unknownYaw}},
	}
}
