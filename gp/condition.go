// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// maxCondition is the largest allowed condition number of K̂+Λ scaled to a unit diagonal. The
// relative error of the posterior is about that number times 2e-16, so four digits are correct
// at 1e12. Cholesky's method solves a scaled system as accurately as the original one (Higham,
// Accuracy and Stability of Numerical Algorithms, 2002, section 10.1.1), so that observations
// whose noise variances differ by orders of magnitude do no harm.
const maxCondition = 1e12

// IllConditionedError means that an observation was refused because it would make the
// covariance matrix K̂+Λ of the observations nearly singular and the posterior useless.
// The usual cause is almost no modelled noise together with an observation that repeats
// an earlier one, or with data that are dense compared with the length-scale. The remedy
// is a larger noise variance.
type IllConditionedError struct {
	Index         int     // index that the observation would have had
	Pivot         float64 // its variance given the earlier observations, plus its noise: the new pivot, squared unit of the values
	Variance      float64 // its prior variance, same unit
	NoiseVariance float64 // its total noise variance, same unit
	Condition     float64 // estimate of the condition number of the matrix scaled to a unit diagonal; +Inf if the pivot is not positive
	Nearest       int     // earlier observation with the largest correlation, -1 if there is none
	Correlation   float64 // prior correlation with Nearest
}

func (e *IllConditionedError) Error() string {
	return fmt.Sprintf("gp: observation %d makes the covariance ill-conditioned: condition %.3g, at most %.3g allowed; "+
		"pivot %.3g, prior variance %.3g, noise variance %.3g; most similar to observation %d (correlation %.9g)",
		e.Index, e.Condition, maxCondition, e.Pivot, e.Variance, e.NoiseVariance, e.Nearest, e.Correlation)
}

// conditioner estimates the condition number of a growing matrix B = MMᵀ in O(n) per
// observation. B is A = LLᵀ scaled to a unit diagonal: with D the diagonal matrix of
// 1/√A_ii, B = DAD and M = DL. The largest sum of a row of |B| bounds the largest
// eigenvalue. The smallest eigenvalue is estimated by the method of Bischof (1990,
// "Incremental condition estimation", SIAM J. Matrix Anal. Appl. 11). It keeps
// y = M⁻¹w for a unit vector w. With each row, w becomes the combination of the old w
// and the new coordinate for which |y| is largest. Then 1/|y|² is an upper bound of the
// smallest eigenvalue, and close to it.
type conditioner struct {
	row    []float64 // workspace of the step
	scale  []float64 // 1/√A_ii
	rowSum []float64
	max    float64 // largest row sum
	y      []float64
	norm2  float64 // |y|²
}

// step holds the changes that a new row would make.
type step struct {
	row     []float64 // sizes of the row of B left of the diagonal, valid until the next prepare
	sum     float64   // of the row
	scale   float64   // of the row
	max     float64
	s, last float64 // y becomes (s·y, last)
	norm2   float64
}

// prepare starts a step with the new row of A: k left of the diagonal, diag on it.
func (c *conditioner) prepare(k []float64, diag float64) step {
	c.row = append(c.row[:0], k...)
	t := step{row: c.row, sum: 1, scale: 1 / math.Sqrt(diag), max: c.max}
	for i, v := range t.row {
		v = math.Abs(v * (c.scale[i] * t.scale)) // negative only with covariates
		t.row[i] = v
		t.sum += v
		if s := c.rowSum[i] + v; s > t.max {
			t.max = s
		}
	}
	t.max = max(t.max, t.sum)
	return t
}

// estimate returns the condition number that B would have with the new row of L, which
// is v left of the diagonal and √pivot on it; +Inf unless the pivot is positive.
func (c *conditioner) estimate(t *step, v []float64, pivot float64) float64 {
	if !(pivot > 0) {
		return math.Inf(1)
	}
	// w' = (s·w, e) with s²+e² = 1 gives y' = (s·y, (e - s·vᵀy)/γ), γ² the pivot.
	a := floats.Dot(v, c.y) * t.scale
	pivot *= t.scale * t.scale
	// |y'|² = (s,e) Q (s,e)ᵀ; the largest eigenvalue of Q and its vector.
	q11, q12, q22 := c.norm2+a*a/pivot, -a/pivot, 1/pivot
	half := (q11 - q22) / 2
	r := math.Hypot(half, q12)
	t.norm2 = (q11+q22)/2 + r
	// The eigenvector has two forms; use the one without cancellation.
	s, e := q12, r-half
	if half > 0 {
		s, e = r+half, q12
	}
	if l := math.Hypot(s, e); l > 0 {
		s, e = s/l, e/l
	} else {
		s, e = 0, 1
	}
	t.s, t.last = s, (e-s*a)/math.Sqrt(pivot)
	return t.max * t.norm2
}

// commit makes the changes of the step.
func (c *conditioner) commit(t *step) {
	floats.Add(c.rowSum, t.row)
	c.rowSum = append(c.rowSum, t.sum)
	c.scale = append(c.scale, t.scale)
	c.max = t.max
	floats.Scale(t.s, c.y)
	c.y = append(c.y, t.last)
	c.norm2 = t.norm2
}

func (c *conditioner) clone() conditioner {
	d := *c
	d.row = nil
	d.scale = append([]float64(nil), c.scale...)
	d.rowSum = append([]float64(nil), c.rowSum...)
	d.y = append([]float64(nil), c.y...)
	return d
}
