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
		l[i] = (l[i] + apart(told, d)) / (1 + rolled/lagFades)
	}
}

// apart returns the squared difference of two distances, m².
func apart(told, driven float64) float64 {
	if off := told - driven; off*off < mostApart { // not for NaN
		return off * off
	}
	return mostApart
}

// Gains has, for each delay of Lags, by how much less wrong it is than the present one, m²: where by it the robot has driven farther, and
// where less far. A wrong stamp shows both where the robot drives off and where it stops. A fix that jumps, or that scatters at a stop,
// shows only one of them.
type Gains [][2]float64

// Take adds the same as [Lags.Take], given the index of the present delay.
func (g Gains) Take(told float64, driven []float64, rolled float64, present int) {
	for i, d := range driven {
		way := 0
		if d > driven[present] {
			way = 1
		}
		g[i][way] += apart(told, driven[present]) - apart(told, d)
		for way := range g[i] {
			g[i][way] /= 1 + rolled/lagFades
		}
	}
}

// Clear reports whether a delay is clearly better than the present one: each gain is at least half of what clearly asks of their sum.
func (g Gains) Clear(i int, l Lags) bool { return min(g[i][0], g[i][1]) > 0.5*l[i]+0.05 }

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
