package record

import (
	"math"
	"strings"
)

// Expected writes a value that a model expects, with the limits of its interval of 95 %: "about 21 mg/l (4 to 110)". mean and
// stdDev are in model units.
func (m *Mission) Expected(mean, stdDev float64) string {
	return "about " + m.interval(mean, stdDev, m.Transform.Inverse)
}

// Measured writes a reading with its standard deviation, user's units, in the same way: "21.3 mg/l (20.9 to 21.7)".
func (m *Mission) Measured(value, stdDev float64) string {
	return m.interval(value, stdDev, func(v float64) float64 { return v })
}

// interval writes v with v - 2·stdDev and v + 2·stdDev; user leads to the user's units. What a logarithm was taken of has limits
// that are not equally far away: then each has the digits that its own distance leaves meaningful.
func (m *Mission) interval(v, stdDev float64, user func(float64) float64) string {
	plain := func(v float64) float64 {
		p, _, _ := m.PlainValue(user(v), 0)
		return p
	}
	low, middle, high := plain(v-2*stdDev), plain(v), plain(v+2*stdDev)
	digits, above := decimals(2*(middle-low)), decimals(2*(high-middle))
	below := digits
	if digits != above && low > 0 { // not 0, which has no logarithm
		below = max(digits, -int(math.Floor(math.Log10(low))))
	}
	_, _, units := m.PlainValue(0, 0)
	return strings.TrimSpace(number(middle, digits)+" "+units) + " (" + number(low, below) + " to " + number(high, above) + ")"
}

// StdDev is the inverse of Spread: the standard deviation in model units of what has this value and this spread in the user's
// units.
func (t Transform) StdDev(value, spread float64) float64 {
	switch t {
	case TransformLog10:
		return math.Asinh(spread/value) / math.Ln10
	case TransformLn:
		return math.Asinh(spread / value)
	}
	return spread
}
