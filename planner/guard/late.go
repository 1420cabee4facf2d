package guard

import (
	"math"
	"math/cmplx"
)

// lateSteps is the number of lateStep, s, by which stamps are held against the wheels.
const lateSteps, lateStep = 13, 0.25

// lateness measures by how much the stamps of fixes are late, as those of their arrival are. Each second it compares how far the fixes
// and the wheels went, with stamps as they are and with earlier ones. Only speeds that change tell it.
type lateness struct {
	steps int                // by which stamps are late
	wrong [lateSteps]float64 // m², fading sum of squares by which both differ
	stamp int64
	place complex128
}

// by returns by how much stamps are late, ns.
func (l *lateness) by() int64 { return int64(float64(l.steps) * lateStep * 1e9) }

// hear takes a fix, and reports whether the stamps are late by something else than before.
func (l *lateness) hear(w *wheels, stamp int64, place complex128, scale float64) (changed bool) {
	since := float64(stamp-l.stamp) / 1e9
	if since >= 0 && since < 1 {
		return false
	}
	if scale == 0 {
		scale = 1
	}
	if l.stamp != 0 && since > 0 && since < 3 {
		told, best := cmplx.Abs(place-l.place), 0
		rolled := 0.0
		for i := range l.wrong {
			late := int64(float64(i) * lateStep * 1e9)
			from, to := w.then(l.stamp-late), w.then(stamp-late)
			rolled = max(rolled, to.rolled-from.rolled)
			l.wrong[i] += min(4, math.Pow(told-scale*cmplx.Abs(to.at-from.at), 2)) // a jump is not late
			if l.wrong[i] < l.wrong[best] {
				best = i
			}
		}
		for i := range l.wrong {
			l.wrong[i] /= 1 + rolled/20
		}
		if now := l.wrong[l.steps]; now > 2*l.wrong[best]+0.1 {
			l.steps, changed = best, true
		}
	}
	l.stamp, l.place = stamp, place
	return changed
}
