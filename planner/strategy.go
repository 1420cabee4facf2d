// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// ErrStrategy is wrapped by the errors about a strategy's name, and about a model with which it
// cannot decide.
var ErrStrategy = errors.New("planner: invalid strategy")

// Strategy chooses where to sample next. All strategies use the same model, search and
// space, so a comparison between them compares the choice alone. A Strategy is not safe
// for concurrent use. The same configuration, random numbers and requests give the same
// targets. A target that is not adopted does not influence later ones: the request holds
// the targets that were. The caller adds observations to the model in the [Method]'s Form.
type Strategy interface {
	// Next returns the next target. The error is an [*acquire.NoTargetError] if no place
	// may be chosen; any other says why the acquisition cannot be computed.
	Next(Request) (Target, error)

	// Recommend returns the best place after the samples so far, by the rule of the
	// configuration. The error wraps [errRecommend].
	Recommend(RecommendRequest) (Recommendation, error)
}

// Request is what a strategy needs for a decision.
type Request struct {
	Model     *gp.GP          // posterior of all observations so far; not changed
	Members   fit.Mixture     // models of the same observations with other hyper-parameters, to average over; nil: Model alone
	Execution *mat.SymDense   // Σ̂, m², covariance of the place reached about the target; nil: zero
	Place     acquire.Placing // P̂_x, for upper confidence bounds with a model of beliefs; nil: N(x, Σ̂)
	Step      int             // number of the decision, from 0
	Chosen    [][]float64     // adopted targets of the earlier decisions, in order; a grid chooses none of them again; may be nil
	Robot     []float64       // position of the robot, m; may be outside the space
	Reach     acquire.Reach   // which places may be chosen
	Price     float64         // ≥ 0, 1/m, price of a metre of path, in signal standard deviations σ_f of the model
	Pending   [][]float64     // targets that other robots are about to sample; searching strategies keep away from them; may be nil
	Starts    [][]float64     // further starts of the search; may be nil
	Rng       *rand.Rand      // random numbers of this decision
}

// Target is where to sample next, and why. With pending samples, the values are those of
// the model that holds them too.
type Target struct {
	X           []float64 // m; the caller may keep it
	Acquisition float64   // maximum of the acquisition; Mean for strategies without one
	Mean        float64   // posterior mean for a sample with this target, unit of the values
	StdDev      float64   // posterior standard deviation, unit of the values
	Beta        float64   // β; 0 if the method has none
	Length      float64   // length of the path from the robot, m
}

// StrategyConfig configures a strategy of any method.
type StrategyConfig struct {
	Beta          Schedule             // exploration weight of the UCB strategies
	Search        acquire.SearchConfig // of strategies with an acquisition
	GridPoints    int                  // ≥ 1, number of points of the even grid
	SpreadSamples int                  // ≥ 0, number of first samples that strategies with an acquisition spread over the space instead
	Recommend     Recommend            // set of places from which the best is recommended
	Objective     Objective            // methods that search use [acquire.Variance] for a map and [acquire.UCB] with a merit for a threshold, each under its own [Method]'s Form
	Level         float64              // of ObjectiveThreshold, unit of the values
}

// DefaultStrategyConfig returns settings for 30 samples of a field.
func DefaultStrategyConfig() StrategyConfig {
	return StrategyConfig{Beta: Fixed(2), Search: acquire.DefaultSearchConfig(), GridPoints: 30, Recommend: RecommendTarget, Objective: ObjectiveMaximum}
}

// common holds what all strategies share. It gives those without an acquisition function, whose
// model holds the beliefs of the localisation, their Recommend.
type common struct {
	space       field.Space
	filter      *acquire.Filter
	recommender *recommender
}

// Recommend judges places under Σ̂.
func (b *common) Recommend(q RecommendRequest) (Recommendation, error) {
	return b.recommender.recommend(&q, q.Execution)
}

// target describes x as the target of q, in a model of samples in the given form.
func (b *common) target(q *Request, x []float64, form SampleForm) Target {
	mean, variance := q.Model.Posterior(gp.Belief{Mean: x, Cov: form.QueryCov(q.Execution)})
	return Target{X: append([]float64(nil), x...), Acquisition: mean, Mean: mean, StdDev: math.Sqrt(variance), Length: b.filter.Length(x)}
}
