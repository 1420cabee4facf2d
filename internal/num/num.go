// Package num checks numbers and writes them for people.
package num

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Seconds converts nanoseconds to seconds.
func Seconds(ns int64) float64 { return float64(ns) / 1e9 }

// Nanoseconds converts seconds to whole nanoseconds.
func Nanoseconds(s float64) int64 { return int64(math.Round(s * 1e9)) }

// Count writes a number with its noun, in the plural unless n is 1.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Significant writes v with a number of significant digits and no exponent: 0.0120, 1.70 and 1230 with three.
func Significant(v float64, digits int) string {
	if v == 0 {
		return "0"
	}
	text := strconv.FormatFloat(v, 'e', digits-1, 64)
	_, exponent, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exponent)      // of what is not finite, 0
	v, _ = strconv.ParseFloat(text, 64) // FormatFloat wrote it
	return strconv.FormatFloat(v, 'f', max(0, digits-1-e), 64)
}

// Short is Significant without zeros at the end of the decimals: 1.7 for 1.70.
func Short(v float64, digits int) string {
	v, _ = strconv.ParseFloat(Significant(v, digits), 64) // Significant wrote it
	return strconv.FormatFloat(v, 'f', -1, 64)
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
