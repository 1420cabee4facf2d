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

// gather adds up the j terms of each covariance: n·j numbers become n.
func gather(k, terms []float64, j int) {
	for i := range k {
		sum := 0.0
		for _, v := range terms[i*j : (i+1)*j] {
			sum += v
		}
		k[i] = sum
	}
}

// gatherGrad is gather, and averages the terms' vectors -∂log k_ij/∂x with the
// terms as weights: n·j×d numbers become n×d. Where all terms are zero, so is the
// vector.
func gatherGrad(k, g, terms, grads []float64, j int) {
	gather(k, terms, j)
	clear(g)
	if len(k) == 0 {
		return
	}
	d := len(g) / len(k)
	for i, sum := range k {
		if sum == 0 {
			continue
		}
		gi := g[i*d : (i+1)*d]
		for t := i * j; t < (i+1)*j; t++ {
			share := terms[t] / sum
			for a, v := range grads[t*d : (t+1)*d] {
				gi[a] += share * v
			}
		}
	}
}
