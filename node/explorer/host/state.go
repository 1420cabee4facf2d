// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/node/web"
	"ugp_explorer/planner/field/outline"
)

// state returns the state of the recording at a time, ns, as the page shows it.
func (r *recording) state(now int64) *web.Recording {
	kind, _, open := r.rec.Open()
	w := &web.Recording{
		Driving: r.driving, Points: len(r.edge), Trouble: r.trouble(now), Problem: r.problem, Earlier: r.restored, Crossings: r.crossings,
		Version: r.version, Edge: r.edge[:len(r.edge):len(r.edge)], Cut: r.cut,
	}
	if open {
		w.Open = kind.String()
	}
	for i := 1; i < len(r.edge); i++ {
		w.Length += math.Hypot(r.edge[i][0]-r.edge[i-1][0], r.edge[i][1]-r.edge[i-1][1])
	}
	for _, ring := range r.rec.Rings() {
		shown := web.RecordedRing{Kind: ring.Kind.String(), Area: ring.Area, StdDev: ring.StdDev}
		if n := len(ring.Points); n > 0 {
			shown.Points = ring.Points[:n-1]
		}
		w.Rings = append(w.Rings, shown)
	}
	return w
}

// text returns the state in a sentence.
func (r *recording) text(now int64) string {
	kind, _, open := r.rec.Open()
	trouble := r.trouble(now)
	switch {
	case r.restored:
		return "there is a recording of an earlier run: continue or discard it"
	case open && r.driving && trouble != "":
		return fmt.Sprintf("the %v is not being recorded: %s", kind, trouble)
	case open && r.driving:
		return fmt.Sprintf("recording the %v: drive along its edge, and close it where you began", kind)
	case open:
		return fmt.Sprintf("recording the %v corner by corner", kind)
	case r.empty():
		return "no field is recorded yet: drive to its edge and begin the outline"
	case r.problem != "":
		return "the field cannot be saved yet: " + r.problem
	}
	return "the field can be edited, and saved"
}

// trouble says why no point could be recorded now, "" if one could.
func (r *recording) trouble(now int64) string {
	if r.newest == nil {
		return "there is no pose yet"
	}
	if age := time.Duration(now - r.newest.Stamp).Seconds(); age > r.cfg.Mission.PoseTimeout {
		return fmt.Sprintf("the newest pose is %.0f s old", math.Floor(age))
	}
	var refused *outline.PoseError
	switch {
	case !errors.As(r.rec.Check(*r.newest), &refused):
		return ""
	case refused.Heading:
		return "the heading is unknown, and the edge is beside the robot: drive on"
	}
	return fmt.Sprintf("the position is too uncertain: its standard deviation is %.2g m, and the limit is %g m", refused.StdDev, refused.Limit)
}
