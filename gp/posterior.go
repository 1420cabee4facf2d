package gp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Posterior returns the posterior mean and variance of f̂(b), the function's
// expected value under b, without observation noise (Eq. ugp-mean, ugp-var). A
// variance that rounding made negative is 0. It panics when b has the wrong
// dimension; b isn't checked further. It allocates O(n): for many queries use a
// [Predictor]. Safe for concurrent use.
func (g *GP) Posterior(b Belief) (mean, variance float64) {
	k, prior := g.crossCovariance(b)
	mean = floats.Dot(k, g.alpha)
	g.chol.forward(k)
	return g.hyper.Mean + g.scale*mean, g.hyper.SignalVariance * max(prior-floats.Dot(k, k), 0)
}

// JointCovariance writes the posterior covariance of f̂(q_0), f̂(q_1), … into dst,
//
//	k̂_n(P, P') = k̂(P, P') - k̂_n(P)ᵀ(K̂+Λ)⁻¹k̂_n(P')            (Eq. posterior_kp)
//
// without observation noise. dst must be empty or len(q)×len(q); it panics
// otherwise, or when a query has the wrong dimension. On the diagonal a variance
// that rounding made negative is 0. Safe for concurrent use with different dst.
func (g *GP) JointCovariance(dst *mat.SymDense, q []Belief) {
	if dst.IsEmpty() && len(q) > 0 {
		dst.ReuseAsSym(len(q))
	}
	if dst.SymmetricDim() != len(q) {
		panic("gp: JointCovariance: dst has the wrong size")
	}
	d := g.Dim()
	v := make([][]float64, len(q))
	cov := make([][]float64, len(q))
	work := make([]float64, g.kernel.workLen())
	for i, b := range q {
		v[i], _ = g.crossCovariance(b)
		g.chol.forward(v[i])
		cov[i] = make([]float64, packedLen(d))
		packCov(cov[i], b.Cov)
		for j := range i + 1 {
			c := g.kernel.eval(b.Mean, q[j].Mean, cov[i], cov[j], work) - floats.Dot(v[i], v[j])
			if i == j {
				c = max(c, 0)
			}
			dst.SetSym(i, j, g.hyper.SignalVariance*c)
		}
	}
}

// crossCovariance returns the prior covariances of f̂(b) with the observations'
// and its prior variance, divided by σ_f².
func (g *GP) crossCovariance(b Belief) (k []float64, prior float64) {
	g.settle()
	n, d := g.chol.n, g.Dim()
	checkDim(b, d)
	p := packedLen(d)
	buf := make([]float64, n+p+g.kernel.workLen())
	k, cov, work := buf[:n:n], buf[n:n+p:n+p], buf[n+p:]
	packCov(cov, b.Cov)
	for i := range k {
		k[i] = g.kernel.eval(b.Mean, g.x[i*d:(i+1)*d], cov, g.cov[i*p:(i+1)*p], work)
	}
	return k, g.kernel.eval(b.Mean, b.Mean, cov, cov, work)
}
