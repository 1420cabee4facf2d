// Package valid checks numbers of configurations and words the errors.
package valid

import (
	"fmt"
	"math"
	"slices"
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

// FinitePoint returns an error that wraps kind and names the point unless x has dim finite
// coordinates. The name may contain a %d for the index of the point.
func FinitePoint(kind error, x []float64, dim int, name string, which ...int) error {
	if len(x) == dim && !slices.ContainsFunc(x, func(v float64) bool { return !Finite(v) }) {
		return nil
	}
	for _, i := range which {
		name = fmt.Sprintf(name, i)
	}
	if len(x) != dim {
		return fmt.Errorf("%w: %s has %d coordinates, want %d", kind, name, len(x), dim)
	}
	i := slices.IndexFunc(x, func(v float64) bool { return !Finite(v) })
	return fmt.Errorf("%w: coordinate %d of %s is %g, want a finite number", kind, i, name, x[i])
}
