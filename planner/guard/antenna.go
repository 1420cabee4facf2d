// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math/cmplx"

	"ugp_explorer/localization"
)

// surelyAngle is the largest rotation by which the wheels' frame may be wrong, rad, while turns show where the antenna is.
const surelyAngle = 0.15

// learnAntenna takes a fix, which need not be believed: an antenna that is elsewhere than configured moves the fixes to and fro whenever the robot
// turns, which may look like jumps. Once turns show it, the position by the wheels and all that is kept are those of the true place.
func (g *Guard) learnAntenna(f *sighting) {
	p, w := &g.places, &g.wheels
	if p.turn == 0 || p.angle > surelyAngle {
		g.turns.Break()
		return
	}
	scale := complex(cmplx.Abs(p.turn), 0)
	g.turns.Add(localization.Turn{Stamp: f.sent, Fix: f.place, Antenna: scale * f.at, Yaw: f.yaw}, cmplx.Phase(p.turn), scale*w.antenna)
	off, ok := g.turns.Clear(f.stdDev, g.Gyroscopic())
	if !ok {
		return
	}
	g.turns = localization.Turns{}
	p.shift -= p.turn * off * cmplx.Rect(1, p.since.yaw) // both agreed there, with the antenna as configured
	p.jumped, p.blind.jumped = 0, 0
	w.antenna += off
	w.move(off)
	for i := range w.past {
		w.past[i].move(off)
	}
	p.since.move(off)
	for _, f := range [...]*sighting{f, &p.last, &p.rival, &p.rested, &p.stand} {
		f.move(off)
	}
	for i := range p.refs {
		p.refs[i].move(off)
	}
}

// move moves the antenna on the robot, forward and to the left, m.
func (m *mark) move(off complex128) { m.at += off * cmplx.Rect(1, m.yaw) }
