// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"math"
	"strconv"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// The log describes a mission as a person would: a line for each target, arrival and sample, one
// for the way home, one at the end.

// Sample describes a mission's newest sample. known says whether the model knows it already.
func Sample(m *record.Mission, s mission.Status, known bool) string {
	n := len(m.Observations)
	o := &m.Observations[n-1]
	of, so := "", ""
	if budget := s.Budget.Samples; budget > 0 {
		of = fmt.Sprintf(" of %d", budget)
	}
	if text := Best(m); known && text != "" {
		so = " (best so far " + text + ")"
	} else if known && m.LooksForBest() {
		so = " (so far, no place is expected to be better than any other)"
	}
	return fmt.Sprintf("sample %d%s at %s ± %s: %s%s", n, of, Place(orb.Point{o.Belief.X, o.Belief.Y}), Metres(math.Sqrt((o.Belief.XX+o.Belief.YY)/2)),
		m.Measured(o.Value, math.Sqrt(o.Variance)), so)
}

// End says how a mission has ended.
func End(m *record.Mission, s mission.Status, reason string) string {
	samples := strconv.Itoa(len(m.Observations))
	if n := s.Budget.Samples; n > 0 {
		samples += fmt.Sprintf(" of %d", n)
	}
	return fmt.Sprintf("done: %s samples, %s driven in %s: %s", samples, Metres(s.UsedDistance), num.Duration(s.UsedDuration), reason)
}

// Best returns a mission's recommended value and its place; "" if there is none, or if the mission does not look for one.
func Best(m *record.Mission) string {
	r := m.Recommendation
	if r == nil || !m.LooksForBest() {
		return ""
	}
	return m.Expected(r.Mean, r.StdDev) + " at " + Place(orb.Point(r.Target))
}

// Place formats a place, m.
func Place(p orb.Point) string { return fmt.Sprintf("(%.2f, %.2f) m", p[0], p[1]) }

// PlaceText formats a place, m, in degrees if the map's datum is known.
func PlaceText(cfg *settings.Config, at orb.Point) string {
	if datum := cfg.Datum(); datum != nil {
		return record.DegreesText(datum.LonLat(at[0], at[1]))
	}
	return Place(at)
}

// Metres formats a distance, m; small ones to the centimetre.
func Metres(m float64) string {
	if m < 10 {
		return fmt.Sprintf("%.2f m", m)
	}
	return num.Metres(m)
}
