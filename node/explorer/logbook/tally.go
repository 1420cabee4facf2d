// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package logbook

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/sense"
)

// Tally returns all counts, in a fixed order, with those of earlier runs: what came in, and others.
func (l *Logbook) Tally(n *sense.Counts, others ...show.Count) []show.Count {
	matched, covariances := n.Matched, n.Covariances
	list := append([]show.Count{
		{Name: record.CountMatched, N: int64(matched.Matched)},
		{Name: record.CountIdle, N: n.Idle},
		{Name: "readings before the stop", N: n.Early},
		{Name: record.CountNoVariance, N: n.NoVariance},
		{Name: record.CountOutside, N: n.Outside},
		{Name: record.CountStrayStamp, N: n.Stamps},
		{Name: record.CountOlderThanPoses, N: int64(matched.TooEarly)},
		{Name: record.CountGap, N: int64(matched.Gap)},
		{Name: record.CountNoPose, N: int64(matched.TimedOut)},
		{Name: record.CountBeyondQueue, N: int64(matched.Overflow)},
		{Name: record.CountReset, N: int64(matched.Reset)},
		{Name: record.CountBadVariance, N: int64(matched.Invalid)},
	}, others...)
	for k := localization.NotFinite; k <= localization.Substituted; k++ {
		list = append(list, show.Count{Name: "covariances: " + k.String(), N: int64(covariances.ByKind[k])})
	}
	for i := range list {
		list[i].N += l.countsBefore[list[i].Name]
	}
	return list
}
