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

// ErrSchedule is wrapped by the errors of the schedules' Validate.
var ErrSchedule = errors.New("planner: invalid exploration weight")

// Schedule says how much the deviation weighs in the upper confidence bound
// μ̂ + β·σ̂. β stands outside the root, as in the paper, and is a pure number.
type Schedule interface {
	// Beta returns β ≥ 0 for the decision with the given number, counted from 0,
	// on the model that the observations so far have made.
	Beta(step int, model *gp.GP) float64

	// Validate returns an error, wrapping ErrSchedule, unless the parameters are
	// in their ranges.
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

// BetaConfig says how the exploration weight is found.
type BetaConfig struct {
	Schedule string  // name of a [ScheduleKind]
	Fixed    float64 // β of the fixed schedule
	Delta    float64 // δ of the theorems, in (0, 1)
	Bound    float64 // b of the theorems, > 0
	Noise    float64 // σ_ζ of the theorems, unit of the values
	Scale    float64 // the theorems' β is multiplied by this
}

// ScheduleKind is a schedule that can be chosen by its name.
type ScheduleKind struct {
	Name, Description string
	New               func(ScheduleSetup) (Schedule, error)
}

// ScheduleSetup is what schedules are made from.
type ScheduleSetup struct {
	Beta      BetaConfig
	Method    *Method
	Kernel    gp.Kernel // before anything is learnt
	Space     field.Space
	Execution *mat.SymDense // Σ̂ before anything is learnt, m²
	Rng       *rand.Rand    // used at once, not kept
}
