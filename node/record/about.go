// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"strings"
)

// Expected writes a value that a model expects, with the limits of its interval of 95 %: "about 21 mg/l (4 to 110)". mean and
// stdDev are in model units.
func (m *Mission) Expected(mean, stdDev float64) string {
	s := m.Scale()
	return "about " + s.interval(mean, stdDev, s.Value).String()
}

// ExpectedBriefly is Expected without the limits.
func (m *Mission) ExpectedBriefly(mean, stdDev float64) string {
	s := m.Scale()
	i := s.interval(mean, stdDev, s.Value)
	return "about " + withUnits(i.middle, i.units)
}

// Measured writes a reading with its standard deviation, user's units, in the same way: "21.3 mg/l (20.9 to 21.7)".
func (m *Mission) Measured(value, stdDev float64) string {
	s := m.Scale()
	return s.interval(value, stdDev, s.Reading).String()
}

// interval is a value with the limits of its interval of 95 %, as people read them.
type interval struct{ low, middle, high, units string }

func (i interval) String() string {
	return withUnits(i.middle, i.units) + " (" + i.low + " to " + i.high + ")"
}

// interval returns v, v - 2·stdDev and v + 2·stdDev as people see them, converted by shown. If the model's values are logarithms, the
// two limits are not equally far from the middle: each then has the digits that are significant at its own distance.
func (s *Scale) interval(v, stdDev float64, shown func(float64) float64) interval {
	low, middle, high := shown(v-2*stdDev), shown(v), shown(v+2*stdDev)
	digits, above := decimals(2*(middle-low)), decimals(2*(high-middle))
	below := digits
	if digits != above && low > 0 { // not 0, which has no logarithm
		below = max(digits, -int(math.Floor(math.Log10(low))))
	}
	return interval{number(low, below), number(middle, digits), number(high, above), s.Units}
}

func withUnits(text, units string) string { return strings.TrimSpace(text + " " + units) }

// StdDev is the inverse of Spread: it returns the standard deviation, in model units, that gives this spread, in user's units, at this
// value.
func (t Transform) StdDev(value, spread float64) float64 {
	switch t {
	case TransformLog10:
		return math.Asinh(spread/value) / math.Ln10
	case TransformLn:
		return math.Asinh(spread / value)
	}
	return spread
}
