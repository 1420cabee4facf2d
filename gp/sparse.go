// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"ugp_explorer/gp/internal/packed"
)

// SparseConfig configures when a GP changes to inducing points and how many it places.
type SparseConfig struct {
	// ExactLimit is the largest number of observations with an exact posterior, ≥ 1.
	// Time and memory of the exact posterior grow with its square.
	ExactLimit int
	// MaxInducing bounds the number m of inducing points, ≥ 8.
	MaxInducing int
	// Tolerance, in (0, 1], is the largest variance of f̂ at an observation's belief that
	// the inducing points may leave unexplained, as a fraction of the observation's noise
	// variance. Points are added until it is met.
	Tolerance float64
}

// DefaultSparseConfig returns settings with which a decision takes a fraction of a second
// for any number of observations.
func DefaultSparseConfig() SparseConfig {
	return SparseConfig{ExactLimit: 500, MaxInducing: 512, Tolerance: 1e-3}
}

// NewSparse returns a GP without observations, like [New]. It is exact up to
// cfg.ExactLimit observations and sparse beyond: the posterior then depends on m inducing
// points, which are placed among the observations as they are added. [GP.Inducing]
// returns m. Adding an observation takes O(m²). A prediction takes as long as with m
// observations, and the first one after an Add O(m³). If an observation would need more
// points than cfg.MaxInducing, all points are placed again with a larger tolerance, in
// O(nm²). Passing the limit takes as long. With a second quantity it is exact for
// any number. An error about h wraps [ErrHyper].
func NewSparse(h Hyper, cfg SparseConfig) (*GP, error) {
	g, err := New(h)
	if err != nil {
		return nil, err
	}
	g.limit = &cfg
	return g, nil
}

// sparse replaces the factor of the observations in a GP beyond its limit. The rows that
// predictions use (x, cov, chol, diag, alpha) are then those of the inducing points and
// are written when they are next needed.
type sparse struct {
	*inducing
	mu      sync.Mutex // guards the fields below and the rows of the GP
	settled bool
	solved  solution
}

// errFull means that an observation needs more points than are allowed.
var errFull = errors.New("gp: too many inducing points")

// Inducing returns the number m of inducing points; 0 while g is exact.
func (g *GP) Inducing() int {
	if g.sparse == nil {
		return 0
	}
	return g.sparse.len() - g.sparse.weights
}

// beyond reports whether g is sparse with n more observations.
func (g *GP) beyond(n int) bool {
	return g.limit != nil && g.heard.n == 0 && g.Len()+n > g.limit.ExactLimit
}

// addSparse adds all of obs, or none, to a GP that is sparse or becomes sparse.
func (g *GP) addSparse(obs []Observation) error {
	for i, o := range obs {
		if err := g.check(o); err != nil {
			return batchError(i, len(obs), err)
		}
	}
	before := g.trend
	g.trend.constant = g.hyper.MeanStdDev / g.scale
	all := g.obs
	for _, o := range obs {
		all = append(all, o.clone())
	}
	var s *inducing
	err := errFull
	if g.sparse != nil {
		s = g.sparse.inducing
		if len(obs) > 1 { // absorb of a single one changes s only if it succeeds
			s = s.clone()
		}
		err = g.absorb(s, all, g.Len(), s.max)
	}
	if errors.Is(err, errFull) { // also if there are no points yet
		if s, err = g.induce(all); err == nil {
			g.z, g.phi, g.cond, g.level = nil, nil, conditioner{}, level{information: math.Inf(1)}
		}
	}
	if err != nil {
		g.trend = before
		return err
	}
	g.obs = all
	g.sparse = &sparse{inducing: s}
	return nil
}

// induce returns inducing points for all of obs. It raises the tolerance until three
// quarters of the allowed number of points suffice, so that there is room for more.
func (g *GP) induce(obs []Observation) (*inducing, error) {
	tolerance := g.limit.Tolerance
	if g.sparse != nil {
		tolerance = g.sparse.tolerance
	}
	for {
		s := newInducing(g.kernel, *g.limit, tolerance, g.trend.len())
		if err := g.absorb(s, obs, 0, s.max*3/4); !errors.Is(err, errFull) {
			return s, err
		}
		tolerance *= coarser
	}
}

// absorb adds the observations from index first to s, with at most most points. If there
// are several, it first places points for observations that are far apart in the
// sequence, which needs fewer points than placing them in order. If there is one and it
// is refused, s is unchanged.
func (g *GP) absorb(s *inducing, obs []Observation, first, most int) error {
	fresh := obs[first:]
	cov := make([]float64, packed.Len(g.Dim()))
	phi := make([]float64, g.trend.len())
	cover := func(i int) (noise, left float64, ok bool) {
		o := &fresh[i]
		packed.Pack(cov, o.Belief.Cov)
		noise = g.hyper.Noise(o) / g.hyper.SignalVariance
		g.trend.features(phi, nil, o.Belief.Mean, cov)
		left, ok = s.cover(o.Belief.Mean, cov, phi, noise, most)
		return noise, left, ok
	}
	if len(fresh) > 1 {
		order := spreadOrder(len(fresh))
		for _, i := range order[:min(len(order), spreadFor*most)] {
			if _, _, ok := cover(i); !ok {
				return errFull
			}
		}
	}
	for i := range fresh {
		m := s.len()
		noise, left, ok := cover(i)
		if !ok {
			s.truncate(m)
			return errFull
		}
		y := (fresh[i].Value - g.hyper.Mean) / g.scale
		if condition := s.take(y, noise, left); !(condition <= maxCondition) {
			s.truncate(m)
			return batchError(i, len(fresh), g.repeated(obs, first+i, noise, left, condition))
		}
	}
	return nil
}

// spreadFor is the number of observations per allowed point for which points are placed
// before any observation is added. Later ones in spreadOrder lie between them and seldom
// need another point; if they do, it is placed when they are added.
const spreadFor = 4

func batchError(i, n int, err error) error {
	if n == 1 {
		return err
	}
	return fmt.Errorf("gp: observation %d of %d: %w", i, n, err)
}

// repeated returns the error for observation i, which would make a sparse posterior
// ill-conditioned.
func (g *GP) repeated(obs []Observation, i int, noise, left, condition float64) error {
	k, v, b := g.hyper.Kernel(), g.hyper.SignalVariance, obs[i].Belief
	nearest, corr := mostCorrelated(k, obs[:i], b)
	return &IllConditionedError{
		Index: i, Pivot: v * (noise + left), Variance: k.Cov(b, b), NoiseVariance: v * noise,
		Condition: condition, Nearest: nearest, Correlation: corr,
	}
}

// settle updates the rows that predictions use.
func (g *GP) settle() {
	s := g.sparse
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled {
		return
	}
	s.solved = s.solve()
	g.x = s.x
	g.cov = make([]float64, s.len()*packed.Len(g.Dim()))
	g.chol = s.factor(&s.solved.precision)
	g.alpha = slices.Clone(s.solved.mean) // L⁻ᵀB⁻¹b
	s.chol.Backward(g.alpha)
	s.settled = true
}

// solvedSparse returns the posterior of a sparse g at its inducing points.
func (g *GP) solvedSparse() *solution {
	g.settle()
	return &g.sparse.solved
}
