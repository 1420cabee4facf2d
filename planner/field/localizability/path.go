// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localizability

import (
	"slices"
	"time"

	"github.com/paulmach/orb"
)

// Seen is what was seen of a robot's position on a piece of its path within one cell.
type Seen struct {
	At       orb.Point `json:"at_m"`
	Variance float64   `json:"variance_m2"` // in x and in y, mean over the metres
	Metres   float64   `json:"metres"`      // > 0
}

// Moved adds a pose that the robot has reached by driving a number of metres; variance is the mean of its variances in x and y, m². If the
// previous pose is old, the robot was lost there.
func (m *Map) Moved(stamp int64, at orb.Point, variance, metres float64) {
	if m == nil {
		return
	}
	if m.known && stamp-m.stamp > int64(m.cfg.Gap) {
		m.see(m.at, m.cfg.Lost*m.cfg.Lost, m.edge)
	}
	m.see(at, min(variance, m.cfg.Lost*m.cfg.Lost), metres)
	m.at, m.stamp, m.known = at, stamp, true
}

// lostSpeed is the assumed speed of a robot whose poses are refused, m/s: it is halted, but poses would be refused there again.
const lostSpeed = 1

// Refused adds a pose that is too uncertain to be used.
func (m *Map) Refused(stamp int64, at orb.Point) {
	if m == nil {
		return
	}
	if m.known && stamp > m.stamp {
		m.see(at, m.cfg.Lost*m.cfg.Lost, lostSpeed*min(time.Duration(stamp-m.stamp), m.cfg.Gap).Seconds())
	}
	m.at, m.stamp, m.known = at, stamp, true
}

// see adds a piece of path to the last one if that is in the same cell.
func (m *Map) see(at orb.Point, variance, metres float64) {
	if !m.fits(at, variance, metres) {
		return
	}
	if n := len(m.news); n > 0 {
		last := &m.news[n-1]
		if m.index(last.At[0], last.At[1]) == m.index(at[0], at[1]) {
			sum := last.Metres + metres
			last.Variance += metres / sum * (variance - last.Variance)
			last.Metres = sum
			return
		}
	}
	m.news = append(m.news, Seen{at, variance, metres})
}

// Take adds to the map what was seen since the last Take, as seen at the stamp, and returns it.
func (m *Map) Take(stamp int64) []Seen {
	if m == nil || len(m.news) == 0 {
		return nil
	}
	news := slices.Clone(m.news)
	m.news = m.news[:0]
	m.Add(stamp, news)
	return news
}

// Add adds to the map what an earlier Take returned at the stamp.
func (m *Map) Add(stamp int64, seen []Seen) {
	if m == nil {
		return
	}
	for _, s := range seen {
		m.add(stamp, s)
	}
}

// Shift moves all stamps by ns, after the clock was set, and forgets how old the newest pose
// is.
func (m *Map) Shift(by int64) {
	if m == nil {
		return
	}
	for i := range m.cells {
		m.cells[i].stamp += by
	}
	m.known = false
}
