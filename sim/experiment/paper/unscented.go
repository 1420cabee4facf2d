// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// UnscentedPosterior is the unscented transform: the mean of a function over N(x, Σ) as a
// weighted sum over 2d+1 sigma points,
//
//	Σ_i ω_i u(x + δ_i),  δ_0 = 0, δ_±i = ±[√((d+κ)Σ)]_i,
//	ω_0 = κ/(d+κ), ω_±i = 1/(2(d+κ))      (Nogueira et al., IROS 2016, Eq. 11)
//
// with the symmetric root and κ = 1, as in the published implementations of UEI, the authors'
// own among them. The sum is exact for polynomials up to the third degree.
type UnscentedPosterior struct {
	offsets *mat.Dense // δ, one per row
	weights []float64  // ω
}

// NewUnscented returns the transform for the covariance cov, d×d, in dim dimensions. A nil cov
// is certainty: x itself is then the only sigma point. The sigma points of a singular cov lie in the
// directions that are not certain. The error wraps [planner.ErrStrategy] and says why cov is no covariance.
func NewUnscented(dim int, cov *mat.SymDense) (*UnscentedPosterior, error) {
	if cov == nil {
		return &UnscentedPosterior{offsets: mat.NewDense(1, dim, nil), weights: []float64{1}}, nil
	}
	if err := (gp.Belief{Mean: make([]float64, dim), Cov: cov}).Validate(dim); err != nil {
		return nil, fmt.Errorf("%w: unscented transform: %w", planner.ErrStrategy, err)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return nil, fmt.Errorf("%w: unscented transform: the eigenvalues of the covariance cannot be computed", planner.ErrStrategy)
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	values := eigen.Values(nil)
	const kappa = 1.0
	spread := float64(dim) + kappa
	u := &UnscentedPosterior{offsets: mat.NewDense(2*dim+1, dim, nil), weights: make([]float64, 2*dim+1)}
	u.weights[0] = kappa / spread
	for i := range dim {
		for j := range dim {
			root := 0.0
			for k, l := range values {
				root += v.At(i, k) * math.Sqrt(spread*max(l, 0)) * v.At(j, k) // a covariance is below 0 by rounding only
			}
			u.offsets.Set(1+2*i, j, root)
			u.offsets.Set(2+2*i, j, -root)
		}
		u.weights[1+2*i], u.weights[2+2*i] = 1/(2*spread), 1/(2*spread)
	}
	return u, nil
}

// spread returns the sigma points of all rows of x, row by row. It reuses buffer when
// that is large enough.
func (u *UnscentedPosterior) spread(buffer []float64, x mat.Matrix) *mat.Dense {
	m, d := x.Dims()
	n := len(u.weights)
	points := mat.NewDense(m*n, d, slices.Grow(buffer[:0], m*n*d)[:m*n*d])
	for r := range m {
		for i := range n {
			row := points.RawRowView(r*n + i)
			for k := range row {
				row[k] = x.At(r, k) + u.offsets.At(i, k)
			}
		}
	}
	return points
}

// Means writes the unscented mean of the posterior mean of p, a predictor of
// points, about every row of x into dst.
func (u *UnscentedPosterior) Means(dst []float64, p *gp.Predictor, x mat.Matrix) {
	points := u.spread(nil, x)
	values := make([]float64, points.RawMatrix().Rows)
	p.PredictBatch(values, nil, points)
	for r := range dst {
		dst[r] = 0
		for i, w := range u.weights {
			dst[r] += w * values[r*len(u.weights)+i]
		}
	}
}
