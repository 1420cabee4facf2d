package gp

import "ugp_explorer/gp/internal/kernel"

// Kernel is a kernel k with one length-scale a dimension, as a covariance between
// beliefs. Variance is σ_f² in the squared unit of the values; LengthScales is the
// root of the diagonal of W, in the unit of the inputs. Both must be positive.
type Kernel struct {
	Kind         Kind
	Variance     float64
	LengthScales []float64
}

// Cov returns the prior covariance of f̂(p) and f̂(q),
//
//	σ_f² exp(-½ (x̂-x̂')ᵀ(W+Σ+Σ')⁻¹(x̂-x̂')) / |I + W⁻¹(Σ+Σ')|^½     (Eq. k_use)
//
// for the squared exponential, and for the others the mixture (see [Kind]) of
// those with W times s_j². Exponents past -345 give 0. Cov panics unless p and q have as many dimensions
// as k and its Kind is known; it doesn't check the beliefs further (see [Belief.Validate]) and is safe
// for concurrent use. It allocates above six dimensions only.
func (k Kernel) Cov(p, q Belief) float64 {
	d := len(k.LengthScales)
	checkDim(p, d)
	checkDim(q, d)
	return k.Variance * kernel.Cov(k.Kind.mixture(), k.LengthScales, p.Mean, q.Mean, p.Cov, q.Cov)
}

// Spread returns σ_f² - k̂(p, p), the prior variance of f(x̃) - f̂(p) for x̃ ~ p: how
// much the function at the one place where a sample was really taken differs from
// its mean over the belief. A value measured at one place is off from f̂ by that
// much beside the sensor's noise (Prop. subg bounds it, σ_F²); whoever wants it in
// the model adds it to the observation's NoiseVariance. It panics as Cov does.
func (k Kernel) Spread(p Belief) float64 {
	return k.Variance - k.Cov(p, p)
}

const panicDim = "gp: belief has the wrong dimension"

// checkDim panics unless b has the shape of a belief in d dimensions.
func checkDim(b Belief, d int) {
	if len(b.Mean) != d || b.Cov != nil && b.Cov.SymmetricDim() != d {
		panic(panicDim)
	}
}
