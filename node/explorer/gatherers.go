package explorer

import (
	"math"

	"ugp_explorer/localization"
)

// pieces gathers readings wherever the robot goes: while it stands, those of a stop, and
// while it drives, those of a piece of path. Times are those of stamps, ns: a bag's
// record time may be that of another clock.
type pieces struct {
	stop       *localization.Stop
	reading    *ReadingConfig
	path       *PathConfig
	speed      float64 // m/s below which the robot stands
	settleTime float64 // s that it has to stand
	counts     *sensing
	odometer   float64 // m driven
	halt       halt
	piece      piece
	ended      bool // no more is gathered

	seen func(localization.Matched) // a reading belongs to the observation under way
	// done takes an observation: of a stop, or of a piece of path of so many metres.
	done func(o localization.Observation, path *float64)
}

// halt is a stop of the robot.
type halt struct {
	still   int64 // since when the robot stands, 0: it moves
	settled bool  // it has stood for the settling time
	since   int64 // when that was over: earlier readings are not of the stop
	sampled bool  // this stop has given its observation
}

// piece is the piece of path under way.
type piece struct {
	begun float64 // odometer at its first reading, m
	ended float64 // and at its last
	stamp int64   // of its first reading
	at    localization.Belief
}

var _ gatherer = (*pieces)(nil)

func newPieces(e *Explorer, done func(localization.Observation, *float64)) (*pieces, error) {
	stop, err := newStop(e.cfg)
	return &pieces{
		stop: stop, reading: &e.cfg.Reading, path: &e.cfg.Path, speed: e.cfg.Mission.ArrivalSpeed, settleTime: e.cfg.Mission.SettleTime,
		counts: &e.sampler.counts, seen: e.seen, done: done,
	}, err
}

// moved takes up that the robot has driven so many metres to a pose.
func (p *pieces) moved(stamp int64, speed, metres float64) {
	p.odometer += metres
	h := &p.halt
	if math.Abs(speed) >= p.speed {
		if h.settled {
			p.cut() // fewer readings than wanted, if it has any
		}
		*h = halt{since: h.since}
		return
	}
	if h.still == 0 || stamp < h.still { // or time was set back
		h.still = stamp
	}
	if !h.settled && stamp-h.still >= int64(seconds(p.settleTime)) {
		p.cut() // the path that ends here
		h.settled, h.since = true, stamp
	}
	if h.settled && stamp-h.since >= int64(seconds(p.reading.Wait)) && p.stop.Len() > 0 {
		p.cut()
	}
}

func (p *pieces) gather(matched []localization.Matched) {
	for _, m := range matched {
		p.take(m)
	}
}

func (p *pieces) tick(int64) {} // time passes with the stamps

// jumped takes up that time has jumped: the robot may be anywhere by now.
func (p *pieces) jumped(int64) {
	p.cut()
	p.halt = halt{since: p.halt.since}
}

// take takes up a reading.
func (p *pieces) take(m localization.Matched) {
	h := &p.halt
	switch {
	case p.ended, h.settled && h.sampled, !h.settled && p.path.Length == 0 && p.path.Time == 0:
		p.counts.idle++
		return
	case h.settled && m.Reading.Stamp < h.since, !h.settled && h.still != 0 && m.Reading.Stamp >= h.still: // while it settles
		p.counts.early++
		return
	case h.settled:
		p.add(m)
		if p.stop.Len() >= p.reading.Count {
			p.cut()
		}
		return
	}
	straight := math.Hypot(m.Belief.X-p.piece.at.X, m.Belief.Y-p.piece.at.Y)
	long := p.path.Length > 0 && max(straight, p.odometer-p.piece.begun) >= p.path.Length
	late := p.path.Time > 0 && m.Reading.Stamp-p.piece.stamp >= int64(seconds(p.path.Time))
	back := m.Reading.Stamp < p.piece.stamp // readings come late, but not before the first of the piece
	if p.stop.Len() > 0 && (long || late || back || p.stop.Len() == p.reading.Stop.MaxReadings) {
		p.cut()
	}
	if p.stop.Len() == 0 {
		p.piece = piece{begun: p.odometer, stamp: m.Reading.Stamp, at: m.Belief}
	}
	p.piece.ended = p.odometer
	p.add(m)
}

func (p *pieces) add(m localization.Matched) {
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
func (p *pieces) cut() {
	if p.stop.Len() == 0 {
		return
	}
	combined, err := p.stop.Combine()
	p.stop.Reset()
	if err != nil {
		return
	}
	var path *float64
	if p.halt.settled {
		p.halt.sampled = true
	} else {
		length := p.piece.ended - p.piece.begun
		path = &length
	}
	p.done(combined, path)
}

// stops gathers the readings that are made while the robot stands at its target.
type stops struct {
	stop   *localization.Stop
	cfg    *ReadingConfig
	counts *sensing
	since  int64 // since when the robot samples, ns; 0: it does not

	seen func(localization.Matched)     // a reading belongs to the sample under way
	done func(localization.Observation) // the sample is taken
}

var _ gatherer = (*stops)(nil)

// begin begins a sample.
func (s *stops) begin(now int64) {
	s.since = now
	s.stop.Reset()
}

// cancel gives up the sample under way.
func (s *stops) cancel() { s.since = 0 }

func (s *stops) gather(matched []localization.Matched) {
	for _, m := range matched {
		switch {
		case s.since == 0:
			s.counts.idle++
		case m.Reading.Stamp < s.since:
			s.counts.early++
		case s.stop.Add(m):
			s.seen(m)
		}
	}
	if s.since != 0 && s.stop.Len() >= s.cfg.Count {
		s.finish()
	}
}

// tick is content with fewer readings when the wait is over.
func (s *stops) tick(now int64) {
	if s.since != 0 && s.stop.Len() > 0 && now-s.since >= int64(seconds(s.cfg.Wait)) {
		s.finish()
	}
}

func (s *stops) jumped(now int64) {
	if s.since != 0 {
		s.begin(now)
	}
}

// finish makes one observation of the readings of this stop.
func (s *stops) finish() {
	combined, err := s.stop.Combine()
	if err != nil {
		return // too few yet: more may come before the mission's timeout
	}
	s.since = 0
	s.done(combined)
}
