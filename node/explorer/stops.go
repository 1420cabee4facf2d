package explorer

import "ugp_explorer/localization"

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

// due is content with fewer readings when the wait is over.
func (s *stops) due(now int64) {
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
