// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// searchStrategy is uGP-UCB (Alg. 1), or one of its rivals that maximise an acquisition
// function over the space.
//
// Before the first observation all places are equally good. Then the target is the centre
// of the space, for a region that of the largest disc that fits in, or the place nearest
// to it that may be chosen. There the robot is as far as possible from the edge, and a
// sample tells most about its surroundings. Where the range is limited and distance has a
// price, it is one length-scale on the way there: a path through the field without a sample
// is dear.
type searchStrategy struct {
	custom   *AcquisitionMethod // nil: the upper confidence bound
	form     SampleForm
	cfg      StrategyConfig
	base     common
	searcher *acquire.Searcher

	bounds []*acquire.UCB // of the members; kept for their memory
	places *mat.Dense     // spread over the space, for acquisitions that depend on all of it
}

var _ Strategy = (*searchStrategy)(nil)

func newSearchStrategy(m *Method, base common, custom *AcquisitionMethod, cfg StrategyConfig, rng *rand.Rand) *searchStrategy {
	s := &searchStrategy{custom: custom, form: m.Form, cfg: cfg, base: base, searcher: acquire.NewSearcher(base.space, cfg.Search, rng)}
	if cfg.SpreadSamples > 0 || cfg.Objective == ObjectiveMap {
		s.places = base.space.Points(spacePlaces, rng)
	}
	return s
}

func (s *searchStrategy) Next(q Request) (Target, error) {
	if err := q.believe(s.form); err != nil {
		return Target{}, err
	}
	switch n := q.Model.Len(); {
	case n == 0:
		return s.first(&q)
	case n < s.cfg.SpreadSamples:
		return s.spread(&q)
	}
	acquisition, beta, err := s.acquisition(&q)
	if err != nil {
		return Target{}, err
	}
	maxStarts := 0
	if s.cfg.Objective == ObjectiveMap || len(q.Members) > 1 {
		maxStarts = acquire.FewStarts
	}
	best, err := s.searcher.Maximise(acquire.Query{
		Acquisition: acquisition, MaxStarts: maxStarts, LengthScales: q.Model.Hyper().LengthScales,
		TravelWeight: q.travelWeight(),
		Robot:        q.Robot, Reach: q.Reach, Starts: q.Starts, Rng: q.Rng,
	})
	if err != nil {
		return Target{}, err
	}
	belief := gp.Belief{Mean: best.X, Cov: s.form.QueryCov(q.Execution)}
	if s.placed(&q) {
		belief = q.Place(best.X)
	}
	mean, variance := q.Members.Or(q.Model).Posterior(belief)
	return Target{X: best.X, Acquisition: best.Value, Mean: mean, StdDev: math.Sqrt(variance), Beta: beta, Length: best.Length}, nil
}

// placed reports whether the request's placing applies.
func (s *searchStrategy) placed(q *Request) bool {
	return q.Place != nil && s.custom == nil && s.cfg.Objective != ObjectiveMap && s.cfg.Objective != ObjectiveThreshold && !s.form.Points()
}

// acquisition returns the acquisition to maximise, averaged over the members, and the mean
// of their β, 0 if the method has none.
func (s *searchStrategy) acquisition(q *Request) (acquire.Acquisition, float64, error) {
	average, mean := &acquire.Average{}, 0.0
	for i, m := range q.Members.Or(q.Model) {
		of, beta, err := s.acquisitionOf(m.Model, i, q)
		if err != nil {
			return nil, 0, err
		}
		average.Of, average.Weight = append(average.Of, of), append(average.Weight, m.Weight)
		mean += m.Weight * beta
	}
	if len(average.Of) == 1 {
		return average.Of[0], mean, nil
	}
	return average, mean, nil
}

// Recommend judges places as the method does: by the posterior mean at P̂_x or at points,
// or past targets by the estimate of its custom.
func (s *searchStrategy) Recommend(q RecommendRequest) (Recommendation, error) {
	switch {
	case s.custom == nil || s.custom.TargetMeans == nil:
		return s.base.recommender.recommend(&q, s.form.QueryCov(q.Execution))
	case s.cfg.Recommend == RecommendAnywhere:
		return s.base.recommender.recommend(&q, q.Execution)
	}
	return s.custom.recommend(&q)
}

// travelWeight returns the price of a metre of path in the unit of the values.
func (q *Request) travelWeight() float64 { return q.Price * math.Sqrt(q.Model.Hyper().SignalVariance) }

// first returns the target before the first observation.
func (s *searchStrategy) first(q *Request) (Target, error) {
	aim := s.base.space.Centre()
	if q.Price > 0 && !math.IsInf(q.Reach.Range, 1) {
		if share := q.Model.Hyper().LengthScales[0] / field.Distance(q.Robot, aim); share < 1 {
			for i, r := range q.Robot {
				aim[i] = r + share*(aim[i]-r)
			}
		}
	}
	x, nearest := make([]float64, len(aim)), math.Inf(1)
	err := s.searcher.Candidates(acquire.Query{Robot: q.Robot, Reach: q.Reach, Starts: [][]float64{aim}, Rng: q.Rng}, func(at []float64) {
		if d := field.Distance(at, aim); d < nearest {
			nearest = d
			copy(x, at)
		}
	})
	if err != nil {
		return Target{}, err
	}
	s.base.filter.Begin(q.Robot, q.Reach)
	t := s.base.target(q, x, s.form)
	if s.custom == nil {
		t.Beta = s.cfg.Beta.Beta(q.Step, q.Model)
	}
	t.Acquisition = t.Mean + t.Beta*t.StdDev - q.travelWeight()*t.Length
	return t, nil
}

// spread returns the place, of those that may be chosen, that minimises the mean squared
// distance from the places of the space to the nearest sample.
func (s *searchStrategy) spread(q *Request) (Target, error) {
	m, _ := s.places.Dims()
	nearest := make([]float64, m)
	for r := range nearest {
		nearest[r] = math.Inf(1)
		for _, o := range q.Model.Observations() {
			d := field.Distance(s.places.RawRowView(r), o.Belief.Mean)
			nearest[r] = min(nearest[r], d*d)
		}
	}
	x, least := make([]float64, s.base.space.Dim()), math.Inf(1)
	err := s.searcher.Candidates(acquire.Query{Robot: q.Robot, Reach: q.Reach, Starts: q.Starts, MaxStarts: acquire.FewStarts, Rng: q.Rng}, func(at []float64) {
		sum := 0.0
		for r, near := range nearest {
			d := field.Distance(s.places.RawRowView(r), at)
			sum += min(near, d*d)
		}
		if sum < least {
			least = sum
			copy(x, at)
		}
	})
	if err != nil {
		return Target{}, err
	}
	s.base.filter.Begin(q.Robot, q.Reach)
	return s.base.target(q, x, s.form), nil
}
