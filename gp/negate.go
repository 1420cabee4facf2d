package gp

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Clone returns a copy that shares nothing with g, in O(n²) time.
func (g *GP) Clone() *GP {
	c := *g
	c.hyper = g.hyper.clone()
	c.kernel = newUnitKernel(g.hyper.Kind, g.hyper.LengthScales)
	c.obs = slices.Clone(g.obs)
	c.x, c.cov, c.diag = slices.Clone(g.x), slices.Clone(g.cov), slices.Clone(g.diag)
	c.chol.a = slices.Clone(g.chol.a)
	c.z, c.alpha = slices.Clone(g.z), slices.Clone(g.alpha)
	c.cond = g.cond.clone()
	c.vec, c.work = nil, make([]float64, len(g.work))
	return &c
}

// Negated returns the posterior of -f: that of the same observations with their
// values and the prior mean negated, so that what looks for the highest value finds
// the lowest. It shares nothing with g.
func (g *GP) Negated() *GP {
	c := g.Clone()
	c.hyper.Mean = -c.hyper.Mean
	for i := range c.obs {
		c.obs[i].Value = -c.obs[i].Value
	}
	floats.Scale(-1, c.z)
	floats.Scale(-1, c.alpha)
	return c
}
