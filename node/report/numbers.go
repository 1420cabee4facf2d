// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// unknown is the text for a number that is not finite.
const unknown = "–"

// significant writes a number with the given number of significant digits, without exponent from 1e−4 to 1e7.
func significant(v float64, digits int) string {
	switch a := math.Abs(v); {
	case !num.Finite(v):
		return unknown
	case v != 0 && a < 1e-4 || a >= 1e7:
		return minus(strconv.FormatFloat(v, 'g', digits, 64))
	}
	return minus(num.Significant(v, digits))
}

// fixed writes a number with the given number of decimals.
func fixed(v float64, decimals int) string {
	if !num.Finite(v) {
		return unknown
	}
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// valueWithSigma writes a value and its standard deviation with the same number of decimals, so
// that the standard deviation has two significant digits.
func valueWithSigma(v, stdDev float64) (value, uncertain string) {
	if !num.Finite(v) || !num.Finite(stdDev) || stdDev <= 0 {
		return significant(v, 4), significant(stdDev, 2)
	}
	decimals := 1 - int(math.Floor(math.Log10(stdDev)))
	if decimals > 6 {
		return significant(v, 6), significant(stdDev, 2)
	}
	return fixed(v, max(0, decimals)), fixed(stdDev, max(0, decimals))
}

// minus replaces hyphens by the typographic minus sign.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// placeIn writes a place of a field in metres.
func placeIn(f record.Field, p record.Place) string {
	near := decimals(f)
	return "(" + fixed(p[0], near) + ", " + fixed(p[1], near) + ") m"
}

// decimals returns the number of decimals that places of a field have: centimetres matter
// on fields of up to 50 m.
func decimals(f record.Field) int {
	if len(f.Boundary) == 0 {
		return 1
	}
	if b := orb.Ring(f.Boundary[0]).Bound(); max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]) < 50 {
		return 2
	}
	return 1
}

// duration writes a time in hours, minutes and seconds.
func duration(s float64) string {
	switch {
	case !num.Finite(s):
		return unknown
	case math.Abs(s) > 1e9:
		return significant(s, 4) + " s"
	case math.Abs(s) < 60:
		return significant(s, 3) + " s"
	}
	whole := time.Duration(math.Round(s)) * time.Second
	h, m := int(whole.Hours()), int(whole.Minutes())%60
	if h == 0 {
		return fmt.Sprintf("%d min %02d s", m, int(whole.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", h, m)
}

// percent writes a fraction as a percentage.
func percent(share float64) string { return fixed(100*share, 1) + " %" }

// withUnits appends the units, if any, in brackets.
func withUnits(title, units string) string {
	if units == "" {
		return title
	}
	return title + " (" + units + ")"
}
