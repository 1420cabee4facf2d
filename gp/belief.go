// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/num"
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
// dimensions. A variance may be zero if its covariances are zero, too.
func (b Belief) Validate(dim int) error {
	if len(b.Mean) != dim {
		return fmt.Errorf("%w: mean %v has %d entries, want %d", ErrBelief, b.Mean, len(b.Mean), dim)
	}
	for i, v := range b.Mean {
		if !num.Finite(v) {
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
			if v := b.Cov.At(i, j); !num.Finite(v) {
				return fmt.Errorf("%w at %v: covariance[%d,%d] is %g, want a finite number", ErrBelief, b.Mean, i, j, v)
			}
		}
		if v := b.Cov.At(i, i); v < 0 {
			return fmt.Errorf("%w at %v: variance[%d] is %g, want at least 0", ErrBelief, b.Mean, i, v)
		}
	}
	var stack [6 * 7 / 2]float64 // no allocation up to six dimensions
	r := stack[:0]
	for i := range dim {
		for j := range i {
			c := b.correlation(i, j)
			if c != 0 && (b.Cov.At(i, i) == 0 || b.Cov.At(j, j) == 0) {
				return fmt.Errorf("%w at %v: covariance[%d,%d] is %g beside a variance of 0, want 0", ErrBelief, b.Mean, i, j, b.Cov.At(i, j))
			}
			r = append(r, c)
		}
		r = append(r, 1+psdTolerance)
	}
	if !packed.Cholesky(r, dim) {
		return fmt.Errorf("%w at %v: covariance %.6g is not positive semi-definite: its correlation matrix has an eigenvalue of %.6g, want at least %g",
			ErrBelief, b.Mean, mat.Formatted(b.Cov, mat.FormatPython()), b.smallestEigenvalue(), -psdTolerance)
	}
	return nil
}

// correlation returns that of coordinates i and j, 0 without a covariance.
func (b Belief) correlation(i, j int) float64 {
	if c := b.Cov.At(i, j); c != 0 {
		return c / math.Sqrt(b.Cov.At(i, i)) / math.Sqrt(b.Cov.At(j, j))
	}
	return 0
}

// smallestEigenvalue returns that of the correlation matrix, for an error.
func (b Belief) smallestEigenvalue() float64 {
	d := b.Cov.SymmetricDim()
	r := mat.NewSymDense(d, nil)
	for i := range d {
		r.SetSym(i, i, 1)
		for j := range i {
			r.SetSym(i, j, b.correlation(i, j))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(r, false) {
		return math.NaN()
	}
	return e.Values(nil)[0]
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
