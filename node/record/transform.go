package record

import "math"

// Transform names the function that converts user's units to model units. The empty
// string is TransformNone.
type Transform string

// The transforms that Inverse can undo. With another transform, values are shown in model
// units.
const (
	TransformNone  Transform = "none"
	TransformLog10 Transform = "log10"
	TransformLn    Transform = "ln"
)

// Known reports whether Inverse can undo the transform.
func (t Transform) Known() bool {
	switch t {
	case "", TransformNone, TransformLog10, TransformLn:
		return true
	}
	return false
}

// Inverse converts a value from model units to user's units. It returns the value
// unchanged if the transform is not Known.
func (t Transform) Inverse(v float64) float64 {
	switch t {
	case TransformLog10:
		return math.Pow(10, v)
	case TransformLn:
		return math.Exp(v)
	}
	return v
}

// Spread returns the standard deviation in user's units of a Gaussian with the given mean
// and standard deviation in model units: half the width of mean ± stdDev after Inverse.
func (t Transform) Spread(mean, stdDev float64) float64 {
	switch t {
	case TransformLog10, TransformLn:
		return (t.Inverse(mean+stdDev) - t.Inverse(mean-stdDev)) / 2
	}
	return stdDev
}
