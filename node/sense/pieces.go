// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
)

// Pieces gathers readings wherever the robot goes: while it stands, those of a stop, and
// while it drives, those of a piece of path. Times are those of stamps, ns: a bag's
// record time may be that of another clock.
type Pieces struct {
	cfg      *Readings
	stop     *localization.Stop
	seen     func(localization.Observation)
	done     func(localization.Observation)
	begun    bool    // readings are gathered
	odometer float64 // m driven
	halt     halt
	piece    piece
	others   // other quantities at the same stops
}

// halt is a stop of the robot.
type halt struct {
	still   int64 // since when the robot stands, 0: it moves
	settled bool  // it has stood for the settling time
	since   int64 // end of that time: earlier readings do not belong to the stop
	sampled bool  // this stop has given its observation
}

// piece is the piece of path under way.
type piece struct {
	begun float64 // odometer at its first reading, m
	ended float64 // and at its last
	stamp int64   // of its first reading
	at    localization.Belief
}

var _ Gatherer = (*Pieces)(nil)

// NewPieces returns a gatherer of stops and pieces of path, which gathers nothing before Begin. It calls seen with each reading
// that belongs to the observation under way, and done with an observation: of a stop, or of a piece of path.
func NewPieces(cfg *Readings, seen, done func(localization.Observation)) *Pieces {
	return &Pieces{cfg: cfg, stop: localization.NewStop(cfg.StdDev), seen: seen, done: done}
}

// Begin gathers readings from now on.
func (p *Pieces) Begin() { p.begun = true }

// End makes an observation of the readings since the last one, and gathers no more.
func (p *Pieces) End() {
	p.cut()
	p.begun = false
}

// Moved adds the distance, m, that the robot has driven to a pose.
func (p *Pieces) Moved(stamp int64, speed, metres float64) {
	p.odometer += metres
	h := &p.halt
	if math.Abs(speed) >= p.cfg.Standing {
		if h.settled {
			p.cut() // even with fewer readings than wanted
			p.open(0)
		}
		*h = halt{since: h.since}
		return
	}
	if h.still == 0 || stamp < h.still { // or time was set back
		h.still = stamp
	}
	if !h.settled && stamp-h.still >= int64(ros.Duration(p.cfg.Settle)) {
		p.cut() // the path that ends here
		h.settled, h.since = true, stamp
		p.open(stamp)
	}
	if h.settled && stamp-h.since >= int64(ros.Duration(p.cfg.Wait)) && p.stop.Len() > 0 {
		p.cut()
	}
}

// gather implements Gatherer.
func (p *Pieces) gather(matched []localization.Observation, counts *ReadingCounts) {
	for _, m := range matched {
		p.take(m, counts)
	}
	if p.halt.settled && p.stop.Len() >= p.cfg.Readings && p.complete() {
		p.cut()
	}
}

// expire implements Gatherer. Time passes with the stamps.
func (p *Pieces) expire(int64) {}

// wants implements Gatherer.
func (p *Pieces) wants() bool { return p.begun }

// ClockChanged implements Gatherer: the robot may be anywhere by now.
func (p *Pieces) ClockChanged(int64) {
	p.cut()
	p.open(0)
	p.halt = halt{since: p.halt.since}
}

// take adds a reading.
func (p *Pieces) take(m localization.Observation, counts *ReadingCounts) {
	h := &p.halt
	switch {
	case !p.begun, h.settled && h.sampled, !h.settled && p.cfg.PieceLength == 0 && p.cfg.PieceTime == 0:
		counts.Idle++
		return
	case h.settled && m.Stamp < h.since, !h.settled && h.still != 0 && m.Stamp >= h.still: // while it settles
		counts.Early++
		return
	case h.settled && p.stop.Len() >= p.cfg.Readings: // others are waited for, while the robot stands
		counts.Idle++
		return
	case h.settled:
		p.add(m)
		return
	}
	straight := math.Hypot(m.Belief.X-p.piece.at.X, m.Belief.Y-p.piece.at.Y)
	long := p.cfg.PieceLength > 0 && max(straight, p.odometer-p.piece.begun) >= p.cfg.PieceLength
	late := p.cfg.PieceTime > 0 && m.Stamp-p.piece.stamp >= int64(ros.Duration(p.cfg.PieceTime))
	back := m.Stamp < p.piece.stamp // readings come late, but not before the first of the piece
	if p.stop.Len() > 0 && (long || late || back || p.stop.Len() == localization.MaxReadings) {
		p.cut()
	}
	if p.stop.Len() == 0 {
		p.piece = piece{begun: p.odometer, stamp: m.Stamp, at: m.Belief}
	}
	p.piece.ended = p.odometer
	p.add(m)
}

func (p *Pieces) add(m localization.Observation) {
	if p.stop.Add(m) {
		p.seen(m)
	}
}

// cut makes an observation of the readings since the last one, of a stop or of a
// piece of path, if there are any. Its belief has the moments of the mixture of
// the beliefs about the places of its readings, with the weights that the readings
// have in its value: the value is the mean of the field over just that mixture,
// as the model takes it to be, and the covariance includes the spread along the
// path. See localization.Stop.Combine.
func (p *Pieces) cut() {
	if p.stop.Len() == 0 {
		return
	}
	combined := p.stop.Combine()
	p.stop.Reset()
	if p.halt.settled {
		p.halt.sampled = true
		p.close()
	} else {
		length := p.piece.ended - p.piece.begun
		combined.Path = &length
	}
	p.done(combined)
}
