// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/field"
)

// SearchConfig sets how thoroughly the acquisition function is maximised.
type SearchConfig struct {
	Starts         int     // ≥ 1, number of quasi-random places that are screened
	Refine         int     // ≥ 1, number of the best of them that gradient ascent refines
	MaxEvaluations int     // ≥ 1, evaluations of the acquisition and its gradient per ascent
	Tolerance      float64 // in (0, 1), length-scales; an ascent ends when its step is shorter
}

// DefaultSearchConfig returns the settings for a planar field.
func DefaultSearchConfig() SearchConfig {
	return SearchConfig{Starts: 1000, Refine: 5, MaxEvaluations: 40, Tolerance: 1e-3}
}

// Query asks a [Searcher] for the place where the acquisition is largest.
type Query struct {
	Acquisition  Acquisition
	LengthScales []float64   // of the model, one per dimension, m
	TravelWeight float64     // ≥ 0, cost of travel, unit of the values per metre
	Robot        []float64   // where the path begins, m
	Reach        Reach       // which places may be chosen
	MaxStarts    int         // largest number of the searcher's own starts to use; 0: all
	Starts       [][]float64 // further starts, projected onto the space; may be nil
	Rng          *rand.Rand  // Dim numbers are drawn from it
}

// Candidate is the result of a search.
type Candidate struct {
	X      []float64 // the place, m; the caller may keep it
	Value  float64   // acquisition there less the cost of travel
	Length float64   // length of the path from the robot, m
}

// Searcher maximises an [Acquisition] over a space. It first screens quasi-random starts.
// Most of them are fixed: they are drawn with the searcher and stay the same at every
// decision, so that decisions in a row compare the same places. The rest, at
// least a hundred and one more for each fixed start that may not be chosen, are shifted at
// random at each decision (Cranley and Patterson, SIAM J. Numer. Anal. 1976), so that no
// place lies between the starts for ever. They cover the part of the space's box that is
// within reach.
//
// Projected gradient ascent then refines the best starts that are not neighbours. The
// number of evaluations is limited and no clock is read. Of equal values the first found
// wins, so the same seed gives the same targets.
//
// A Searcher is not safe for concurrent use. A decision allocates its result and little
// else.
type Searcher struct {
	space  field.Space
	cfg    SearchConfig
	unit   *mat.Dense // points of the unit cube
	fixed  [][]float64
	filter *Filter
	acq    netValue

	lo, hi, shift    []float64
	spaceLo, spaceHi []float64
	rows             *mat.Dense // starts of the present decision
	cost, value      []float64  // of travel to each row, and its acquisition
	top              []start
	climb            climb
}

// FewStarts is the [Query.MaxStarts] for acquisitions that take long to evaluate.
const FewStarts = 300

// shiftedStarts is the smallest number of starts that are shifted at each decision.
const shiftedStarts = 100

// NewSearcher returns a searcher whose quasi-random starts are drawn from rng.
func NewSearcher(space field.Space, cfg SearchConfig, rng *rand.Rand) *Searcher {
	d := space.Dim()
	s := &Searcher{space: space, cfg: cfg, filter: NewFilter(space)}
	s.spaceLo, s.spaceHi = space.Bounds()
	s.lo, s.hi, s.shift = make([]float64, d), make([]float64, d), make([]float64, d)
	s.top = make([]start, 0, 8*cfg.Refine)
	buffer := make([]float64, 5*d)
	s.climb = climb{
		space: space, filter: s.filter, cfg: &s.cfg, acq: &s.acq,
		x: buffer[:d], grad: buffer[d : 2*d], trial: buffer[2*d : 3*d], trialGrad: buffer[3*d : 4*d], best: buffer[4*d:],
	}

	// Enough points of the cube for cfg.Starts points in the space, and a few more.
	tries := 1024
	if _, whole := space.(*field.Box); whole {
		tries = 1
	}
	trial := field.Halton(tries, d, rng)
	inside := 0
	for i := range tries {
		s.place(s.climb.x, trial.RawRowView(i), s.spaceLo, s.spaceHi)
		if space.Contains(s.climb.x) {
			inside++
		}
	}
	share := max(float64(inside)/float64(tries), 1.0/64)
	s.unit = field.Halton(int(1.2*float64(cfg.Starts)/share)+16, d, rng)
	for i := 0; i < s.unit.RawMatrix().Rows && len(s.fixed) < cfg.Starts-shiftedStarts; i++ {
		if s.place(s.climb.x, s.unit.RawRowView(i), s.spaceLo, s.spaceHi); space.Contains(s.climb.x) {
			s.fixed = append(s.fixed, slices.Clone(s.climb.x))
		}
	}
	s.rows, s.cost = mat.NewDense(cfg.Starts, d, nil), make([]float64, cfg.Starts)
	return s
}

// Maximise returns the place with the largest acquisition, less the cost of travel, that
// may be chosen. The error is a [*NoTargetError], or says that the
// acquisition has no finite value. The numbers of q must be
// finite, and its slices must have the space's dimension.
func (s *Searcher) Maximise(q Query) (Candidate, error) {
	s.filter.Begin(q.Robot, q.Reach)
	s.acq.acq, s.acq.weight, s.acq.travel = q.Acquisition, q.TravelWeight, s.filter.there
	n := s.starts(&q)
	if n == 0 {
		return Candidate{}, s.filter.NoTarget()
	}
	starts := s.rows.Slice(0, n, 0, s.space.Dim()).(*mat.Dense)
	found := s.best(q.Acquisition, starts)

	best := math.Inf(-1)
	s.climb.scales = q.LengthScales
	picked := 0
	for i := 0; i < len(found) && picked < s.cfg.Refine; i++ {
		if nearBetter(starts, q.LengthScales, found[i], found[:i]) {
			continue
		}
		picked++
		s.climb.run(starts.RawRowView(found[i].row))
		if s.climb.value > best {
			best = s.climb.value
			copy(s.climb.best, s.climb.x)
		}
	}
	if picked == 0 {
		return Candidate{}, fmt.Errorf("planner: the acquisition is not a finite number at any of %d places", n)
	}
	x := append([]float64(nil), s.climb.best...)
	return Candidate{X: x, Value: best, Length: s.filter.Length(x)}, nil
}

// nearBetter reports whether a better candidate is within half a length-scale of c, so
// that both would most likely climb to the same maximum.
func nearBetter(starts *mat.Dense, scales []float64, c start, better []start) bool {
	x := starts.RawRowView(c.row)
	for _, b := range better {
		y, d2 := starts.RawRowView(b.row), 0.0
		for k := range x {
			d2 += (x[k] - y[k]) * (x[k] - y[k]) / (scales[k] * scales[k])
		}
		if d2 < 0.25 {
			return true
		}
	}
	return false
}
