package localization

import "math"

// wrapAngle returns the angle in (−π, π] that has the same direction as a (rad).
func wrapAngle(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	a = math.Remainder(a, 2*math.Pi)
	if a <= -math.Pi {
		return math.Pi
	}
	return a
}

// sinc returns sin(a)/a and its derivative. Near zero it uses the series.
func sinc(a float64) (s, ds float64) {
	if math.Abs(a) < 1e-3 {
		// The next terms are below 1e-15 for |a| < 1e-3.
		a2 := a * a
		return 1 - a2/6*(1-a2/20), -a / 3 * (1 - a2/10)
	}
	sin, cos := math.Sincos(a)
	s = sin / a
	return s, (cos - s) / a
}
