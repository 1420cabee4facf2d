// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/num"
	"ugp_explorer/planner/acquire"
)

// errRecommend is wrapped by the errors of recommendations.
var errRecommend = errors.New("planner: nothing to recommend")

// Recommendation is the place with the best estimated outcome.
type Recommendation struct {
	X      []float64 // the place, m
	Mean   float64   // estimated outcome: posterior mean at N(X, Σ̂), unit of the values
	StdDev float64   // posterior standard deviation there
}

// Recommend names the set of places from which the best is recommended.
type Recommend string

const (
	RecommendTarget   Recommend = "target"   // the past targets (Alg. 1, line 5)
	RecommendAnywhere Recommend = "anywhere" // the whole space
)

// RecommendRequest is what a strategy needs for a recommendation.
type RecommendRequest struct {
	Model     *gp.GP          // posterior of all observations; not changed
	Members   fit.Mixture     // models of the same observations with other hyper-parameters, to average over; nil: Model alone
	Execution *mat.SymDense   // Σ̂, m²; nil: zero
	Place     acquire.Placing // P̂_x for a model of beliefs; nil: N(x, Σ̂)
	Targets   [][]float64     // of the samples in order, m
	Rng       *rand.Rand      // for the search of the space
}

// recommender makes the recommendations of a strategy.
type recommender struct {
	rule     Recommend
	searcher *acquire.Searcher // for RecommendAnywhere; else nil
}

// recommend returns the past target with the largest posterior mean under cov,
//
//	argmax over x_1 … x_n of μ̂_n(P̂_x),  P̂_x = N(x, Σ̂)               (Alg. 1, line 5)
//
// the first of equal ones, or the place of the whole space with the largest mean. cov is Σ̂;
// nil judges places as points. The search also starts at the best target, so it finds no
// worse place, and it considers only places that a path joins to that target. It is an
// error if there are no targets, a target is not finite or of another dimension, or Σ̂ is
// not a covariance.
func (a *recommender) recommend(q *RecommendRequest, cov *mat.SymDense) (Recommendation, error) {
	x, err := rows(q.Model.Dim(), q.Targets)
	if err != nil {
		return Recommendation{}, err
	}
	members := q.Members.Or(q.Model)
	belief, placed := func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: cov} }, q.Place != nil && cov != nil
	if placed {
		belief = q.Place
	}
	average := &acquire.Average{}
	for _, m := range members {
		var mean acquire.Acquisition
		if placed {
			mean = &acquire.PlacedUCB{Model: m.Model, Place: q.Place}
		} else {
			predictor, err := m.Model.NewPredictor(cov)
			if err != nil {
				return Recommendation{}, fmt.Errorf("%w: %w", errRecommend, err)
			}
			mean = &acquire.UCB{Predictor: predictor}
		}
		average.Of, average.Weight = append(average.Of, mean), append(average.Weight, m.Weight)
	}
	means := make([]float64, len(q.Targets))
	average.Values(means, x)
	index, err := largestMean(means)
	if err != nil {
		return Recommendation{}, err
	}
	best := slices.Clone(q.Targets[index])
	if a.rule == RecommendAnywhere {
		query := acquire.Query{
			Acquisition: average, LengthScales: q.Model.Hyper().LengthScales,
			Robot: best, Reach: acquire.Anywhere(), Starts: [][]float64{best}, Rng: q.Rng,
		}
		if len(members) == 1 {
			query.Acquisition = average.Of[0]
		}
		found, err := a.searcher.Maximise(query)
		if err != nil {
			return Recommendation{}, fmt.Errorf("%w: %w", errRecommend, err)
		}
		best = found.X
	}
	mean, variance := q.Members.Or(q.Model).Posterior(belief(best))
	return Recommendation{X: best, Mean: mean, StdDev: math.Sqrt(variance)}, nil
}

// rows returns the targets as the rows of a matrix.
func rows(dim int, targets [][]float64) (*mat.Dense, error) {
	if len(targets) == 0 {
		return nil, fmt.Errorf("%w: no target has been sampled", errRecommend)
	}
	x := mat.NewDense(len(targets), dim, nil)
	for i, target := range targets {
		x.SetRow(i, target)
	}
	return x, nil
}

// recommend returns the past target with the largest outcome as the method estimates it, the
// first of equal ones. The standard deviation is that at N(target, Σ̂).
func (v *AcquisitionMethod) recommend(q *RecommendRequest) (Recommendation, error) {
	x, err := rows(q.Model.Dim(), q.Targets)
	if err != nil {
		return Recommendation{}, err
	}
	means := make([]float64, len(q.Targets))
	if err := v.TargetMeans(means, q.Model, q.Execution, x); err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", errRecommend, err)
	}
	best, err := largestMean(means)
	if err != nil {
		return Recommendation{}, err
	}
	place := slices.Clone(q.Targets[best])
	_, variance := q.Model.Posterior(gp.Belief{Mean: place, Cov: q.Execution})
	return Recommendation{X: place, Mean: means[best], StdDev: math.Sqrt(variance)}, nil
}

// largestMean returns the index of the first of the largest means. It is an error if one is not finite.
func largestMean(means []float64) (int, error) {
	for i, mean := range means {
		if !num.Finite(mean) {
			return 0, fmt.Errorf("%w: the posterior mean at target %d of %d is %g, want a finite number", errRecommend, i+1, len(means), mean)
		}
	}
	return floats.MaxIdx(means), nil
}
