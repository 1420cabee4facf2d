// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
)

// fewContours is the least number of steps between the contour lines of a map, unless its
// values are all alike.
const fewContours = 8

// leastSpan is the least range of values that is not rounding, as a share of the values.
const leastSpan = 1e-9

// contourLevels returns round values between lo and hi, at equal steps of 1, 2 or 5 times a
// power of ten.
func contourLevels(lo, hi float64) (levels []float64) {
	if !(hi-lo > leastSpan*max(math.Abs(lo), math.Abs(hi))) {
		return nil
	}
	most := (hi - lo) / fewContours
	step := math.Pow(10, math.Floor(math.Log10(most)))
	for _, factor := range []float64{5, 2} {
		if factor*step <= most {
			step *= factor
			break
		}
	}
	for k := math.Floor(lo/step) + 1; k*step < hi; k++ {
		levels = append(levels, significant(k*step))
	}
	return levels
}

// leastStep is the least difference between two levels, as a share of the range of values.
const leastStep = 1e-4

// quantiles returns the values that divide the finite values into n parts of equal size;
// fewer if many values are alike.
func quantiles(values []float64, n int) (levels []float64) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	if len(sorted) == 0 {
		return nil
	}
	last, span := sorted[0], sorted[len(sorted)-1]-sorted[0]
	if !(span > leastSpan*math.Abs(last)) {
		return nil
	}
	for k := 1; k < n; k++ {
		if v := sorted[k*len(sorted)/n]; v > last+leastStep*span {
			levels, last = append(levels, v), v
		}
	}
	return levels
}

// significant returns a value with six significant digits, more than any sensor has.
func significant(v float64) float64 { return num.Rounded(v, 6) }

// withUnits writes a value with its units.
func withUnits(v float64, units string) string {
	return strings.TrimSpace(num.Short(v, 4) + " " + units)
}
