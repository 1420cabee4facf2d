package planner

import (
	"errors"
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/planner/internal/valid"
)

// ErrSchedule is wrapped by the errors about a [Schedule].
var ErrSchedule = errors.New("planner: invalid exploration weight")

// Schedule gives the weight β of the standard deviation in the upper confidence bound
// μ̂ + β·σ̂. β is outside the root, as in the paper, and dimensionless.
type Schedule interface {
	// Beta returns β ≥ 0 for the decision with number step, counted from 0, and the
	// model of the observations so far.
	Beta(step int, model *gp.GP) float64

	// Validate returns an error that wraps ErrSchedule unless the parameters are in
	// range.
	Validate() error
}

var _ Schedule = Fixed(0)

// Fixed is the same β at every step.
type Fixed float64

// Beta returns f.
func (f Fixed) Beta(int, *gp.GP) float64 { return float64(f) }

// Validate wants a finite number ≥ 0.
func (f Fixed) Validate() error {
	if !valid.Finite(float64(f)) || f < 0 {
		return fmt.Errorf("%w: β is %g, want a finite number ≥ 0", ErrSchedule, float64(f))
	}
	return nil
}
