// Package valid checks numbers of configurations and words the errors.
package valid

import (
	"fmt"
	"math"
)

// Count returns a number with its noun, in the plural unless n is 1.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Finite reports whether x is neither infinite nor NaN.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// InRange returns an error that names the field and its value unless x is finite and at least
// lo, or above lo if open is set.
func InRange(field string, x, lo float64, open bool, unit string) error {
	if Finite(x) && (x > lo || !open && x == lo) {
		return nil
	}
	bound := "at least"
	if open {
		bound = "above"
	}
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Errorf("planner: %s is %g: must be finite and %s %g%s", field, x, bound, lo, unit)
}
