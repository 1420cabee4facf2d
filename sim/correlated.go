// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Correlate makes values that have exactly this correlation with a field's, in [-1, 1], of others that have
// nothing to do with them. What it returns has the mean 0 and the variance 1; neither argument changes.
func Correlate(values, others []float64, correlation float64) []float64 {
	values, others = standardised(values), standardised(others)
	floats.AddScaled(others, -stat.Correlation(values, others, nil), values)
	others = standardised(others)
	floats.Scale(math.Sqrt(1-correlation*correlation), others)
	floats.AddScaled(others, correlation, values)
	return others
}

func standardised(v []float64) []float64 {
	mean, stdDev := stat.MeanStdDev(v, nil)
	r := make([]float64, len(v))
	for i := range v {
		r[i] = (v[i] - mean) / stdDev
	}
	return r
}
