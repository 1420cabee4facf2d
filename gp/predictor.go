// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
)

// Predictor answers queries N(x, Σ̂) for one fixed Σ̂ and any x. The parts of
// (W+Σ_i+Σ̂)⁻¹ and of the normaliser that do not depend on x are computed once per
// observation. Predictions are of f̂, without observation noise.
//
// A Predictor is for the observations that its GP had when it was made: make another one, or [Predictor.Reset] it,
// after the GP gets more. No method but Reset allocates. A Predictor must be used by one goroutine
// at a time. Several may read the same GP.
type Predictor struct {
	gp        *GP
	prior     float64  // k̂(Σ̂, Σ̂)/σ_f²
	n         int      // rows of the GP
	heard     crossSet // with the rows of the second quantity
	cross     crossSet
	k, z      []float64 // n: L⁻¹ times the covariances with x, and (K̂+Λ)⁻¹ times them
	phi, dPhi []float64 // q, q×2: features of the covariates at x and their gradients
	square    float64   // |phi|²
	share     float64   // see level.share
	g         []float64 // n×d: -∂k_i/∂x
	batch     []float64 // n×packed.Block
	places    []float64 // packed.Block×d
	phis      []float64 // q×packed.Block
	left      [packed.Block]float64
}

// NewPredictor returns a Predictor for queries with covariance cov, d×d; nil means
// queries at points. It copies cov. The error wraps [ErrBelief]: it is that of
// [Belief.Validate], or cov is too wide to be useful.
func (g *GP) NewPredictor(cov *mat.SymDense) (*Predictor, error) {
	p := &Predictor{}
	if err := p.Reset(g, cov); err != nil {
		return nil, err
	}
	return p, nil
}

// Reset makes p the Predictor that g.NewPredictor(cov) returns, and keeps its memory. After an error, which is that of
// NewPredictor, p must not be used until it is reset again.
func (p *Predictor) Reset(g *GP, cov *mat.SymDense) error {
	d := g.Dim()
	query := Belief{Mean: make([]float64, d), Cov: cov}
	if err := g.hyper.Kernel().check(query); err != nil {
		return err
	}
	s := sized(p.cross.query, packed.Len(d))
	packed.Pack(s, cov)
	g.settle()
	p.gp, p.n, p.prior = g, g.chol.N, g.kernel.Eval(query.Mean, query.Mean, s, s)
	own := (p.n - g.heard.n) * d
	p.cross.reset(g.kernel, s, g.x[:own], g.cov[:own/d*packed.Len(d)])
	if g.heard.n > 0 {
		p.heard.reset(g.heard.kernel, s, g.heard.x, g.heard.cov)
	} else {
		p.heard = crossSet{}
	}
	n, q := p.n, g.trend.len()
	p.k, p.z, p.g, p.batch, p.places = sized(p.k, n), sized(p.z, n), sized(p.g, n*d), sized(p.batch, n*packed.Block), sized(p.places, d*packed.Block)
	p.phi, p.dPhi, p.phis = sized(p.phi, q), sized(p.dPhi, 2*len(g.trend.of)), sized(p.phis, q*packed.Block)
	return nil
}

// sized returns s, or a longer slice, with n entries of any value.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// Predict returns the posterior mean and variance of f̂(N(x, Σ̂)) (Eq. ugp-mean, ugp-var), in O(n²). x must be finite. It
// panics unless x has d entries. [Predictor.Gradient] may follow; for values alone, [Predictor.PredictBatch] is faster.
func (p *Predictor) Predict(x []float64) (mean, variance float64) {
	d := p.gp.Dim()
	if len(x) != d {
		panic("gp: Predict: query has the wrong dimension")
	}
	p.heard.grad(p.k, p.g, x)
	p.cross.grad(p.k[p.heard.n:], p.g[p.heard.n*d:], x)
	p.square = p.gp.trend.features(p.phi, p.dPhi, x, p.cross.query)
	p.gp.addTrend(p.k, p.phi)
	p.gp.addTrendGrad(p.g, p.dPhi)
	mean = p.mean(floats.Dot(p.k, p.gp.alpha))
	p.gp.chol.Forward(p.k)
	share, more := p.gp.level.share(1, p.k)
	p.share = share
	return mean, p.variance(floats.Dot(p.k, p.k) - p.square - more)
}

// Gradient writes the gradients with respect to x of the mean and of the variance that [Predictor.Predict] returned last into dMean and
// dVar, in O(n²). Between the two there must be no other call. It panics unless both have d entries.
func (p *Predictor) Gradient(dMean, dVar []float64) {
	d := p.gp.Dim()
	if len(dMean) != d || len(dVar) != d {
		panic("gp: Gradient: gradient has the wrong dimension")
	}
	copy(p.z, p.k)
	if p.share != 0 {
		floats.AddScaled(p.z, p.share, p.gp.level.one)
	}
	p.gp.chol.Backward(p.z) // z is now (K̂+Λ)⁻¹(k + share)
	clear(dMean)
	clear(dVar)
	for i, b := range p.z {
		a := p.gp.alpha[i]
		for c, g := range p.g[i*d : (i+1)*d] {
			dMean[c] += a * g
			dVar[c] += b * g
		}
	}
	for j, v := range p.phi[:len(p.dPhi)/2] { // of the prior variance
		dVar[0] += v * p.dPhi[2*j]
		dVar[1] += v * p.dPhi[2*j+1]
	}
	floats.Scale(-p.gp.scale, dMean)
	floats.Scale(2*p.gp.hyper.SignalVariance, dVar)
}

// PredictBatch writes the posterior mean and variance at every row of x, m×d, into mean
// and variance, each m long. If variance is nil, it is not computed, which takes O(mn) instead of O(mn²). It panics on other shapes.
func (p *Predictor) PredictBatch(mean, variance []float64, x *mat.Dense) {
	m, d := x.Dims()
	if d != p.gp.Dim() || len(mean) != m || variance != nil && len(variance) != m {
		panic("gp: PredictBatch: wrong shape")
	}
	var explained [packed.Block]float64
	level := &p.gp.level
	for r := 0; r < m; r += packed.Block {
		b := min(packed.Block, m-r)
		wide := packed.Wide(b)
		k := blas64.General{Rows: p.n, Cols: wide, Stride: wide, Data: p.batch[:p.n*wide]}
		places := p.places[:wide*d]
		for c := range wide {
			copy(places[c*d:(c+1)*d], x.RawRowView(r+min(c, b-1)))
		}
		p.heard.crossAll(k.Data, wide, places)
		p.cross.crossAll(k.Data[p.heard.n*wide:], wide, places)
		for c := range wide {
			explained[c] = -p.gp.trend.features(p.phi, nil, places[c*d:(c+1)*d], p.cross.query)
			for j, v := range p.phi {
				p.phis[j*wide+c] = v
			}
		}
		p.gp.addTrend(k.Data, p.phis[:len(p.phi)*wide])
		sums := mean[r : r+b]
		clear(sums)
		own := k
		own.Cols = b
		blas64.Gemv(blas.Trans, 1, own, blas64.Vector{N: p.n, Data: p.gp.alpha, Inc: 1}, 1, blas64.Vector{N: b, Data: sums, Inc: 1})
		for c, s := range sums {
			sums[c] = p.mean(s)
		}
		if variance == nil {
			continue
		}
		p.gp.chol.ForwardBatch(k)
		for i := range p.n {
			for c, v := range k.Data[i*wide : (i+1)*wide] {
				explained[c] += v * v
			}
		}
		if !level.known() {
			left := p.left[:wide]
			for c := range left {
				left[c] = 1
			}
			blas64.Gemv(blas.Trans, -1, k, blas64.Vector{N: p.n, Data: level.one, Inc: 1}, 1, blas64.Vector{N: wide, Data: left, Inc: 1})
			for c, v := range left {
				explained[c] -= v * v / level.information
			}
		}
		for c, s := range explained[:b] {
			variance[r+c] = p.variance(s)
		}
	}
}

// covariances writes those of x with all rows of the GP into k, and sets phi and square.
func (p *Predictor) covariances(k, x []float64) {
	p.heard.cross(k, x)
	p.cross.cross(k[p.heard.n:], x)
	p.square = p.gp.trend.features(p.phi, nil, x, p.cross.query)
	p.gp.addTrend(k, p.phi)
}

// mean returns the posterior mean for the product of the unit covariances with alpha.
func (p *Predictor) mean(product float64) float64 {
	return p.gp.hyper.Mean + p.gp.scale*(product+p.gp.level.mean)
}

// variance returns the posterior variance if the observations explain s of the prior
// variance in units of σ_f², less what the covariates and the uncertain mean add to it. It is not negative.
func (p *Predictor) variance(s float64) float64 {
	return p.gp.hyper.SignalVariance * max(p.prior-s, 0)
}
