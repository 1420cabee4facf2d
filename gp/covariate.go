// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/internal/num"
)

// A Covariate is known over the field before the first sample, standardised to mean 0 and
// variance 1 there. Its type must be comparable, as a pointer is, and it must be safe for
// concurrent use. Only a GP in two dimensions can have covariates.
type Covariate interface {
	// Mean returns ∫ c dN((x, y), Σ) and its gradient in x and y, which must be finite
	// everywhere. cov is Σ's xx, xy, yy in m².
	Mean(x, y float64, cov [3]float64) (c, dx, dy float64)
}

// CovariateWeight is the posterior of the weight b_j of a covariate: the increase of f per standard deviation of the covariate over the
// field, in the unit of the values.
type CovariateWeight struct{ Mean, StdDev float64 }

// CovariateWeights returns the posterior of the weight of each covariate.
func (g *GP) CovariateWeights() []CovariateWeight {
	g.settle()
	q := g.trend.len()
	weights := make([]CovariateWeight, len(g.trend.of))
	k := make([]float64, g.chol.N)
	unit := make([]float64, q)
	for j := range weights { // b_j/s_j has the prior N(0, 1) and the covariance φ_ij with row i
		clear(k)
		clear(unit)
		unit[j] = 1
		g.addTrend(k, unit)
		s := g.hyper.Weights[j]
		weights[j].Mean = s * floats.Dot(k, g.alpha)
		g.chol.Forward(k)
		_, more := g.level.share(0, k)
		weights[j].StdDev = s * math.Sqrt(max(1-floats.Dot(k, k)+more, 0))
	}
	return weights
}

// validateCovariates is the part of Validate about covariates.
func (h Hyper) validateCovariates() error {
	if len(h.Covariates) != len(h.Weights) {
		return fmt.Errorf("%w: Weights has %d entries for %d covariates, want one each", ErrHyper, len(h.Weights), len(h.Covariates))
	}
	if len(h.Covariates) > 0 && len(h.LengthScales) != 2 {
		return fmt.Errorf("%w: Covariates has %d entries in %d dimensions, want none unless there are 2", ErrHyper, len(h.Covariates), len(h.LengthScales))
	}
	for j, s := range h.Weights {
		if !num.Finite(s) || s < 0 {
			return fmt.Errorf("%w: Weights[%d] is %g, want a finite number ≥ 0", ErrHyper, j, s)
		}
		if c := h.Covariates[j]; c == nil || !reflect.TypeOf(c).Comparable() {
			return fmt.Errorf("%w: Covariates[%d] is a %T, want a comparable type", ErrHyper, j, c)
		}
	}
	return nil
}

// Spread returns [Kernel.Spread] of p, of which the second quantity has its part ρ², and the variance that the covariates add to it,
// Σ_j s_j² var c_j(x̃) for x̃ ~ p, which is taken at the four points x̂ ± √2 times the columns of a
// square root of Σ. It panics as Kernel.Cov does.
func (h Hyper) Spread(p Belief) float64 {
	spread := h.Kernel().Spread(p)
	if s := h.Secondary; s != nil && h.Correlation != 0 {
		part := h.Correlation * h.Correlation
		c := s.of.hyper.Kernel()
		spread = (1-part)*spread + part*h.SignalVariance/c.Variance*c.Spread(p)
	}
	if len(h.Covariates) == 0 || p.Cov == nil {
		return spread
	}
	cov := [3]float64{p.Cov.At(0, 0), p.Cov.At(0, 1), p.Cov.At(1, 1)}
	a, b := math.Sqrt(cov[0]), 0.0
	if a > 0 {
		b = cov[1] / a
	}
	rest := math.Sqrt(max(cov[2]-b*b, 0))
	for j, c := range h.Covariates {
		x, y, w := p.Mean[0], p.Mean[1], h.Weights[j]
		mean, _, _ := c.Mean(x, y, cov)
		for _, to := range [][2]float64{{a, b}, {-a, -b}, {0, rest}, {0, -rest}} {
			v, _, _ := c.Mean(x+math.Sqrt2*to[0], y+math.Sqrt2*to[1], [3]float64{})
			spread += w * w * (v - mean) * (v - mean) / 4
		}
	}
	return spread
}

// trend is the part of the prior that is linear: in the covariates, and in a sparse posterior in the constant 1 if the mean is uncertain. With
// φ_j(P) = s_j/σ_f ∫ c_j dP it adds φ(P)·φ(P') to k̂(P, P')/σ_f².
type trend struct {
	of       []Covariate
	share    []float64 // s_j/σ_f
	constant float64   // s/σ_f of the mean, whose feature is the last; 0: it is known or part of a level
}

// len returns the number q of features.
func (t *trend) len() int {
	if t.constant == 0 {
		return len(t.of)
	}
	return len(t.of) + 1
}

func newTrend(h Hyper) trend {
	t := trend{of: h.Covariates, share: slices.Clone(h.Weights)}
	floats.Scale(1/math.Sqrt(h.SignalVariance), t.share)
	return t
}

// features writes φ of N(x, cov) into phi and returns |φ|². Unless grad is nil, it writes the
// gradients of those of the covariates into it, two for each.
func (t *trend) features(phi, grad, x, cov []float64) (square float64) {
	for j, c := range t.of {
		v, dx, dy := c.Mean(x[0], x[1], [3]float64{cov[0], cov[1], cov[2]})
		s := t.share[j]
		phi[j] = s * v
		square += phi[j] * phi[j]
		if grad != nil {
			grad[2*j], grad[2*j+1] = s*dx, s*dy
		}
	}
	if t.constant != 0 {
		phi[len(t.of)] = t.constant
		square += t.constant * t.constant
	}
	return square
}

// addProducts adds to k, n×b, the products of rows, n×q, with phi, q×b.
func addProducts(k, rows, phi []float64, q int) {
	b := len(phi) / q
	for i := range len(k) / b {
		for j, v := range rows[i*q : (i+1)*q] {
			floats.AddScaled(k[i*b:(i+1)*b], v, phi[j*b:(j+1)*b])
		}
	}
}

// addGradients adds to g, n×2, the negated gradients of the products of rows, n×q, with the
// features, of the first of which grad are the gradients.
func addGradients(g, rows, grad []float64, q int) {
	for i := range len(g) / 2 {
		for j, v := range rows[i*q : i*q+len(grad)/2] {
			g[2*i] -= v * grad[2*j]
			g[2*i+1] -= v * grad[2*j+1]
		}
	}
}

// addTrend completes k, the covariances of the rows with b beliefs, n×b, by the part that is linear. phi are the beliefs'
// features, q×b. In a sparse posterior the first q rows are the weights themselves.
func (g *GP) addTrend(k, phi []float64) {
	q := g.trend.len()
	switch {
	case q == 0:
	case g.sparse == nil:
		addProducts(k[g.heard.n*len(phi)/q:], g.phi, phi, q)
	default:
		copy(k, phi)
	}
}

// addTrendGrad completes, for all rows, negated gradients as addTrend does covariances.
func (g *GP) addTrendGrad(negated, grad []float64) {
	q := g.trend.len()
	switch {
	case q == 0:
	case g.sparse == nil:
		if len(grad) > 0 {
			addGradients(negated[2*g.heard.n:], g.phi, grad, q)
		}
	default:
		clear(negated[:q*g.Dim()])
		for i, v := range grad {
			negated[i] = -v
		}
	}
}

// shifted is a covariate moved by (x, y).
type shifted struct {
	of   Covariate
	x, y float64
}

func (s shifted) Mean(x, y float64, cov [3]float64) (c, dx, dy float64) {
	return s.of.Mean(x-s.x, y-s.y, cov)
}
