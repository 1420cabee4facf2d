package report

import "math"

// Transform names the function from user's units to model units. The empty
// string is TransformNone.
type Transform string

// The transforms that the report can undo. Values under any other name are
// shown in model units.
const (
	TransformNone  Transform = "none"
	TransformLog10 Transform = "log10"
	TransformLn    Transform = "ln"
)

// Known says whether Inverse undoes the transform.
func (t Transform) Known() bool {
	switch t {
	case "", TransformNone, TransformLog10, TransformLn:
		return true
	}
	return false
}

// Inverse returns the value in user's units for one in model units, or the
// value itself when the transform is not Known.
func (t Transform) Inverse(v float64) float64 {
	switch t {
	case TransformLog10:
		return math.Pow(10, v)
	case TransformLn:
		return math.Exp(v)
	}
	return v
}

// Spread returns a standard deviation in user's units for a Gaussian of the
// given mean and standard deviation in model units: half the width of the interval
// mean ± stdDev after Inverse. It is stdDev itself without a transform.
func (t Transform) Spread(mean, stdDev float64) float64 {
	switch t {
	case TransformLog10, TransformLn:
		return (t.Inverse(mean+stdDev) - t.Inverse(mean-stdDev)) / 2
	}
	return stdDev
}
