// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math"

	"ugp_explorer/gp/internal/kernel"
)

// Kernel is a kernel k with one length-scale per dimension, as a covariance between
// beliefs. Variance is σ_f² in the squared unit of the values. LengthScales are the
// square roots of the diagonal of W, in the unit of the inputs. All must be positive.
type Kernel struct {
	Kind         Kind
	Variance     float64
	LengthScales []float64
}

// Cov returns the prior covariance of f̂(p) and f̂(q),
//
//	σ_f² exp(-½ (x̂-x̂')ᵀ(W+Σ+Σ')⁻¹(x̂-x̂')) / |I + W⁻¹(Σ+Σ')|^½     (Eq. k_use)
//
// for the squared exponential. For the other kernels it is the mixture of such terms
// with W times s_j² (see [Kind]). Exponents below -345 give 0. Cov is NaN if [Belief.Validate]
// refuses p or q. It panics unless they have as many dimensions as k and the Kind is known. It is
// safe for concurrent use and allocates only above six dimensions.
func (k Kernel) Cov(p, q Belief) float64 {
	d := len(k.LengthScales)
	checkDim(p, d)
	checkDim(q, d)
	if p.Validate(d) != nil || q.Validate(d) != nil {
		return math.NaN()
	}
	return k.Variance * kernel.Cov(k.Kind.mixture(), k.LengthScales, p.Mean, q.Mean, p.Cov, q.Cov)
}

// Spread returns σ_f² - k̂(p, p), the prior variance of f(x̃) - f̂(p) for x̃ ~ p: the
// variance of the difference between the function at the true place of a sample and its
// mean over the belief (Prop. subg bounds it by σ_F²). It is never negative, as rounding would make it for a point. It panics as Cov does.
func (k Kernel) Spread(p Belief) float64 {
	return max(k.Variance-k.Cov(p, p), 0)
}

// maxSpread is the largest standard deviation of a belief, in the shortest length-scales
// of the mixture. A wider belief is correlated with nothing, and M could become
// indefinite (see psdTolerance).
const maxSpread = 1e4

// check returns an error, wrapping [ErrBelief], if b is not a Gaussian or wider than maxSpread
// length-scales.
func (k Kernel) check(b Belief) error {
	if err := b.Validate(len(k.LengthScales)); err != nil || b.Cov == nil {
		return err
	}
	shortest := k.Kind.mixture().Shortest()
	for i, l := range k.LengthScales {
		l *= shortest
		if s := math.Sqrt(b.Cov.At(i, i)); s > maxSpread*l {
			return fmt.Errorf("%w at %v: standard deviation[%d] is %g, more than %g length-scales of %g: such a belief carries no information",
				ErrBelief, b.Mean, i, s, maxSpread, l)
		}
	}
	return nil
}

const panicDim = "gp: belief has the wrong dimension"

// checkDim panics unless b has the shape of a belief in d dimensions.
func checkDim(b Belief, d int) {
	if len(b.Mean) != d || b.Cov != nil && b.Cov.SymmetricDim() != d {
		panic(panicDim)
	}
}
