package execution

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/internal/valid"
)

// ErrExecution is wrapped by the errors about learning the execution noise.
var ErrExecution = errors.New("planner: invalid execution noise")

// Locating says how the belief about where a sample was taken, P^L = N(x̂, Σ_L),
// hangs together with the true place x̃. What localisation adds to the spread of x̂
// about the target x has the opposite sign in the two cases.
type Locating int

const (
	// LocatingFiltered is for a P^L that is all that is known of x̃, a Bayesian
	// filter's posterior. Then x̃ = x̂ + l, l ~ N(0, Σ_L), and l has nothing in
	// common with x̂ - x: both x̂ and x are known, and E[l] is 0 given whatever is
	// known. So the localisation's covariance is added:
	//
	//	Cov(x̃ - x) = Cov(x̂ - x) + E[Σ_L]
	//
	// A robot that steers by its estimate is the plain case: it brings x̂ to x as
	// well as it can control, and truly misses x by what it does not know besides.
	LocatingFiltered Locating = iota

	// LocatingMeasured is for an x̂ that was measured beside the way there, by a
	// surveyor or a receiver that the robot does not steer by. Then x̂ = x̃ + l, and
	// l has nothing in common with x̃ - x. The covariance is taken out:
	//
	//	Cov(x̃ - x) = Cov(x̂ - x) - E[Σ_L]
	LocatingMeasured
)

// Arrival is a sample from which execution noise is learnt.
type Arrival struct {
	Target    []float64 // x, where it was meant to be taken
	Located   gp.Belief // P^L, where it was probably taken
	Direction []float64 // unit vector in which the target was approached; used only when it plays a part
	Length    float64   // m, of the way there; used only when it plays a part
}

// Config says what is known of the execution noise before it is learnt,
// and what it may depend on.
type Config struct {
	StdDev   float64 // σ_0 > 0, m, the guess of it in each coordinate
	Factor   float64 // > 1: the guess is taken to be right within this factor, one deviation of log σ_0
	Weight   float64 // ν > 0: the noise is taken to be alike in all directions, and without bias, as if so many samples had shown it
	Locating Locating

	// Directional has bias and covariance lie along and across the way on which the
	// target is approached, in two dimensions, not along the axes.
	Directional bool

	// Growing has the covariance grow in proportion to 1 + γℓ with the length ℓ of
	// the way, γ ≥ 0 learnt too.
	Growing bool
}

// DefaultConfig returns a guess that gives way to the first few samples.
func DefaultConfig(stdDev float64) Config {
	return Config{StdDev: stdDev, Factor: 3, Weight: 4}
}

// Validate returns an error, wrapping [ErrExecution], that names the first field
// out of its range.
func (c Config) Validate() error {
	switch {
	case !valid.Finite(c.StdDev) || c.StdDev <= 0:
		return fmt.Errorf("%w: StdDev is %g m, want a finite number > 0", ErrExecution, c.StdDev)
	case !valid.Finite(c.Factor) || c.Factor <= 1:
		return fmt.Errorf("%w: Factor is %g, want a finite number > 1", ErrExecution, c.Factor)
	case !valid.Finite(c.Weight) || c.Weight <= 0:
		return fmt.Errorf("%w: Weight is %g samples, want a finite number > 0", ErrExecution, c.Weight)
	case c.Locating != LocatingFiltered && c.Locating != LocatingMeasured:
		return fmt.Errorf("%w: Locating is %d, want LocatingFiltered or LocatingMeasured", ErrExecution, c.Locating)
	}
	return nil
}

// Noise is where a sample with target x is taken: x̃ ~ N(x + b, Σ̂).
type Noise struct {
	Bias []float64     // b, m; along and across the approach when that is Directional
	Cov  *mat.SymDense // Σ̂ at a way of no length, m²

	Directional bool
	Growth      float64 // γ, 1/m
	Length      float64 // m, mean length of the ways that it was learnt from
}

// At returns bias and covariance for an approach in the given direction, a unit
// vector, by a way of the given length. They may be e's own.
func (e *Noise) At(direction []float64, length float64) (bias []float64, cov *mat.SymDense) {
	bias, cov = e.Bias, e.Cov
	if e.Directional {
		bias, cov = turned(direction, bias), turnedCov(direction, cov)
	}
	if e.Growth > 0 {
		grown := mat.NewSymDense(len(bias), nil)
		grown.ScaleSym(1+e.Growth*length, cov)
		cov = grown
	}
	return bias, cov
}

// Overall returns bias and covariance for an approach that is not known: of mean
// length, and from any direction, where a bias along the way is as good as noise.
func (e *Noise) Overall() (bias []float64, cov *mat.SymDense) {
	bias, cov = e.Bias, e.Cov
	d := len(bias)
	if e.Growth > 0 {
		grown := mat.NewSymDense(d, nil)
		grown.ScaleSym(1+e.Growth*e.Length, cov)
		cov = grown
	}
	if !e.Directional {
		return bias, cov
	}
	var second float64
	for i, b := range bias {
		second += (cov.At(i, i) + b*b) / float64(d)
	}
	cov = mat.NewSymDense(d, nil)
	for i := range d {
		cov.SetSym(i, i, second)
	}
	return make([]float64, d), cov
}

// turned returns v, which is along and across a direction of the plane, in x and y.
func turned(u, v []float64) []float64 {
	return []float64{u[0]*v[0] - u[1]*v[1], u[1]*v[0] + u[0]*v[1]}
}

// turnedCov returns the covariance of such a v in x and y, R Σ Rᵀ.
func turnedCov(u []float64, s *mat.SymDense) *mat.SymDense {
	c, n := u[0], u[1]
	aa, ac, cc := s.At(0, 0), s.At(0, 1), s.At(1, 1)
	return mat.NewSymDense(2, []float64{
		c*c*aa - 2*c*n*ac + n*n*cc, c*n*(aa-cc) + (c*c-n*n)*ac,
		0, n*n*aa + 2*c*n*ac + c*c*cc,
	})
}
