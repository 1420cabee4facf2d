// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package logbook

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/sense"
)

// Tally returns all counts in a fixed order, including those of earlier runs: those of inputs, and others.
func (l *Logbook) Tally(n *sense.Counts, others ...show.Count) []show.Count {
	list := append(readings(&n.Reading, "", record.CountOutside), others...)
	for k := localization.NotFinite; k <= localization.Substituted; k++ {
		list = append(list, show.Count{Name: record.CountCovariances + k.String(), N: int64(n.Covariances.ByKind[k])})
	}
	if n.Secondary != nil {
		list = append(list, readings(n.Secondary, "second sensor: ", "readings outside the limits of secondary.type")...)
	}
	for i := range n.Also {
		list = append(list, readings(&n.Also[i], l.record.Also[i].Topic+": ", "readings outside the limits of the type")...)
	}
	for i := range list {
		list[i].N += l.countsBefore[list[i].Name]
	}
	return list
}

// readings returns the counts of a topic of readings, whose names begin with a prefix; outside is the name of those outside its limits.
func readings(n *sense.ReadingCounts, prefix, outside string) []show.Count {
	m := &n.Matched
	list := []show.Count{
		{Name: record.CountMatched, N: int64(m.Matched)},
		{Name: record.CountIdle, N: n.Idle},
		{Name: "readings before the stop", N: n.Early},
		{Name: record.CountNoVariance, N: n.NoVariance},
		{Name: outside, N: n.Outside},
		{Name: record.CountStrayStamp, N: n.Stamps},
		{Name: record.CountOlderThanPoses, N: int64(m.TooEarly)},
		{Name: record.CountGap, N: int64(m.Gap)},
		{Name: record.CountNoPose, N: int64(m.TimedOut)},
		{Name: record.CountBeyondQueue, N: int64(m.Overflow)},
		{Name: record.CountReset, N: int64(m.Reset)},
		{Name: record.CountBadVariance, N: int64(m.Invalid)},
	}
	for i := range list {
		list[i].Name = prefix + list[i].Name
	}
	return list
}
