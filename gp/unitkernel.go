package gp

import (
	"math"
)

// unitKernel is Eq. k_use with σ_f = 1, written in lengths relative to the
// length-scales: with u = W^-½(x̂ - x̂') and M = I + W^-½(Σ+Σ')W^-½,
//
//	k̂ = exp(-½ uᵀM⁻¹u) / √|M|
//
// or a mixture of such. Means are d long, covariances packed, both in the user's
// units.
type unitKernel struct {
	dim   int
	inv   []float64 // 1/ℓ
	inv2  []float64 // 1/(ℓ_i ℓ_j), packed
	parts []part    // terms of a mixture; nil: squared exponential
}

func newUnitKernel(kind Kind, lengthScales []float64) *unitKernel {
	d := len(lengthScales)
	k := &unitKernel{dim: d, inv: make([]float64, d), inv2: make([]float64, packedLen(d))}
	if kind != SquaredExponential {
		for _, c := range kinds[kind].mix {
			k.parts = append(k.parts, part{c, newUnitKernel(SquaredExponential, lengthScales)})
		}
	}
	k.set(lengthScales)
	return k
}

func (k *unitKernel) set(lengthScales []float64) {
	k.setScaled(lengthScales, 1)
	for _, p := range k.parts {
		p.kernel.setScaled(lengthScales, p.scale)
	}
}

// setScaled sets the length-scales to scale times the given ones.
func (k *unitKernel) setScaled(lengthScales []float64, scale float64) {
	for i, l := range lengthScales {
		k.inv[i] = 1 / (l * scale)
		for j := range i + 1 {
			k.inv2[packed(i, j)] = k.inv[i] * k.inv[j]
		}
	}
}

// workLen is the length of the workspace that eval and evalGrad need.
func (k *unitKernel) workLen() int { return 3*k.dim + packedLen(k.dim) }

// eval returns k̂(N(x, sx), N(y, sy)).
func (k *unitKernel) eval(x, y, sx, sy, work []float64) float64 {
	if k.parts != nil {
		return k.evalMixture(x, y, sx, sy, work)
	}
	switch k.dim {
	case 1:
		m := 1 + (sx[0]+sy[0])*k.inv2[0]
		u := (x[0] - y[0]) * k.inv[0]
		return expNeg(0.5*u*u/m) / math.Sqrt(m)
	case 2:
		a := 1 + (sx[0]+sy[0])*k.inv2[0]
		b := (sx[1] + sy[1]) * k.inv2[1]
		c := 1 + (sx[2]+sy[2])*k.inv2[2]
		det := a*c - b*b
		u, v := (x[0]-y[0])*k.inv[0], (x[1]-y[1])*k.inv[1]
		return expNeg(0.5*(c*u*u-2*b*u*v+a*v*v)/det) / math.Sqrt(det)
	}
	return k.evalGeneral(x, y, sx, sy, work)
}

// evalGeneral is the squared exponential's eval in any dimension.
func (k *unitKernel) evalGeneral(x, y, sx, sy, work []float64) float64 {
	d := k.dim
	if diagonal(sx, d) && diagonal(sy, d) {
		h, det := 0.0, 1.0
		for i := range d {
			m, u := k.diagonal(i, sx, sy), (x[i]-y[i])*k.inv[i]
			h += u * u / m
			det *= m
		}
		return expNeg(0.5*h) / math.Sqrt(det)
	}
	t, m := work[:d], work[2*d:]
	rootDet := k.factor(m, sx, sy)
	h := 0.0
	for i := range d {
		t[i] = (x[i] - y[i]) * k.inv[i]
	}
	forwardSmall(m, t, d)
	for _, v := range t {
		h += v * v
	}
	return expNeg(0.5*h) / rootDet
}

// diagonal returns M_ii, M being as in factor.
func (k *unitKernel) diagonal(i int, sx, sy []float64) float64 {
	ii := packed(i, i)
	return 1 + (sx[ii]+sy[ii])*k.inv2[ii]
}

// factor writes the Cholesky factor of M = I + W^-½(Σ+Σ')W^-½ into m and returns
// √|M|, or NaN when M is not positive definite, which validated beliefs exclude.
func (k *unitKernel) factor(m, sx, sy []float64) float64 {
	m = m[:packedLen(k.dim)]
	for i := range m {
		m[i] = (sx[i] + sy[i]) * k.inv2[i]
	}
	for i := range k.dim {
		m[packed(i, i)]++
	}
	if !choleskySmall(m, k.dim) {
		return math.NaN()
	}
	rootDet := 1.0
	for i := range k.dim {
		rootDet *= m[packed(i, i)]
	}
	return rootDet
}

// evalGrad returns k̂ and writes ∂log k̂/∂log ℓ_a into g. For the squared
// exponential, with A = W+Σ+Σ' and
// ∂W/∂log ℓ_a = 2ℓ_a², log k̂ = -½ΔᵀA⁻¹Δ - ½log|A| + ½log|W| gives
//
//	∂log k̂/∂log ℓ_a = (M⁻¹u)_a² - (M⁻¹)_aa + 1
//
// the last two terms being those of the normaliser.
func (k *unitKernel) evalGrad(g, x, y, sx, sy, work []float64) float64 {
	if k.parts != nil {
		return k.evalGradMixture(g, x, y, sx, sy, work)
	}
	switch k.dim {
	case 1:
		p := 1 / (1 + (sx[0]+sy[0])*k.inv2[0])
		u := (x[0] - y[0]) * k.inv[0]
		g[0] = p*p*u*u - p + 1
		return expNeg(0.5*p*u*u) * math.Sqrt(p)
	case 2:
		a := 1 + (sx[0]+sy[0])*k.inv2[0]
		b := (sx[1] + sy[1]) * k.inv2[1]
		c := 1 + (sx[2]+sy[2])*k.inv2[2]
		q := 1 / (a*c - b*b)
		u, v := (x[0]-y[0])*k.inv[0], (x[1]-y[1])*k.inv[1]
		s, t := q*(c*u-b*v), q*(a*v-b*u)
		g[0], g[1] = s*s-q*c+1, t*t-q*a+1
		return expNeg(0.5*(s*u+t*v)) * math.Sqrt(q)
	}
	return k.evalGradGeneral(g, x, y, sx, sy, work)
}

// evalGradGeneral is the squared exponential's evalGrad in any dimension.
func (k *unitKernel) evalGradGeneral(g, x, y, sx, sy, work []float64) float64 {
	d := k.dim
	if diagonal(sx, d) && diagonal(sy, d) {
		h, det := 0.0, 1.0
		for i := range d {
			m, u := k.diagonal(i, sx, sy), (x[i]-y[i])*k.inv[i]
			p := 1 / m
			h += p * u * u
			det *= m
			g[i] = p*p*u*u - p + 1
		}
		return expNeg(0.5*h) / math.Sqrt(det)
	}
	t, e, m := work[:d], work[d:2*d], work[2*d:]
	rootDet := k.factor(m, sx, sy)
	for i := range d {
		t[i] = (x[i] - y[i]) * k.inv[i]
	}
	forwardSmall(m, t, d)
	h := 0.0
	for _, v := range t {
		h += v * v
	}
	backwardSmall(m, t, d)
	for a := range d {
		clear(e)
		e[a] = 1
		forwardSmall(m, e, d) // (M⁻¹)_aa = |L⁻¹e_a|²
		diag := 0.0
		for _, v := range e {
			diag += v * v
		}
		g[a] = t[a]*t[a] - diag + 1
	}
	return expNeg(0.5*h) / rootDet
}

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
