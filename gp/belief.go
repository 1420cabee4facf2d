package gp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ErrBelief is wrapped by every error about an unusable belief.
var ErrBelief = errors.New("gp: invalid belief")

// psdTolerance is the largest amount by which the smallest eigenvalue of a belief's
// correlation matrix may be below zero. Rounding in a filter causes about 1e-15, which
// 1e-10 accepts. It is small enough to keep I + W⁻¹(Σ+Σ') positive definite for every
// belief up to maxSpread length-scales wide, because 2·maxSpread²·psdTolerance =
// 0.02 < 1.
const psdTolerance = 1e-10

// Belief is the Gaussian distribution N(Mean, Cov) of an uncertain place. A nil Cov
// makes it a point, the Dirac measure at Mean. Mean has d entries; Cov is d×d, in the
// squared unit of Mean.
type Belief struct {
	Mean []float64
	Cov  *mat.SymDense
}

// Point returns the belief that the place is x for certain. It keeps x without copying.
func Point(x ...float64) Belief { return Belief{Mean: x} }

// Validate returns an error, wrapping [ErrBelief], unless b is a Gaussian in dim
// dimensions: finite numbers, a covariance that is nil or dim×dim, no negative
// variance, and a correlation matrix whose smallest eigenvalue is at least -1e-10. The
// rule uses correlations so that it does not depend on units that differ between
// dimensions. A variance may be zero if its covariances are zero, too. In more than two
// dimensions the coordinates must be independent.
func (b Belief) Validate(dim int) error {
	if len(b.Mean) != dim {
		return fmt.Errorf("%w: mean %v has %d entries, want %d", ErrBelief, b.Mean, len(b.Mean), dim)
	}
	for i, v := range b.Mean {
		if !finite(v) {
			return fmt.Errorf("%w: mean[%d] is %g, want a finite number", ErrBelief, i, v)
		}
	}
	if b.Cov == nil {
		return nil
	}
	if n := b.Cov.SymmetricDim(); n != dim {
		return fmt.Errorf("%w at %v: covariance is %d×%d, want %d×%d", ErrBelief, b.Mean, n, n, dim, dim)
	}
	for i := range dim {
		for j := range i + 1 {
			switch v := b.Cov.At(i, j); {
			case !finite(v):
				return fmt.Errorf("%w at %v: covariance[%d,%d] is %g, want a finite number", ErrBelief, b.Mean, i, j, v)
			case i != j && v != 0 && dim > 2:
				return fmt.Errorf("%w at %v: covariance[%d,%d] is %g, want 0: only in the plane may coordinates be correlated", ErrBelief, b.Mean, i, j, v)
			}
		}
		if v := b.Cov.At(i, i); v < 0 {
			return fmt.Errorf("%w at %v: variance[%d] is %g, want at least 0", ErrBelief, b.Mean, i, v)
		}
	}
	if dim != 2 || b.Cov.At(1, 0) == 0 {
		return nil
	}
	s0, s1, c := math.Sqrt(b.Cov.At(0, 0)), math.Sqrt(b.Cov.At(1, 1)), b.Cov.At(1, 0)
	if s0 == 0 || s1 == 0 {
		return fmt.Errorf("%w at %v: covariance[1,0] is %g beside a variance of 0, want 0", ErrBelief, b.Mean, c)
	}
	if least := 1 - math.Abs(c/s0/s1); !(least >= -psdTolerance) {
		return fmt.Errorf("%w at %v: covariance %.6g is not positive semi-definite: its correlation matrix has an eigenvalue of %.6g, want at least %g",
			ErrBelief, b.Mean, mat.Formatted(b.Cov, mat.FormatPython()), least, -psdTolerance)
	}
	return nil
}

// clone returns a deep copy of b.
func (b Belief) clone() Belief {
	c := Belief{Mean: append([]float64(nil), b.Mean...)}
	if b.Cov != nil {
		c.Cov = mat.NewSymDense(b.Cov.SymmetricDim(), nil)
		c.Cov.CopySym(b.Cov)
	}
	return c
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
