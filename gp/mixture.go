package gp

// part is one term of a mixture: a squared exponential whose length-scales are
// scale times the mixture's.
type part struct {
	component
	kernel *unitKernel
}

// evalMixture is eval of a mixture.
func (k *unitKernel) evalMixture(x, y, sx, sy, work []float64) float64 {
	sum := 0.0
	for _, p := range k.parts {
		sum += p.weight * p.kernel.eval(x, y, sx, sy, work)
	}
	return sum
}

// evalGradMixture is evalGrad of a mixture. The scales being fixed, a derivative
// with respect to log ℓ_a is one with respect to log(s_j ℓ_a), and that of log k̂
// is the mean of those of log k̂_j with the terms w_j k̂_j as weights. Where all of
// them are zero, g is 0.
func (k *unitKernel) evalGradMixture(g, x, y, sx, sy, work []float64) float64 {
	one, work := work[:k.dim], work[k.dim:]
	clear(g)
	sum := 0.0
	for _, p := range k.parts {
		v := p.weight * p.kernel.evalGrad(one, x, y, sx, sy, work)
		for a, d := range one {
			g[a] += v * d
		}
		sum += v
	}
	if sum != 0 {
		for a := range g {
			g[a] /= sum
		}
	}
	return sum
}
