// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

// Lags tells by how much the stamps of fixes are off those of the wheels: for each of several lags it has the fading sum of squares,
// m², by which the ways of both differ with it. Only speeds that change tell it. Gyroscope compares turns, rad, by the same rule.
type Lags []float64

const (
	// lagFades is the path on which older ways fade, m.
	lagFades = 20.0
	// mostApart is the largest square by which two ways differ, m²: a jump is no lag.
	mostApart = 4.0
)

// Take takes a way between two fixes: its length by the fixes, m, and for each lag that by the wheels, NaN where they do not reach; and
// how far the wheels rolled, m.
func (l Lags) Take(told float64, driven []float64, rolled float64) {
	for i, d := range driven {
		apart := mostApart
		if off := told - d; off*off < mostApart { // not for NaN
			apart = off * off
		}
		l[i] = (l[i] + apart) / (1 + rolled/lagFades)
	}
}

// Best returns the lag with which both agree best, the one given if no other does better, and whether it is clearly better than that.
func (l Lags) Best(than int) (best int, clear bool) {
	best = than
	for i, w := range l {
		if w < l[best] {
			best = i
		}
	}
	return best, l.clearly(best, than)
}

// clearly reports whether one is clearly better than another.
func (l Lags) clearly(better, than int) bool { return l[than] > 2*l[better]+0.1 }
