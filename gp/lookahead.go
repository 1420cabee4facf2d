// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Lookahead predicts how one more observation would change the posterior mean at a set
// of places. An observation at P̂_x = N(x, Σ̂) with noise variance λ changes the mean at
// P̂_j = N(x_j, Σ̂) by
//
//	k̂_n(P̂_j, P̂_x) / √(k̂_n(P̂_x, P̂_x) + λ) · Z,  Z ~ N(0, 1)
//
// where k̂_n is the posterior covariance (Eq. posterior_kp; Frazier, Powell and Dayanik,
// INFORMS J. Comput. 2009, Eq. 6). It is for the observations that the GP had when it was
// made. A Lookahead must be used by one goroutine at a time.
type Lookahead struct {
	predictor *Predictor
	places    crossSet
	phi       []float64 // m×q: features of the covariates
	w         []float64 // m×n: rows (K̂+Λ)⁻¹(k̂(P̂_j) + level_j)
	mean      []float64 // at the places
	level     []float64 // m: what the uncertain mean adds to the covariance with a place far from all observations
	k, g      []float64 // m, m×d: covariances with the places and their negated gradients
	share     []float64 // n: weighted sum of the rows of w
}

// NewLookahead returns a Lookahead for queries and places with covariance cov, in O(mn²). The
// places are the rows of the m×d matrix at. The error is that of [GP.NewPredictor]. It panics if
// at does not have d columns.
func (g *GP) NewLookahead(cov *mat.SymDense, at *mat.Dense) (*Lookahead, error) {
	p, err := g.NewPredictor(cov)
	if err != nil {
		return nil, err
	}
	m, d := at.Dims()
	if d != p.gp.Dim() {
		panic("gp: NewLookahead: wrong shape")
	}
	n := p.n
	l := &Lookahead{
		predictor: p, w: make([]float64, m*n), mean: make([]float64, m), level: make([]float64, m),
		k: make([]float64, m), g: make([]float64, m*d), share: make([]float64, n),
	}
	var x, covs []float64 // the places as beliefs
	for j := range m {
		row := at.RawRowView(j)
		x, covs = append(x, row...), append(covs, p.cross.query...)
		w := l.w[j*n : (j+1)*n]
		p.covariances(w, row)
		l.phi = append(l.phi, p.phi...)
		l.mean[j] = p.mean(floats.Dot(w, p.gp.alpha))
		p.gp.chol.Forward(w)
		if l.level[j], _ = p.gp.level.share(1, w); l.level[j] != 0 {
			floats.AddScaled(w, l.level[j], p.gp.level.one)
		}
		p.gp.chol.Backward(w)
	}
	l.places.reset(g.kernel, p.cross.query, x, covs)
	return l, nil
}

// Means returns the posterior means at the places. They share memory with the Lookahead:
// the caller must not change them.
func (l *Lookahead) Means() []float64 { return l.mean }

// Covariances writes the posterior covariances of f̂(N(x, Σ̂)) with f̂ at the places into
// dst, and returns the posterior variance of f̂(N(x, Σ̂)). It takes O(n² + mn).
// It panics unless x has d entries and dst one per place.
func (l *Lookahead) Covariances(dst, x []float64) (variance float64) {
	p := l.predictor
	l.check(dst)
	if len(x) != p.gp.Dim() {
		panic("gp: Lookahead.Covariances: query has the wrong dimension")
	}
	p.covariances(p.k, x)
	l.places.cross(dst, x)
	if q := len(p.phi); q > 0 {
		addProducts(dst, l.phi, p.phi, q)
	}
	for j := range dst {
		dst[j] = p.gp.hyper.SignalVariance * (dst[j] + l.level[j] - floats.Dot(p.k, l.w[j*p.n:(j+1)*p.n]))
	}
	p.gp.chol.Forward(p.k)
	_, more := p.gp.level.share(1, p.k)
	return p.variance(floats.Dot(p.k, p.k) - p.square - more)
}

// Gradients writes the gradient with respect to x of Σ_j weight_j k̂_n(P̂_j, P̂_x) into
// dSum and that of the posterior variance at x into dVar. Places of weight 0 cost
// nothing. It panics on wrong lengths.
func (l *Lookahead) Gradients(dSum, dVar, weight, x []float64) {
	p := l.predictor
	d := p.gp.Dim()
	l.check(weight)
	if len(dSum) != d || len(x) != d {
		panic("gp: Lookahead.Gradients: wrong length")
	}
	p.Predict(x) // sets p.g and p.dPhi
	p.Gradient(dSum, dVar)
	l.places.grad(l.k, l.g, x)
	if len(p.dPhi) > 0 {
		addGradients(l.g, l.phi, p.dPhi, len(p.phi))
	}
	clear(dSum)
	clear(l.share)
	for j, w := range weight {
		if w == 0 {
			continue
		}
		floats.AddScaled(l.share, w, l.w[j*p.n:(j+1)*p.n])
		floats.AddScaled(dSum, -w, l.g[j*d:(j+1)*d])
	}
	for i, w := range l.share {
		floats.AddScaled(dSum, w, p.g[i*d:(i+1)*d])
	}
	floats.Scale(p.gp.hyper.SignalVariance, dSum)
}

func (l *Lookahead) check(dst []float64) {
	if len(dst) != len(l.mean) {
		panic("gp: Lookahead: want one number per place")
	}
}
