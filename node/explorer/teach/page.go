package teach

import (
	"fmt"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/web"
)

// Page returns the state of the session at a time, ns, as the page shows it.
func (s *Session) Page(now int64) *web.Recording {
	kind, _, open := s.rec.Open()
	r := &web.Recording{
		Driving: s.driving, Points: len(s.edge), Trouble: s.trouble(now), Problem: s.problem, Earlier: s.restored > 0, Crossings: s.crossings,
		Version: s.version, Edge: s.edge[:len(s.edge):len(s.edge)], Cut: s.cut,
	}
	if open {
		r.Open = kind.String()
	}
	for i := 1; i < len(s.edge); i++ {
		r.Length += math.Hypot(s.edge[i][0]-s.edge[i-1][0], s.edge[i][1]-s.edge[i-1][1])
	}
	for _, ring := range s.rec.Rings() {
		w := web.RecordedRing{Kind: ring.Kind.String(), Area: ring.Area, StdDev: ring.StdDev}
		if n := len(ring.Points); n > 0 {
			w.Points = ring.Points[:n-1]
		}
		r.Rings = append(r.Rings, w)
	}
	return r
}

// Text returns the state in a sentence.
func (s *Session) Text(now int64) string {
	kind, _, open := s.rec.Open()
	trouble := s.trouble(now)
	switch {
	case s.restored > 0:
		return "the recording of an earlier run is here: go on with it or discard it"
	case open && s.driving && trouble != "":
		return fmt.Sprintf("the %v is not being recorded: %s", kind, trouble)
	case open && s.driving:
		return fmt.Sprintf("recording the %v: drive along its edge, and close it where you began", kind)
	case open:
		return fmt.Sprintf("recording the %v corner by corner", kind)
	case s.Empty():
		return "no field is recorded yet: drive to its edge and begin the outline"
	case s.problem != "":
		return "the field cannot be saved yet: " + s.problem
	}
	return "the field can be edited, and saved"
}

// trouble says why no point could be recorded now, "" if one could.
func (s *Session) trouble(now int64) string {
	switch {
	case s.newest == nil:
		return "there is no pose yet"
	case s.place.Stale > 0 && now-s.newest.Stamp > int64(s.place.Stale):
		return fmt.Sprintf("the newest pose is %.0f s old", math.Floor(time.Duration(now-s.newest.Stamp).Seconds()))
	}
	edge := s.newest.At(localization.Lever{Y: s.cfg.Offset})
	switch major, _, _ := edge.Ellipse(1); {
	case s.cfg.Offset != 0 && !s.newest.HeadingKnown():
		return "the heading is unknown, and the edge is beside the robot: drive on"
	case !(major <= s.cfg.MaxStdDev):
		return fmt.Sprintf("the position is too uncertain: its standard deviation is %.2g m, and the limit is %g m", major, s.cfg.MaxStdDev)
	}
	return ""
}
