package acquire

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/planner/internal/valid"
)

// Disc is the closed ball of all points within Radius of Centre.
type Disc struct {
	Centre []float64
	Radius float64 // m, > 0
}

// Reach says which places of the space may be chosen at a decision.
type Reach struct {
	// Range is the longest path to the target and from there home, m; +Inf: no limit.
	Range float64

	// Home is where the robot returns to, m; nil: only the path to the target counts.
	Home []float64

	// Avoid lists areas in which no target may lie, such as around failed targets.
	Avoid []Disc

	// Allowed, unless nil, decides last on every place. It must be a pure function and
	// must not keep its argument.
	Allowed func(x []float64) bool
}

// Anywhere returns the reach that allows every place to which there is a path.
func Anywhere() Reach { return Reach{Range: math.Inf(1)} }

// ErrReach is wrapped by the errors about an invalid [Reach].
var ErrReach = errors.New("planner: invalid reach")

// Validate returns an error that wraps [ErrReach] and names the first invalid field, for
// a space of dim dimensions.
func (r *Reach) Validate(dim int) error {
	if math.IsNaN(r.Range) || r.Range < 0 {
		return fmt.Errorf("%w: Range is %g m, want ≥ 0", ErrReach, r.Range)
	}
	if r.Home != nil {
		if err := valid.FinitePoint(ErrReach, r.Home, dim, "Home"); err != nil {
			return err
		}
	}
	for i, d := range r.Avoid {
		if err := valid.FinitePoint(ErrReach, d.Centre, dim, "centre of Avoid[%d]", i); err != nil {
			return err
		}
		if !valid.Finite(d.Radius) || d.Radius <= 0 {
			return fmt.Errorf("%w: radius of Avoid[%d] is %g m, want a finite number > 0", ErrReach, i, d.Radius)
		}
	}
	return nil
}
