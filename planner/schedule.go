package planner

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
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

// BetaConfig selects a schedule and holds the parameters of all schedules.
type BetaConfig struct {
	Schedule string  // name of a [ScheduleKind]
	Fixed    float64 // β of the fixed schedule
	Delta    float64 // δ of the theorems, in (0, 1)
	Bound    float64 // b of the theorems, > 0
	Noise    float64 // σ_ζ of the theorems, unit of the values
	Scale    float64 // factor on the theorems' β
}

// ScheduleKind is a schedule that can be chosen by name.
type ScheduleKind struct {
	Name, Description string
	New               func(ScheduleSetup) (Schedule, error)
}

// ScheduleSetup is the input of [ScheduleKind]'s New.
type ScheduleSetup struct {
	Beta      BetaConfig
	Method    *Method
	Kernel    gp.Kernel // before anything is learnt
	Space     field.Space
	Execution *mat.SymDense // Σ̂ before anything is learnt, m²
	Rng       *rand.Rand    // used at once, not kept
}
