// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import "math"

const (
	// MaxReadings is the number of readings of a stop that are kept; later ones are dropped.
	MaxReadings = 1000
	// priorReadings is the weight of the stated standard deviation against the spread found at the stop,
	// as a number of readings.
	priorReadings = 4
)

// Stop collects the readings of one stop.
type Stop struct {
	unstated float64 // variance of a reading that states none
	readings []Observation
}

// NewStop returns an empty stop. readingStdDev (value's unit) is the standard deviation of a reading that
// does not state its variance, from the sensor's data sheet or from earlier stops; 0 if there are none.
func NewStop(readingStdDev float64) *Stop { return &Stop{unstated: readingStdDev * readingStdDev} }

// Add adds a reading from a Matcher; ok is false when there are MaxReadings already.
func (s *Stop) Add(m Observation) (ok bool) {
	if len(s.readings) == MaxReadings {
		return false
	}
	s.readings = append(s.readings, m)
	return true
}

// Len returns the number of readings.
func (s *Stop) Len() int { return len(s.readings) }

// Reset forgets the readings, ready for the next stop.
func (s *Stop) Reset() { s.readings = s.readings[:0] }

// Combine returns the observation of the readings so far, of which there must be one at least. No reading
// is refused as an outlier: only the user decides to leave out measurements.
//
// Each reading has the variance v_i that it states, or the square of readingStdDev. With
// weights w_i = 1/v_i the value is ȳ = Σ w_i·y_i / Σ w_i, and its variance
//
//	Var[ȳ] = S² / Σ w_i
//	S² = (ν₀ + Σ w_i·(y_i−ȳ)²) / (ν₀ + n − 1)      ν₀ = priorReadings
//
// S² is the ratio of the spread found to the spread stated; the prior draws it
// towards one (the scaled-inverse-χ² posterior; Gelman et al., Bayesian Data
// Analysis, 2013, §3.2). When no reading states a variance, Var[ȳ] is the pooled
// variance over n. When one does, S² is at least one: a spread smaller than stated
// comes from chance or a shared error, and a larger one shows that the stated
// variance is too small (the scale factor of the Particle Data Group, Review of
// Particle Physics, Introduction).
//
// The belief has the moments of the mixture of the readings' beliefs, with the same
// weights w_i. Its covariance is not divided by n: the poses of a stop share one
// localisation error, and more readings do not reduce it.
func (s *Stop) Combine() Observation {
	o := Observation{Readings: len(s.readings)}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	var sumW, sumWY, sumWBeliefX, sumWBeliefY float64
	stated := false
	for i := range s.readings {
		m := &s.readings[i]
		w := 1 / s.variance(m)
		stated = stated || m.Variance > 0
		sumW += w
		sumWY += w * m.Value
		sumWBeliefX += w * m.Belief.X
		sumWBeliefY += w * m.Belief.Y
		first, last = min(first, m.Stamp), max(last, m.Stamp)
	}
	o.Value = sumWY / sumW
	b := Belief{X: sumWBeliefX / sumW, Y: sumWBeliefY / sumW}
	var chi2 float64
	for i := range s.readings {
		m := &s.readings[i]
		w := 1 / s.variance(m)
		r := m.Value - o.Value
		chi2 += w * r * r
		dx, dy := m.Belief.X-b.X, m.Belief.Y-b.Y
		share := w / sumW
		b.XX += share * (m.Belief.XX + dx*dx)
		b.XY += share * (m.Belief.XY + dx*dy)
		b.YY += share * (m.Belief.YY + dy*dy)
	}
	scale := (priorReadings + chi2) / (priorReadings + float64(o.Readings-1))
	if stated {
		scale = math.Max(scale, 1)
	}
	o.Belief, o.Variance, o.Stamp = b, scale/sumW, first+(last-first)/2
	return o
}

func (s *Stop) variance(m *Observation) float64 {
	if v := m.Variance; v > 0 {
		return v
	}
	return s.unstated
}
