// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Clone returns a copy of g. Adding to one does not change the other.
func (g *GP) Clone() *GP {
	if g.sparse != nil { // another reader may be updating its rows
		g.sparse.mu.Lock()
		defer g.sparse.mu.Unlock()
	}
	c := *g
	c.vec = nil
	// Slices that only grow are shared, clipped so that appending reallocates them.
	c.obs, c.x, c.cov = slices.Clip(g.obs), slices.Clip(g.x), slices.Clip(g.cov)
	c.phi = slices.Clip(g.phi)
	c.z, c.chol.A, c.level.one = slices.Clip(g.z), slices.Clip(g.chol.A), slices.Clip(g.level.one)
	c.alpha, c.cond = slices.Clone(g.alpha), g.cond.clone()
	if s := g.sparse; s != nil {
		c.sparse = &sparse{inducing: s.clone(), settled: s.settled, solved: s.solved}
	}
	return &c
}

// Translated returns the posterior of the same values with the mean of every belief,
// the covariates and the second quantity shifted by by. Because the kernel is stationary, its prediction at x + by is that of g
// at x, and nothing is recomputed: O(n), or O(m²) if g is sparse. It panics unless by has
// d entries.
func (g *GP) Translated(by []float64) *GP {
	if len(by) != g.Dim() {
		panic("gp: Translated: by has the wrong dimension")
	}
	moved := func(x []float64) []float64 {
		to := make([]float64, len(x))
		for i, v := range x {
			to[i] = v + by[i%len(by)]
		}
		return to
	}
	c := g.Clone()
	c.obs = make([]Observation, len(g.obs))
	for i, o := range g.obs {
		o.Belief.Mean = moved(o.Belief.Mean)
		c.obs[i] = o
	}
	c.x = moved(c.x)
	c.hyper = c.hyper.clone()
	for j, of := range c.hyper.Covariates {
		c.hyper.Covariates[j] = shifted{of, by[0], by[1]}
	}
	c.trend.of = c.hyper.Covariates
	if s := c.hyper.Secondary; s != nil {
		c.hyper.Secondary = s.translated(by)
		c.heard.x = moved(c.heard.x)
	}
	if c.sparse != nil {
		c.sparse.x = moved(c.sparse.x)
	}
	return c
}

// Negated returns the posterior of -f, with the values and the prior mean negated, so
// that a search for the highest value finds the lowest. Adding to one does not change
// the other.
func (g *GP) Negated() *GP {
	c := g.Clone()
	c.hyper = c.hyper.clone()
	c.hyper.Mean = -c.hyper.Mean
	if s := c.hyper.Secondary; s != nil {
		c.hyper.Secondary = s.negated()
	}
	c.obs = slices.Clone(c.obs)
	for i := range c.obs {
		c.obs[i].Value = -c.obs[i].Value
	}
	c.z = negated(c.z)
	floats.Scale(-1, c.alpha)
	c.level.mean = -c.level.mean
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
