package localization

import "math"

// WrapAngle returns the angle a (rad) in (−π, π], the same direction.
func WrapAngle(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	a = math.Remainder(a, 2*math.Pi)
	if a <= -math.Pi {
		return math.Pi
	}
	return a
}
