// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package num checks numbers, averages them and formats them for people.
package num

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Seconds converts nanoseconds to seconds.
func Seconds(ns int64) float64 { return float64(ns) / 1e9 }

// Nanoseconds converts seconds to whole nanoseconds.
func Nanoseconds(s float64) int64 { return int64(math.Round(s * 1e9)) }

// Median sorts a list and returns its median, the mean of two in the middle. It panics if the list is empty.
func Median(list []float64) float64 {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// Count writes a number with its noun, in the plural unless n is 1.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Rounded returns v with a number of significant digits: 1230 for 1234 with three.
func Rounded(v float64, digits int) float64 {
	if r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64); err == nil {
		return r
	}
	return v // rounded up it would be infinite
}

// Short writes v with a number of significant digits at most, and no exponent: 0.012, 1.7 and 1230 with three.
func Short(v float64, digits int) string {
	return strconv.FormatFloat(Rounded(v, digits), 'f', -1, 64)
}

// Significant writes v with a number of significant digits, also if they are zeros, and no exponent: 0.0120, 1.70 and 1230
// with three.
func Significant(v float64, digits int) string {
	if v = Rounded(v, digits); v == 0 || !Finite(v) {
		return Short(v, digits)
	}
	return strconv.FormatFloat(v, 'f', max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}

// Metres writes a length in metres or kilometres.
func Metres(m float64) string {
	switch {
	case !Finite(m):
		return "–"
	case m < 10:
		return fmt.Sprintf("%.1f m", m)
	case m < 1000:
		return fmt.Sprintf("%.0f m", m)
	}
	return fmt.Sprintf("%.2f km", m/1000)
}

// Duration writes a time, s, in seconds below 100 s, and otherwise in minutes or in hours and minutes.
func Duration(s float64) string {
	if s < 99.5 {
		return fmt.Sprintf("%.0f s", s)
	}
	minutes := int(s/60 + 0.5)
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}
