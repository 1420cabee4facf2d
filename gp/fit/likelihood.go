// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"

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
// covariate. The observations' own noise variances stay fixed. A likelihood must be used by one goroutine at a time.
type likelihood struct {
	kind   gp.Kind
	n, dim int
	x, cov []float64 // means and packed covariances

	covariates []gp.Covariate
	means      []float64 // of the covariates over the beliefs, one covariate after the other
	share      []float64 // (s_j/σ_f)²

	y, own   []float64 // values and own noise variances
	kernel   *kernel.Unit
	scales   []float64
	unit     []float64 // k̂/σ_f², packed
	slope    []float64 // ∂(k̂/σ_f²)/∂log ℓ, packed
	chol     packed.Triangle
	inv      []float64 // columns of L⁻¹, one after the other
	one, z   []float64 // L⁻¹1, L⁻¹(y-m)
	u, alpha []float64 // K⁻¹1, K⁻¹(y-m)
	row      []float64 // workspace of gradient: a row of ααᵀ + uuᵀ/1ᵀu - K⁻¹
	g, work  []float64 // workspace of the kernel
}

// The indices of the parameters. The covariates' are the last.
const (
	atSignal = iota
	atLength
	atNoise
	atWeights
)

// newLikelihood returns the likelihood of obs in dim dimensions under a kernel of the given kind
// and covariates. It copies the numbers in obs, which must be valid.
func newLikelihood(kind gp.Kind, obs []gp.Observation, dim int, covariates []gp.Covariate) *likelihood {
	n, p := len(obs), packed.Len(dim)
	ones := make([]float64, dim)
	for i := range ones {
		ones[i] = 1
	}
	l := &likelihood{kind: kind, n: n, dim: dim, kernel: kernel.NewUnit(kernel.Mixtures[kind], ones), scales: ones}
	l.cov = make([]float64, n*p)
	for i, o := range obs {
		l.x = append(l.x, o.Belief.Mean...)
		packed.Pack(l.cov[i*p:(i+1)*p], o.Belief.Cov)
		l.y = append(l.y, o.Value)
		l.own = append(l.own, o.NoiseVariance)
	}
	l.covariates, l.share = covariates, make([]float64, len(covariates))
	for _, c := range covariates {
		for i := range n {
			v, _, _ := c.Mean(l.x[2*i], l.x[2*i+1], [3]float64(l.cov[3*i:]))
			l.means = append(l.means, v)
		}
	}
	l.unit, l.slope = make([]float64, packed.Len(n)), make([]float64, packed.Len(n))
	l.chol = packed.Triangle{N: n, A: make([]float64, packed.Len(n))}
	l.inv = make([]float64, packed.Len(n))
	l.one, l.z, l.u, l.alpha, l.row = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	l.g, l.work = make([]float64, dim), make([]float64, dim)
	return l
}

// numParams returns the number of parameters.
func (l *likelihood) numParams() int { return atWeights + len(l.covariates) }

// eval returns the log restricted likelihood at theta (R&W Eq. 2.45 for a constant) and the
// expected mean there, m, which is also the generalised-least-squares estimate. With
// K = K̂+Λ and u = K⁻¹1,
//
//	-½ (y-m)ᵀK⁻¹(y-m) - ½ log|K| - ½ log 1ᵀu - ½ (n-1) log 2π,  m = uᵀy / 1ᵀu
//
// It writes the gradient into grad unless grad is nil. Because m maximises the first term,
// the gradient is the partial gradient at m (envelope theorem; R&W Eq. 5.9 and one term),
//
//	½ tr((ααᵀ - K⁻¹ + uuᵀ/1ᵀu) ∂K/∂θ),  α = K⁻¹(y - m)
//
// If K is not numerically positive definite, which happens with noise near 0, the result
// is -Inf and the gradient NaN. eval takes O(n³), allocates nothing, and panics if theta
// or grad has the wrong length.
func (l *likelihood) eval(grad, theta []float64) (logLikelihood, mean float64) {
	if len(theta) != l.numParams() || grad != nil && len(grad) != len(theta) {
		panic("fit: likelihood: wrong number of parameters")
	}
	signal, noise := math.Exp(theta[atSignal]), math.Exp(theta[atNoise])
	for i := range l.scales {
		l.scales[i] = math.Exp(theta[atLength])
	}
	whole := 1.0
	for j := range l.share {
		l.share[j] = math.Exp(2 * theta[atWeights+j])
		whole += l.share[j]
	}
	signal /= whole
	l.kernel.Set(l.scales)
	l.assemble(grad != nil)
	logDet, ok := l.factorise(signal, noise)
	if !ok {
		for i := range grad {
			grad[i] = math.NaN()
		}
		return math.Inf(-1), math.NaN()
	}
	for i := range l.one {
		l.one[i] = 1
	}
	copy(l.z, l.y)
	l.chol.Forward(l.one)
	l.chol.Forward(l.z)
	information := floats.Dot(l.one, l.one) // 1ᵀu, the inverse variance of the mean
	mean = floats.Dot(l.one, l.z) / information
	floats.AddScaled(l.z, -mean, l.one)
	logLikelihood = -0.5*(floats.Dot(l.z, l.z)+math.Log(information)) - logDet - 0.5*float64(l.n-1)*math.Log(2*math.Pi)
	if grad != nil {
		l.gradient(grad, signal, noise, information)
		for j, share := range l.share {
			grad[atWeights+j] -= 2 * share / whole * grad[atSignal]
		}
	}
	return logLikelihood, mean
}

// assemble fills unit, and slope if withSlope.
func (l *likelihood) assemble(withSlope bool) {
	d, p := l.dim, packed.Len(l.dim)
	at := 0
	for i := range l.n {
		xi, si := l.x[i*d:(i+1)*d], l.cov[i*p:(i+1)*p]
		for j := range i + 1 {
			xj, sj := l.x[j*d:(j+1)*d], l.cov[j*p:(j+1)*p]
			if !withSlope {
				l.unit[at] = l.kernel.Eval(xi, xj, si, sj)
				at++
				continue
			}
			k := l.kernel.EvalGrad(l.g, xi, xj, si, sj, l.work)
			l.unit[at] = k
			l.slope[at] = k * floats.Sum(l.g)
			at++
		}
	}
	for j, share := range l.share {
		c := l.means[j*l.n : (j+1)*l.n]
		for i, v := range c {
			floats.AddScaled(l.unit[packed.At(i, 0):packed.At(i+1, 0)], share*v, c[:i+1])
		}
	}
}

// factorise computes the Cholesky factor of σ_f²·unit + own + λ row by row and
// returns half its log determinant.
func (l *likelihood) factorise(signal, noise float64) (logDet float64, ok bool) {
	copy(l.chol.A, l.unit)
	floats.Scale(signal, l.chol.A)
	for i := range l.n {
		r := l.chol.Row(i)
		for j := range i {
			s := l.chol.Row(j)
			r[j] = (r[j] - floats.Dot(r[:j], s[:j])) / s[j]
		}
		diag := r[i] + l.own[i] + noise
		pivot := diag - floats.Dot(r[:i], r[:i])
		// A pivot that is no larger than n roundings of the diagonal is only rounding error.
		if !(pivot > float64(l.n)*0x1p-52*diag) {
			return 0, false
		}
		r[i] = math.Sqrt(pivot)
		logDet += math.Log(r[i])
	}
	return logDet, true
}

// gradient writes the gradient into grad. The factor, one and z must be set.
func (l *likelihood) gradient(grad []float64, signal, noise, information float64) {
	n := l.n
	copy(l.alpha, l.z)
	l.chol.Backward(l.alpha)
	copy(l.u, l.one)
	l.chol.Backward(l.u)
	// inv holds the columns of L⁻¹, column j from its diagonal on.
	column := func(j int) []float64 {
		o := len(l.inv) - packed.Len(n-j)
		return l.inv[o : o+n-j]
	}
	for j := range n {
		c := column(j)
		c[0] = 1 / l.chol.Row(j)[j]
		for i := j + 1; i < n; i++ {
			r := l.chol.Row(i)
			c[i-j] = -floats.Dot(r[j:i], c[:i-j]) / r[i]
		}
	}
	clear(grad)
	for i := range n {
		ci, w := column(i), l.row[:i+1]
		for j := range i {
			cj := column(j)[i-j:]
			w[j] = l.alpha[i]*l.alpha[j] + l.u[i]*l.u[j]/information - floats.Dot(ci, cj) // (ααᵀ + uuᵀ/1ᵀu - K⁻¹)_ij
		}
		w[i] = (l.alpha[i]*l.alpha[i] + l.u[i]*l.u[i]/information - floats.Dot(ci, ci)) / 2
		grad[atNoise] += w[i] * noise
		o := packed.At(i, 0)
		grad[atSignal] += signal * floats.Dot(w, l.unit[o:o+i+1])
		grad[atLength] += signal * floats.Dot(w, l.slope[o:o+i+1])
		for j, share := range l.share {
			c := l.means[j*n : (j+1)*n]
			grad[atWeights+j] += 2 * signal * share * c[i] * floats.Dot(w, c[:i+1])
		}
	}
}
