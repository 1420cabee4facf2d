package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"ugp_explorer/gp/internal/packed"
)

// ErrSparse is wrapped by every error about a [SparseConfig].
var ErrSparse = errors.New("gp: invalid sparse configuration")

// SparseConfig says from how many observations on a GP goes over to inducing
// points, and how many of these it places.
type SparseConfig struct {
	// ExactLimit is the largest number of observations that are all kept in the
	// factor, ≥ 1: time and memory of the exact posterior grow with its square.
	ExactLimit int
	// MaxInducing bounds the number m of inducing points, ≥ 8.
	MaxInducing int
	// Tolerance, in (0, 1], is how much of an observation's noise variance the
	// inducing points may leave unexplained of f̂ at its belief: more of them are
	// placed until it is less.
	Tolerance float64
}

// DefaultSparseConfig returns settings with which a decision takes a small part of
// a second whatever the number of observations.
func DefaultSparseConfig() SparseConfig {
	return SparseConfig{ExactLimit: 500, MaxInducing: 512, Tolerance: 1e-3}
}

// Validate returns an error, wrapping [ErrSparse], that names the first field out
// of its range and its value.
func (c SparseConfig) Validate() error {
	switch {
	case c.ExactLimit < 1:
		return fmt.Errorf("%w: ExactLimit is %d, want at least 1", ErrSparse, c.ExactLimit)
	case c.MaxInducing < 8:
		return fmt.Errorf("%w: MaxInducing is %d, want at least 8", ErrSparse, c.MaxInducing)
	case !(c.Tolerance > 0 && c.Tolerance <= 1):
		return fmt.Errorf("%w: Tolerance is %g, want above 0 and at most 1", ErrSparse, c.Tolerance)
	}
	return nil
}

// NewSparse returns a GP as [New] does that is exact up to cfg.ExactLimit
// observations. With more it is sparse: the posterior is carried by m inducing
// points, placed among the observations as these come. One more costs O(m²), a
// prediction what it costs with m observations, and the first one after an Add
// O(m³). [GP.Inducing] returns m. An
// observation that would take more points than cfg.MaxInducing has all of them
// placed anew with a larger tolerance, which costs O(nm²), and so does the step
// over the limit. The error wraps [ErrHyper] or [ErrSparse].
func NewSparse(h Hyper, cfg SparseConfig) (*GP, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	g, err := New(h)
	if err != nil {
		return nil, err
	}
	g.limit = &cfg
	return g, nil
}

// sparse is what a GP beyond its limit has in place of the observations' factor.
// The rows that predictions run on (x, cov, chol, diag, alpha) are then those of
// the inducing points, and are written when they are next needed.
type sparse struct {
	*inducing
	mu      sync.Mutex // of the rest, and of the GP's rows
	settled bool
	solved  solution
}

// errFull says that the points that an observation needs are too many.
var errFull = errors.New("gp: too many inducing points")

// Inducing returns the number of inducing points m; 0 while g is exact.
func (g *GP) Inducing() int {
	if g.sparse == nil {
		return 0
	}
	return g.sparse.len()
}

// beyond reports whether g is sparse once it has n more observations.
func (g *GP) beyond(n int) bool { return g.limit != nil && g.Len()+n > g.limit.ExactLimit }

// addSparse adds every one of obs, or none, to a GP that is sparse or becomes so.
func (g *GP) addSparse(obs []Observation) error {
	for i, o := range obs {
		if err := g.check(o); err != nil {
			return batchError(i, len(obs), err)
		}
	}
	all := g.obs
	for _, o := range obs {
		all = append(all, Observation{Belief: o.Belief.clone(), Value: o.Value, NoiseVariance: o.NoiseVariance})
	}
	var s *inducing
	err := errFull
	if g.sparse != nil {
		s = g.sparse.inducing
		if len(obs) > 1 { // one alone is taken whole or not at all
			s = s.clone()
		}
		err = g.absorb(s, all, g.Len(), s.max)
	}
	if errors.Is(err, errFull) { // or there are none yet
		if s, err = g.induce(all); err == nil {
			g.z, g.cond = nil, conditioner{}
		}
	}
	if err != nil {
		return err
	}
	g.obs = all
	g.sparse = &sparse{inducing: s}
	g.version++
	return nil
}

// induce returns inducing points for all of obs, with the first of rising tolerances
// for which three quarters of those allowed do, so that there is room for more.
func (g *GP) induce(obs []Observation) (*inducing, error) {
	tolerance := g.limit.Tolerance
	if g.sparse != nil {
		tolerance = g.sparse.tolerance
	}
	for {
		s := newInducing(g.kernel, *g.limit, tolerance)
		if err := g.absorb(s, obs, 0, s.max*3/4); !errors.Is(err, errFull) {
			return s, err
		}
		tolerance *= coarser
	}
}

// absorb has s take the observations from index first on, with at most most
// points. Of several it takes none before it has placed the points, at first far
// apart, of which fewer are needed than along the way. A single one that it does
// not take leaves s as it was.
func (g *GP) absorb(s *inducing, obs []Observation, first, most int) error {
	fresh := obs[first:]
	cov := make([]float64, packed.Len(g.Dim()))
	cover := func(i int) (noise, left float64, ok bool) {
		o := &fresh[i]
		packed.Pack(cov, o.Belief.Cov)
		noise = (g.hyper.NoiseVariance + o.NoiseVariance) / g.hyper.SignalVariance
		left, ok = s.cover(o.Belief.Mean, cov, noise, most)
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

// spreadFor is how many observations for each point that is allowed are looked at
// for points before any is taken. Those that follow in spreadOrder are between them
// and seldom need another, which they then get in their turn.
const spreadFor = 4

func batchError(i, n int, err error) error {
	if n == 1 {
		return err
	}
	return fmt.Errorf("gp: observation %d of %d: %w", i, n, err)
}

// repeated returns the error about an observation i that would make a sparse
// posterior ill-conditioned.
func (g *GP) repeated(obs []Observation, i int, noise, left, condition float64) error {
	k, v := g.hyper.Kernel(), g.hyper.SignalVariance
	b := obs[i].Belief
	prior := k.Cov(b, b)
	e := &IllConditionedError{
		Index: i, Pivot: v * (noise + left), Variance: prior, NoiseVariance: v * noise,
		Condition: condition, MaxCondition: maxCondition, Nearest: -1,
	}
	for j, o := range obs[:i] {
		if c := k.Cov(b, o.Belief) / math.Sqrt(prior*k.Cov(o.Belief, o.Belief)); e.Nearest < 0 || c > e.Correlation {
			e.Nearest, e.Correlation = j, c
		}
	}
	return e
}

// settle brings the rows that predictions run on up to date.
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
	g.diag = make([]float64, s.len())
	for i := range g.diag {
		for _, v := range g.chol.Row(i) {
			g.diag[i] += v * v
		}
	}
	g.alpha = slices.Clone(s.solved.mean) // L⁻ᵀB⁻¹b
	s.chol.Backward(g.alpha)
	s.settled = true
}

// solvedSparse returns the posterior of a sparse g at its inducing points.
func (g *GP) solvedSparse() *solution {
	g.settle()
	return &g.sparse.solved
}
