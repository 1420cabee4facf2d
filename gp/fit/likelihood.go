// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp"
	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// likelihood is the log restricted likelihood of observations as a function of the
// logarithms of the hyper-parameters: the marginal likelihood in which the constant mean is
// integrated out, too, under a flat prior (R&W section 2.7). A likelihood at the mean that
// fits best would take the values' distances from that mean for those from the true one, and
// so learn a signal variance that is too small. The parameters are
//
//	log σ_f², log ℓ, log λ
//
// with one length-scale for all dimensions. With covariates, the first is the logarithm of the
// whole variance σ_f² + Σ_j s_j², which the values tell, and the last are log s_j/σ_f for each
// covariate. With a second quantity (see [gp.Secondary]), σ_f² includes its part ρ², the values lie about
// σ_fρĉ, which is known, and ρ is not a parameter. The observations' own noise variances stay fixed. A likelihood must be used by one goroutine at a time.
type likelihood struct {
	*samples
	kind        gp.Kind
	correlation float64   // ρ
	share       []float64 // (s_j/σ_f)²

	// Of the last eval and gradient.
	signal, noise, whole float64   // σ_f², λ, 1 + Σ_j (s_j/σ_f)²
	shift                float64   // σ_fρ
	mean, information    float64   // m and 1ᵀK⁻¹1, the inverse variance of the mean
	slope                []float64 // ∂(k̂/σ_f²)/∂log ℓ, packed
	chol                 packed.Triangle
	wide                 int         // n or a few more, columns of inverse
	inverse              []float64   // n×wide: L⁻¹
	one, z               []float64   // L⁻¹1, L⁻¹(y-m)
	residual             []float64   // y-m-σ_fρĉ
	u, alpha             []float64   // K⁻¹1, K⁻¹(y-m)
	moves                [][]float64 // (∂K/∂θ)K⁻¹(y-m), for each parameter
	work                 []float64
}

// samples are the observations as likelihoods see them. Those of the same observations share
// them; they may be read concurrently.
type samples struct {
	n, dim     int
	pairs      *kernel.Pairs
	y, own     []float64 // values and own noise variances
	covariates []gp.Covariate
	means      []float64 // of the covariates over the beliefs, one covariate after the other

	secondary           *gp.Secondary // nil: none
	heardMean, heardCov []float64     // of its posterior over the beliefs, in its standard deviations
}

// The indices of the parameters. The covariates' are the last.
const (
	atSignal = iota
	atLength
	atNoise
	atWeights
)

// newSamples copies the numbers in obs, in dim dimensions, which must be valid.
func newSamples(obs []gp.Observation, dim int, covariates []gp.Covariate) *samples {
	n, p := len(obs), packed.Len(dim)
	s := &samples{n: n, dim: dim, covariates: covariates}
	x, cov := make([]float64, 0, n*dim), make([]float64, n*p)
	for i, o := range obs {
		x = append(x, o.Belief.Mean...)
		packed.Pack(cov[i*p:(i+1)*p], o.Belief.Cov)
		s.y, s.own = append(s.y, o.Value), append(s.own, o.NoiseVariance)
	}
	s.pairs = kernel.NewPairs(x, cov, dim)
	for _, c := range covariates {
		for i := range n {
			v, _, _ := c.Mean(x[2*i], x[2*i+1], [3]float64(cov[3*i:]))
			s.means = append(s.means, v)
		}
	}
	return s
}

// hear gives the samples, which are of obs, a second quantity.
func (s *samples) hear(of *gp.Secondary, obs []gp.Observation) {
	beliefs := make([]gp.Belief, len(obs))
	for i, o := range obs {
		beliefs[i] = o.Belief
	}
	s.secondary = of
	s.heardMean, s.heardCov = of.Over(beliefs)
}

// meansOf returns those of a covariate.
func (s *samples) meansOf(covariate int) []float64 {
	return s.means[covariate*s.n : (covariate+1)*s.n]
}

// newLikelihood returns the likelihood of the samples under a kernel of the given kind. Its first eval allocates.
func newLikelihood(kind gp.Kind, s *samples) *likelihood {
	return &likelihood{samples: s, kind: kind, share: make([]float64, len(s.covariates))}
}

// allocate makes what eval and gradient compute with.
func (l *likelihood) allocate() {
	n := l.n
	l.wide, l.slope, l.chol = packed.Wide(n), make([]float64, packed.Len(n)), packed.Triangle{N: n, A: make([]float64, packed.Len(n))}
	l.inverse, l.work = make([]float64, n*max(l.wide, packed.Block)), make([]float64, 2*(n+l.wide))
	for _, v := range []*[]float64{&l.one, &l.z, &l.residual, &l.u, &l.alpha} {
		*v = make([]float64, n)
	}
	for range l.numParams() {
		l.moves = append(l.moves, make([]float64, n))
	}
}

// numParams returns the number of parameters.
func (l *likelihood) numParams() int { return atWeights + len(l.covariates) }

// eval returns the log restricted likelihood at theta (R&W Eq. 2.45 for a constant) and the
// expected mean there, m, which is also the generalised-least-squares estimate. With
// K = K̂+Λ and u = K⁻¹1,
//
//	-½ (y-m)ᵀK⁻¹(y-m) - ½ log|K| - ½ log 1ᵀu - ½ (n-1) log 2π,  m = uᵀy / 1ᵀu
//
// If K is not numerically positive definite, which happens with noise near 0, the result
// is -Inf. eval takes n³/6 multiplications, allocates only when it is called first, and panics if theta has the
// wrong length.
func (l *likelihood) eval(theta []float64) (logLikelihood, mean float64) {
	if len(theta) != l.numParams() {
		panic("fit: likelihood: wrong number of parameters")
	}
	if l.chol.N == 0 {
		l.allocate()
	}
	l.whole = 1
	for j := range l.share {
		l.share[j] = math.Exp(2 * theta[atWeights+j])
		l.whole += l.share[j]
	}
	l.signal, l.noise = math.Exp(theta[atSignal])/l.whole, math.Exp(theta[atNoise])
	l.pairs.Eval(l.chol.A, l.slope, kernel.Mixtures[l.kind], math.Exp(theta[atLength]))
	copy(l.residual, l.y)
	if part := l.correlation * l.correlation; part > 0 {
		floats.Scale(1-part, l.chol.A)
		floats.Scale(1-part, l.slope)
		floats.AddScaled(l.chol.A, part, l.heardCov)
		l.shift = l.correlation * math.Sqrt(l.signal)
		floats.AddScaled(l.residual, -l.shift, l.heardMean)
	}
	for j, share := range l.share {
		c := l.meansOf(j)
		for i, v := range c {
			floats.AddScaled(l.chol.Row(i), share*v, c[:i+1])
		}
	}
	floats.Scale(l.signal, l.chol.A)
	for i, own := range l.own {
		l.chol.Row(i)[i] += own + l.noise
	}
	logDet, ok := l.chol.Cholesky(l.inverse)
	if !ok {
		l.mean, l.information = math.NaN(), math.NaN()
		return math.Inf(-1), l.mean
	}
	for i := range l.one {
		l.one[i] = 1
	}
	copy(l.z, l.residual)
	l.chol.Forward(l.one)
	l.chol.Forward(l.z)
	l.information = floats.Dot(l.one, l.one)
	l.mean = floats.Dot(l.one, l.z) / l.information
	floats.AddScaled(l.z, -l.mean, l.one)
	floats.AddConst(-l.mean, l.residual)
	logLikelihood = -0.5*(floats.Dot(l.z, l.z)+math.Log(l.information)) - logDet - 0.5*float64(l.n-1)*math.Log(2*math.Pi)
	return logLikelihood, l.mean
}

// gradient writes the gradient at the theta of the last eval into grad. Because m maximises the
// first term of the likelihood, it is the partial gradient at m (envelope theorem; R&W Eq. 5.9
// and one term),
//
//	½ (αᵀK'α + uᵀK'u/1ᵀu - tr K⁻¹K'),  K' = ∂K/∂θ, α = K⁻¹(y - m)
//
// It takes n³/3 multiplications and allocates nothing. The gradient is NaN where eval is -Inf.
func (l *likelihood) gradient(grad []float64) {
	if math.IsNaN(l.information) {
		for i := range grad {
			grad[i] = math.NaN()
		}
		return
	}
	copy(l.alpha, l.z)
	l.chol.Backward(l.alpha)
	copy(l.u, l.one)
	l.chol.Backward(l.u)
	traceSlope, trace, traceNoise := l.traces()

	// moves is K'α. For log σ_f², K' is K-Λ.
	signal, length, noise := l.moves[atSignal], l.moves[atLength], l.moves[atNoise]
	clear(length)
	var squareSignal, squareLength, squareNoise float64 // uᵀK'u
	for i, a := range l.alpha {
		u, own := l.u[i], l.own[i]+l.noise
		signal[i] = l.residual[i] - own*a
		squareSignal += u - own*u*u
		noise[i] = l.noise * a
		squareNoise += l.noise * u * u
		row := l.slope[packed.At(i, 0):packed.At(i+1, 0)]
		length[i] += floats.Dot(row, l.alpha[:i+1])
		floats.AddScaled(length[:i], a, row[:i])
		squareLength += u * (2*floats.Dot(row, l.u[:i+1]) - row[i]*u)
	}
	floats.Scale(l.signal, length)
	derivative := func(at int, square, trace float64) {
		grad[at] = 0.5 * (floats.Dot(l.alpha, l.moves[at]) + square/l.information - trace)
	}
	derivative(atSignal, squareSignal, float64(l.n)-traceNoise)
	derivative(atLength, l.signal*squareLength, l.signal*traceSlope)
	derivative(atNoise, squareNoise, l.noise*trace)
	rise := 0.0 // as σ_fρĉ grows with log σ_f²
	if l.correlation != 0 {
		rise = 0.5 * l.shift * floats.Dot(l.heardMean, l.alpha)
	}
	grad[atSignal] += rise
	for j, share := range l.share { // K' of s_j alone is 2σ_f²(s_j/σ_f)² ccᵀ; a larger s_j also leaves a smaller σ_f²
		at, c := atWeights+j, l.meansOf(j)
		scale, of := 2*l.signal*share, -2*share/l.whole
		root := l.work[:l.n]
		copy(root, c)
		l.chol.Forward(root)
		cu := floats.Dot(c, l.u)
		floats.ScaleTo(l.moves[at], scale*floats.Dot(c, l.alpha), c)
		floats.AddScaled(l.moves[at], of, signal)
		derivative(at, scale*cu*cu+of*squareSignal, scale*floats.Dot(root, root)+of*(float64(l.n)-traceNoise))
		grad[at] += of * rise
	}
}

// traces returns tr K⁻¹S for S = slope, tr K⁻¹ and tr K⁻¹Λ.
func (l *likelihood) traces() (slope, one, noise float64) {
	n, stride := l.n, l.wide
	for first := 0; first < n; first += packed.Block {
		block := blas64.General{Rows: n - first, Cols: min(packed.Block, stride-first), Stride: stride, Data: l.inverse[first*stride+first:]}
		for i := range block.Rows {
			row := block.Data[i*stride : i*stride+block.Cols]
			clear(row)
			if i < len(row) {
				row[i] = 1
			}
		}
		l.chol.ForwardBatch(block)
	}
	whole := blas64.General{Rows: n, Cols: stride, Stride: stride, Data: l.inverse}
	products := l.work[:2*stride]
	for i := range n { // K⁻¹ = L⁻ᵀL⁻¹ up to its diagonal
		if i%2 == 0 {
			packed.GramPair(products, whole, i, l.work[2*stride:])
		}
		row := products[i%2*stride:][:i+1]
		slopes, diagonal := l.slope[packed.At(i, 0):packed.At(i+1, 0)], row[i]
		slope += 2*floats.Dot(slopes, row) - slopes[i]*diagonal
		one += diagonal
		noise += (l.own[i] + l.noise) * diagonal
	}
	return slope, one, noise
}

// curvature writes into a, packed, an approximation of the negated Hessian at the theta of the last
// gradient that is positive semi-definite and takes O(n²): the average information, which is the
// mean of the observed and the expected one, without second derivatives of K (Gilmour, Thompson and
// Cullis, Biometrics 51, 1995), over the factor by which squares of residuals exceed what θ expects,
//
//	½ (y-m)ᵀK⁻¹K_i' P K_j'K⁻¹(y-m) · (n-1) / (y-m)ᵀK⁻¹(y-m),  P = K⁻¹ - uuᵀ/1ᵀu
//
// Without the factor, steps are small where θ is far off. gradient must be called again before
// another curvature.
func (l *likelihood) curvature(a []float64) {
	scale := 0.5 * float64(l.n-1) / floats.Dot(l.z, l.z)
	for i, move := range l.moves {
		l.chol.Forward(move)
		floats.AddScaled(move, -floats.Dot(l.one, move)/l.information, l.one)
		for j, other := range l.moves[:i+1] {
			a[packed.At(i, j)] = scale * floats.Dot(move, other)
		}
	}
}
