// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"

	"github.com/paulmach/orb"

	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// Edit is a change of a ring by a person.
type Edit struct {
	Version int       `json:"version"` // of the rings that the person saw
	Ring    int       `json:"ring"`    // from 0
	Op      string    `json:"op"`      // move, insert, delete or remove, the whole ring
	Corner  int       `json:"corner"`  // from 0; insert adds one behind it
	At      orb.Point `json:"at"`      // of move and insert, m
}

// Recording is the state of a field's recording.
type Recording struct {
	Active    bool           `json:"active,omitempty"`  // a field is recorded, and nothing is explored meanwhile
	Field     bool           `json:"field,omitempty"`   // there is a field, to edit or to go back to
	Refused   string         `json:"refused,omitempty"` // why no recording can begin now; "": it can
	Open      string         `json:"open,omitempty"`    // outline or keep-out: the ring that is being driven
	Driving   bool           `json:"driving,omitempty"` // points are collected while the robot drives
	Points    int            `json:"points,omitempty"`  // of the open ring
	Length    float64        `json:"length_m,omitempty"`
	Trouble   string         `json:"trouble,omitempty"`   // why nothing is collected now
	Problem   string         `json:"problem,omitempty"`   // why the field cannot be saved; "": it can
	Steered   bool           `json:"steered,omitempty"`   // in a simulation: the robot is driven by the page
	Earlier   bool           `json:"earlier,omitempty"`   // it was begun by an earlier run, and nobody has gone on yet
	Crossings []record.Place `json:"crossings,omitempty"` // where the ring crosses itself that was refused last

	Version int            `json:"-"` // of the closed rings
	Rings   []RecordedRing `json:"-"`
	Edge    []record.Place `json:"-"` // of the open ring; it may grow beyond its length
	Cut     int            `json:"-"` // another number whenever Edge has not only grown
}

// RecordedRing is a closed ring.
type RecordedRing struct {
	Kind   string         `json:"kind"`             // outline or keep-out
	Points []record.Place `json:"points,omitempty"` // not closed; none: it was removed
	Area   float64        `json:"area_m2"`
	StdDev float64        `json:"stddev_m"` // of the edge
}

// ringsEvent is what clients get of the closed rings.
type ringsEvent struct {
	Version int            `json:"version"`
	Rings   []RecordedRing `json:"rings"`
}

// setRecording makes the sections of a recording.
func setRecording(set func(section int, v any), now, before *Recording) {
	if now == nil {
		set(recordingSection, nil)
		return
	}
	r := *now
	r.Length = painter.Round(0, r.Length)
	r.Crossings = painter.Places(r.Crossings)
	set(recordingSection, r)
	if before != nil && before.Version == now.Version {
		return
	}
	e := ringsEvent{Version: now.Version}
	for _, ring := range now.Rings {
		points := make([]record.Place, len(ring.Points))
		for i, p := range ring.Points {
			points[i] = record.Place{painter.Round(3, p[0]), painter.Round(3, p[1])}
		}
		ring.Points, ring.Area, ring.StdDev = points, painter.Round(1, ring.Area), painter.Significant(ring.StdDev)
		e.Rings = append(e.Rings, ring)
	}
	set(ringsSection, e)
}

// edgeOf appends what a client lacks of the open ring.
func edgeOf(b []byte, c *cursor, r *Recording) []byte {
	if r == nil {
		return b
	}
	if c.cut != r.Cut {
		c.cut, c.edge = r.Cut, 0
		if len(r.Edge) == 0 { // it has none any more
			return pointsEvent(b, "edge", 0, nil)
		}
	}
	return pointsFrom(b, "edge", r.Edge, &c.edge)
}

// edit hands an edit to the explorer and returns its answer.
func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	if !s.mayCommand(w, r) {
		return
	}
	var given Edit
	if !body(w, r, &given) {
		return
	}
	if !s.edits.AllowN(s.opts.Wall(), 1) {
		tooMany(w, "commands")
		return
	}
	s.carryOut(w, r, false, func() (a answer) {
		a.done, a.text = s.opts.Explorer.Edit(given)
		return a
	})
}
