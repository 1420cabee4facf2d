// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
)

// improvement is the unscented expected improvement (Nogueira et al., IROS 2016, Alg. 1): the
// unscented mean, over the places where a sample with target x is probably taken, of the
// expected improvement over an incumbent y⁺ (Močkus 1975),
//
//	EI = E[max(f̂ - y⁺, 0)] = s·(zΦ(z) + φ(z)),  z = (μ̂ - y⁺)/s
//
// where s is the posterior standard deviation. If the places are those of certainty, it is the plain
// expected improvement. It allocates at its first gradient, and when it screens more rows
// than before.
type improvement struct {
	predictor *gp.Predictor // at points
	places    *UnscentedPosterior
	incumbent float64 // y⁺, unit of the values

	x, dMean, dVar         []float64
	grad                   []float64 // at the x of the last Value
	points, mean, variance []float64 // of the rows of Values
}

var _ acquire.Acquisition = (*improvement)(nil)

// excess returns the expected excess of a value N(gain, s²) over 0,
// and its derivatives with respect to gain and s: Φ(z) and φ(z).
func excess(gain, s float64) (value, dGain, dS float64) {
	if s == 0 {
		if gain > 0 {
			return gain, 1, 0
		}
		return 0, 0, 0
	}
	z := gain / s
	dGain = 0.5 * math.Erfc(-z/math.Sqrt2)
	dS = math.Exp(-0.5*z*z) / math.Sqrt(2*math.Pi)
	return max(s*(z*dGain+dS), 0), dGain, dS // rounding may take the sum below 0
}

// sigma returns the i-th sigma point about x, until the next call.
func (e *improvement) sigma(i int, x []float64) []float64 {
	e.x = slices.Grow(e.x[:0], len(x))[:len(x)]
	for k, o := range e.places.offsets.RawRowView(i) {
		e.x[k] = x[k] + o
	}
	return e.x
}

// Value returns the unscented mean of EI about x.
func (e *improvement) Value(x []float64) float64 {
	if e.dMean == nil {
		e.dMean, e.dVar, e.grad = make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	}
	clear(e.grad)
	sum := 0.0
	for i, w := range e.places.weights {
		mean, variance := e.predictor.Predict(e.sigma(i, x))
		e.predictor.Gradient(e.dMean, e.dVar)
		s := math.Sqrt(variance)
		v, dGain, dS := excess(mean-e.incumbent, s)
		for i := range e.grad {
			e.grad[i] += w * dGain * e.dMean[i]
			if s > 0 {
				e.grad[i] += w * dS * e.dVar[i] / (2 * s) // ∂s = ∂s²/2s
			}
		}
		sum += w * v
	}
	return sum
}

// Grad writes the gradient at the x of the last Value, which found it, into dst.
// Where the standard deviation is zero it has no gradient, and its share is left out.
func (e *improvement) Grad(dst []float64) { copy(dst, e.grad) }

// Values writes the unscented mean of EI about every row.
func (e *improvement) Values(dst []float64, x *mat.Dense) {
	points := e.places.spread(e.points, x)
	e.points = points.RawMatrix().Data
	m, n := points.RawMatrix().Rows, len(e.places.weights)
	e.mean, e.variance = slices.Grow(e.mean[:0], m)[:m], slices.Grow(e.variance[:0], m)[:m]
	e.predictor.PredictBatch(e.mean, e.variance, points)
	for r := range dst {
		dst[r] = 0
		for i, w := range e.places.weights {
			v, _, _ := excess(e.mean[r*n+i]-e.incumbent, math.Sqrt(e.variance[r*n+i]))
			dst[r] += w * v
		}
	}
}
