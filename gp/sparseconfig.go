package gp

import (
	"errors"
	"fmt"
)

// ErrSparse is wrapped by every error about a [SparseConfig].
var ErrSparse = errors.New("gp: invalid sparse configuration")

// SparseConfig says from how many observations on a GP goes over to inducing
// points, and how many of these it places.
type SparseConfig struct {
	// ExactLimit is the largest number of observations that are all kept in the
	// factor, ≥ 1: time and memory of the exact posterior grow with its square.
	ExactLimit int
	// MaxInducing bounds the number m of inducing points, ≥ 8.
	MaxInducing int
	// Tolerance, in (0, 1], is how much of an observation's noise variance the
	// inducing points may leave unexplained of f̂ at its belief: more of them are
	// placed until it is less.
	Tolerance float64
}

// DefaultSparseConfig returns settings with which a decision takes a small part of
// a second whatever the number of observations.
func DefaultSparseConfig() SparseConfig {
	return SparseConfig{ExactLimit: 500, MaxInducing: 512, Tolerance: 1e-3}
}

// Validate returns an error, wrapping [ErrSparse], that names the first field out
// of its range and its value.
func (c SparseConfig) Validate() error {
	switch {
	case c.ExactLimit < 1:
		return fmt.Errorf("%w: ExactLimit is %d, want at least 1", ErrSparse, c.ExactLimit)
	case c.MaxInducing < 8:
		return fmt.Errorf("%w: MaxInducing is %d, want at least 8", ErrSparse, c.MaxInducing)
	case !(c.Tolerance > 0 && c.Tolerance <= 1):
		return fmt.Errorf("%w: Tolerance is %g, want above 0 and at most 1", ErrSparse, c.Tolerance)
	}
	return nil
}
