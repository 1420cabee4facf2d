// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

// Lags finds the delay of the stamps of one source relative to another, such as fixes and wheels: for each of several delays it holds the
// fading sum of squared differences, m², between the distances by both sources. Only changing speeds show a delay. Gyroscope compares turns,
// rad, by the same rule.
type Lags []float64

const (
	// lagFades is the path on which older ways fade, m.
	lagFades = 20.0
	// mostApart is the largest square by which two ways differ, m²: a jump is no lag.
	mostApart = 4.0
)

// Take adds a distance by the first source, m, with the distance by the second source for each delay (NaN: unknown), and the path of the
// wheels, m, over which older distances fade.
func (l Lags) Take(told float64, driven []float64, rolled float64) {
	for i, d := range driven {
		l[i] = Faded(l[i]+Apart(told, d), rolled)
	}
}

// Apart returns the squared difference of two distances, m², limited as a jump is no lag; the second may be unknown, NaN.
func Apart(told, driven float64) float64 {
	if off := told - driven; off*off < mostApart { // not for NaN
		return off * off
	}
	return mostApart
}

// Faded returns what is left of a sum of squared differences after a path, m.
func Faded(sum, rolled float64) float64 { return sum / (1 + rolled/lagFades) }

// Best returns the index of the delay with which both agree best, or the given one if no other is better, and whether it is clearly better
// than the given one.
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
