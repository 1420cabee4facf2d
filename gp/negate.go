package gp

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Negated returns the posterior of -f: that of the same observations with their
// values and the prior mean negated, so that what looks for the highest value finds
// the lowest. Adding to either leaves the other as it is.
func (g *GP) Negated() *GP {
	c := g.Clone()
	c.hyper = c.hyper.clone()
	c.hyper.Mean = -c.hyper.Mean
	c.obs = slices.Clone(c.obs)
	for i := range c.obs {
		c.obs[i].Value = -c.obs[i].Value
	}
	c.z = negated(c.z)
	floats.Scale(-1, c.alpha)
	if s := c.sparse; s != nil {
		floats.Scale(-1, s.b)
		s.solved.mean = negated(s.solved.mean)
	}
	return c
}

func negated(x []float64) []float64 {
	x = slices.Clone(x)
	floats.Scale(-1, x)
	return x
}
