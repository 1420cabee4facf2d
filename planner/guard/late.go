// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math/cmplx"
	"slices"

	"ugp_explorer/localization"
)

// lateSteps is the number of delays, lateStep apart, s, for which stamps are compared with the wheels.
const lateSteps, lateStep = 13, 0.25

// lateness measures the delay of the stamps of fixes, such as stamps of arrival. Each second it compares the distances that fixes and
// wheels have moved, for the original stamps and for earlier ones.
type lateness struct {
	steps int                // by which stamps are late
	wrong [lateSteps]float64 // see [localization.Lags]
	stamp int64
	place complex128
}

// by returns the delay of stamps, ns.
func (l *lateness) by() int64 { return int64(float64(l.steps) * lateStep * 1e9) }

// hear takes a fix that may scatter about the one before, m, and reports whether the delay of the stamps has changed. Fixes that stand still look
// delayed until the robot has driven for longer than any delay: what they seemed to show is then forgotten.
func (l *lateness) hear(w *wheels, stamp int64, place complex128, scatter float64) (changed bool) {
	since := float64(stamp-l.stamp) / 1e9
	if since >= 0 && since < 1 {
		return false
	}
	if l.stamp != 0 && since > 0 && since < 3 {
		var driven [lateSteps]float64
		rolled := 0.0
		for i := range driven {
			late := int64(float64(i) * lateStep * 1e9)
			from, to := w.then(l.stamp-late), w.then(stamp-late)
			rolled = max(rolled, to.rolled-from.rolled)
			driven[i] = cmplx.Abs(to.at - from.at)
		}
		told := cmplx.Abs(place - l.place)
		if slices.Min(driven[:])-told > max(rolled/2, scatter) {
			*l, changed = lateness{}, l.steps > 0
		} else {
			lags := localization.Lags(l.wrong[:])
			lags.Take(told, driven[:], rolled)
			if best, clear := lags.Best(l.steps); clear {
				l.steps, changed = best, true
			}
		}
	}
	l.stamp, l.place = stamp, place
	return changed
}
