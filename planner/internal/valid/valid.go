package valid

import (
	"fmt"
	"math"
	"slices"
)

// Count writes a number of things.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// InRange returns an error that names field and value unless x is finite and at least lo (above it when open).
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

func FirstBad(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// FinitePoint returns an error unless x has dim finite coordinates. The name may have a
// %d for which of several points it is.
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
