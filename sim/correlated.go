// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Correlate returns a function of a value of a field and a value of another field at the same place. Over
// the places of the arguments its results have exactly this correlation with the first field, in [-1, 1],
// the mean 0 and the variance 1.
func Correlate(values, others []float64, correlation float64) func(value, other float64) float64 {
	ofValue, values := standardised(values)
	ofOther, others := standardised(others)
	common := stat.Correlation(values, others, nil)
	for i, v := range values {
		others[i] -= common * v
	}
	ofRest, _ := standardised(others)
	own := math.Sqrt(1 - correlation*correlation)
	return func(value, other float64) float64 {
		value = ofValue(value)
		return own*ofRest(ofOther(other)-common*value) + correlation*value
	}
}

// standardised returns the function that gives values the mean 0 and the variance 1, and what it makes of them.
func standardised(values []float64) (of func(float64) float64, all []float64) {
	mean, stdDev := stat.MeanStdDev(values, nil)
	of = func(v float64) float64 { return (v - mean) / stdDev }
	for _, v := range values {
		all = append(all, of(v))
	}
	return of, all
}
