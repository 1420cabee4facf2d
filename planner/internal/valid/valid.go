// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package valid checks numbers in configurations and makes the errors.
package valid

import (
	"fmt"

	"ugp_explorer/internal/num"
)

// InRange returns an error that names the field and its value unless x is finite and at least
// lo, or above lo if open is set.
func InRange(field string, x, lo float64, open bool, unit string) error {
	if num.Finite(x) && (x > lo || !open && x == lo) {
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
