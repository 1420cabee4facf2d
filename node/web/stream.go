// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// cursor is what one client has.
type cursor struct {
	hello                   bool
	run                     int
	edge, cut               int
	versions                [sectionCount]uint64
	own, team, track, lines int
	beat                    time.Time // when the last beat was sent
}

// mostPerEvent bounds the elements of one event.
const mostPerEvent = 250

// events sends what changes until the client goes. Nothing is queued for it: whenever it has
// read everything it gets what it lacks of the newest state.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	f, ok := s.join(r.URL.Query().Get("browser"))
	if !ok {
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "too many pages are open: close one")
		return
	}
	defer s.leave(f)
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // it lasts
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // for nginx
	known, _ := s.access.may(r)
	c := s.cursor(r)
	beat := time.NewTicker(beatPeriod)
	defer beat.Stop()
	var buf []byte
	for {
		frame, changed := s.newest()
		buf = s.catchUp(buf[:0], c, frame, known)
		if _, err := w.Write(buf); err != nil || rc.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
		case <-f.elsewhere:
			_, _ = w.Write(raw(nil, "elsewhere", []byte("true"))) // the client may have gone
			return
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		}
	}
}

// follower is one stream of events.
type follower struct {
	browser   string        // that it goes to, "" if that is not said
	elsewhere chan struct{} // closed when newer streams go to the same browser
}

// join adds a stream to those under way, and ends the oldest one of a browser that has more than
// mostStreams of them.
func (s *Server) join(browser string) (f *follower, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := func(o *follower) bool { return browser != "" && o.browser == browser }
	n := 0
	for _, o := range s.followers {
		if same(o) {
			n++
		}
	}
	if n >= mostStreams {
		i := slices.IndexFunc(s.followers, same)
		close(s.followers[i].elsewhere)
		s.followers = slices.Delete(s.followers, i, i+1)
	}
	if len(s.followers) >= mostClients {
		return nil, false
	}
	f = &follower{browser, make(chan struct{})}
	s.followers = append(s.followers, f)
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return f, true
}

func (s *Server) leave(f *follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.followers = slices.DeleteFunc(s.followers, func(o *follower) bool { return o == f })
}

// cursor returns what a client says it already has from this server.
func (s *Server) cursor(r *http.Request) *cursor {
	c, q := &cursor{}, r.URL.Query()
	f, _ := s.newest()
	if f != nil {
		c.run = f.snapshot.Run
	}
	if q.Get("id") != s.runID(c.run) {
		return c
	}
	count := func(name string) int {
		n, err := strconv.Atoi(q.Get(name))
		if err != nil {
			return 0
		}
		return max(0, n)
	}
	c.own, c.team, c.track, c.lines = count("samples"), count("team"), count("track"), count("log")
	return c
}

// runID identifies the explorer whose data a client has.
func (s *Server) runID(run int) string { return s.id + "-" + strconv.Itoa(run) }

// catchUp appends the events with what a client lacks, and notes that it has them.
func (s *Server) catchUp(b []byte, c *cursor, f *frame, known bool) []byte {
	if f != nil && f.snapshot.Run != c.run { // nothing that it has is of this explorer
		*c = cursor{run: f.snapshot.Run}
	}
	if !c.hello {
		c.hello = true
		b = event(b, "hello", struct {
			ID       string `json:"id"`
			Commands bool   `json:"commands"`
		}{s.runID(c.run), known})
	}
	if f != nil {
		b = s.catchUpWith(b, c, f)
	}
	if lines, first, count := s.log.since(c.lines); len(lines) > 0 {
		c.lines = count
		b = event(b, "log", struct {
			From  int    `json:"from"`
			Lines []line `json:"lines"`
		}{first, lines})
	}
	if now := s.opts.Wall(); now.Sub(c.beat) >= beatPeriod || len(b) == 0 {
		c.beat = now
		silence := 0.0
		if f != nil {
			silence = painter.Round(1, max(0, now.Sub(f.at).Seconds()))
		}
		b = event(b, "beat", struct {
			Known   bool    `json:"known"`
			Silence float64 `json:"silence"`
		}{f != nil, silence})
	}
	return b
}

func (s *Server) catchUpWith(b []byte, c *cursor, f *frame) []byte {
	for i, section := range f.sections {
		if c.versions[i] != section.version {
			c.versions[i] = section.version
			b = raw(b, sectionNames[i], section.data)
		}
	}
	snapshot := f.snapshot
	b = edgeOf(b, c, snapshot.Recording)
	b = pointsFrom(b, "track", snapshot.Track, &c.track)
	of := func(o *record.Observation, robot string) painter.Sample {
		e := painter.SampleOf(o)
		e.Robot = robot
		return e
	}
	b = samplesFrom(b, false, len(snapshot.Own), &c.own, func(i int) painter.Sample { return of(&snapshot.Own[i], "") })
	return samplesFrom(b, true, len(snapshot.Team), &c.team, func(i int) painter.Sample { return of(&snapshot.Team[i].Observation, snapshot.Team[i].Robot) })
}

// samplesFrom appends the samples from the number known on, in events of a bounded size, and sets
// known to their number.
func samplesFrom(b []byte, team bool, count int, known *int, of func(i int) painter.Sample) []byte {
	for *known < count {
		more := struct {
			From int              `json:"from"`
			Team bool             `json:"team,omitempty"`
			List []painter.Sample `json:"list"`
		}{From: *known, Team: team}
		for ; *known < count && len(more.List) < mostPerEvent; *known++ {
			more.List = append(more.List, of(*known))
		}
		b = event(b, "samples", more)
	}
	return b
}

// pointsFrom appends the points from the number known on, in events of a bounded size, and sets
// known to their number.
func pointsFrom(b []byte, name string, points []record.Place, known *int) []byte {
	for *known < len(points) {
		end := min(len(points), *known+8*mostPerEvent)
		b = pointsEvent(b, name, *known, points[*known:end])
		*known = end
	}
	return b
}

func pointsEvent(b []byte, name string, from int, points []record.Place) []byte {
	return event(b, name, struct {
		From   int            `json:"from"`
		Points []record.Place `json:"points"`
	}{from, painter.Places(points)})
}

// event appends an event. Numbers that JSON cannot express were removed before.
func event(b []byte, name string, v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return b
	}
	return raw(b, name, data)
}

func raw(b []byte, name string, data []byte) []byte {
	b = append(b, "event: "...)
	b = append(b, name...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...)
}
