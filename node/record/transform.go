// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"math"
)

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

// Forward converts a value and its variance from user's units to model units, the variance by
// the delta method. A value without a logarithm is an error if the transform takes one; both
// are unchanged if the transform is not Known.
func (t Transform) Forward(value, variance float64) (v, s2 float64, err error) {
	var slope float64
	switch t {
	case TransformLog10:
		v, slope = math.Log10(value), 1/(value*math.Ln10)
	case TransformLn:
		v, slope = math.Log(value), 1/value
	default:
		return value, variance, nil
	}
	if !(value > 0) {
		return 0, 0, fmt.Errorf("the value %g has no logarithm (reading.transform is %s): it must be above 0", value, t)
	}
	return v, slope * slope * variance, nil
}

// Backward is the inverse of Forward.
func (t Transform) Backward(v, s2 float64) (value, variance float64) {
	value = t.Inverse(v)
	switch t {
	case TransformLog10:
		s2 *= value * math.Ln10 * value * math.Ln10
	case TransformLn:
		s2 *= value * value
	}
	return value, s2
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

// ModelUnits returns the name of the model units for values in units, such as "log10(mg/l)".
func (t Transform) ModelUnits(units string) string {
	if t == "" || t == TransformNone {
		return units
	}
	if units == "" {
		return string(t)
	}
	return string(t) + "(" + units + ")"
}
