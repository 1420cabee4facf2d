package planner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/internal/valid"
)

// ErrStrategy is wrapped by the errors about a strategy's name, configuration or
// request.
var ErrStrategy = errors.New("planner: invalid strategy")

// Strategy chooses where to sample next. Strategies share model, search and
// space, so that a comparison between them compares the choice alone. One is for
// one goroutine. With the same configuration, random numbers and requests it
// gives the same targets. A choice that nobody acts on changes none of the next
// ones: what was chosen and adopted is part of the request.
type Strategy interface {
	// Name returns the name of its [Method].
	Name() string

	// Data returns the form in which the caller adds observations to the model.
	Data() Data

	// Next returns the next target. Its error is a *NoTargetError when no place
	// may be chosen, and otherwise says what of the request is wrong.
	Next(Request) (Target, error)

	// Recommend returns the place to name as the best after the samples so far, by
	// the configuration's rule. Its error wraps [ErrRecommend].
	Recommend(Inquiry) (Recommendation, error)
}

// Request is what a strategy needs to know at a decision.
type Request struct {
	Model     *gp.GP          // all observations so far; not changed
	Members   []gp.Member     // models of the same observations that stand for what is open of the hyper-parameters; nil: Model alone
	Execution *mat.SymDense   // Σ̂, m², how far off its target the robot ends up; nil: not at all
	Place     acquire.Placing // P̂_x, in place of N(x, Σ̂), for upper confidence bounds of the value over beliefs; nil: N(x, Σ̂)
	Step      int             // number of the decision, from 0
	Chosen    [][]float64     // targets of the earlier decisions that were adopted, in order: a grid goes on behind them; may be nil
	Robot     []float64       // where the robot is, m; may be outside the space
	Reach     acquire.Reach   // what may be chosen
	Pending   [][]float64     // targets of samples under way, of other robots or of a [Batch]: strategies that search keep away from them; may be nil
	Starts    [][]float64     // further places to start the search from; may be nil
	Rng       *rand.Rand      // the decision's random numbers
}

// Target is where to sample next, and what speaks for it. With samples pending that is
// what the model says that takes them as taken.
type Target struct {
	X           []float64 // m; the caller's
	Acquisition float64   // value maximised; Mean for strategies that maximise none
	Mean        float64   // posterior mean for a sample with this target, unit of the values
	StdDev      float64   // posterior deviation, unit of the values
	Beta        float64   // β used; 0 where it has no part
	Length      float64   // way from the robot, m
}

// StrategyConfig holds what all strategies are made from.
type StrategyConfig struct {
	Beta         Schedule             // exploration weight of the UCB strategies
	TravelWeight float64              // ≥ 0, 1/m, what a metre of way takes off the acquisition, in signal deviations σ_f of the model
	Search       acquire.SearchConfig // of the strategies with an acquisition
	GridPoints   int                  // ≥ 1, number of points of the even grid
	Spread       int                  // ≥ 0, of the first samples so many are spread over the space by the strategies with an acquisition
	Recommend    Recommend            // from which places the best is recommended
	Objective    Objective            // with map every method that searches maximises a [acquire.Variance], with threshold a [acquire.Bound], on its own kind of data
	Level        float64              // of ObjectiveThreshold, unit of the values
}

// DefaultStrategyConfig returns settings for 30 samples of a field.
func DefaultStrategyConfig() StrategyConfig {
	return StrategyConfig{Beta: Fixed(2), Search: acquire.DefaultSearchConfig(), GridPoints: 30, Recommend: RecommendTarget, Objective: ObjectiveMaximum}
}

// Validate returns an error that names the first field out of its range. It
// wraps [ErrStrategy], [ErrSchedule] or [acquire.ErrSearch].
func (c StrategyConfig) Validate() error {
	if c.Beta == nil {
		return fmt.Errorf("%w: Beta is not given", ErrStrategy)
	}
	if err := c.Beta.Validate(); err != nil {
		return err
	}
	if !valid.Finite(c.TravelWeight) || c.TravelWeight < 0 {
		return fmt.Errorf("%w: TravelWeight is %g, want a finite number ≥ 0", ErrStrategy, c.TravelWeight)
	}
	if c.GridPoints < 1 || c.GridPoints > 1e5 {
		return fmt.Errorf("%w: GridPoints is %d, want 1 to 100000", ErrStrategy, c.GridPoints)
	}
	if c.Spread < 0 {
		return fmt.Errorf("%w: Spread is %d, want ≥ 0", ErrStrategy, c.Spread)
	}
	if !slices.Contains(Recommends(), c.Recommend) {
		return fmt.Errorf("%w: Recommend is %q, want one of %v", ErrStrategy, c.Recommend, Recommends())
	}
	if err := c.Objective.validate(c.Level); err != nil {
		return err
	}
	return c.Search.Validate()
}

func (q *Request) validate(dim int) error {
	switch {
	case q.Model == nil || q.Rng == nil:
		return fmt.Errorf("%w: model and random source must be given", ErrStrategy)
	case q.Model.Dim() != dim:
		return fmt.Errorf("%w: the model has %s, the space %d", ErrStrategy, valid.Count(q.Model.Dim(), "dimension"), dim)
	case q.Step < 0:
		return fmt.Errorf("%w: Step is %d, want ≥ 0", ErrStrategy, q.Step)
	}
	belief := gp.Belief{Mean: q.Robot, Cov: q.Execution}
	if err := valid.FinitePoint(ErrStrategy, q.Robot, dim, "Robot"); err != nil {
		return err
	}
	if err := belief.Validate(dim); err != nil {
		return fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	for i, x := range q.Pending {
		if err := valid.FinitePoint(ErrStrategy, x, dim, "Pending[%d]", i); err != nil {
			return err
		}
	}
	return q.Reach.Validate(dim)
}

// common is what strategies without an acquisition function share.
type common struct {
	space   field.Space
	filter  *acquire.Filter
	adviser *adviser
}

// Data returns the distributions of the localisation: what the model of the
// samples is, does not follow from how targets are drawn.
func (b *common) Data() Data { return DataBelief }

// Recommend judges places under Σ̂.
func (b *common) Recommend(q Inquiry) (Recommendation, error) {
	return b.adviser.recommend(&q, q.Execution)
}

// target describes x as the target of q, in a model of the given data.
func (b *common) target(q *Request, x []float64, data Data) Target {
	mean, variance := q.Model.Posterior(gp.Belief{Mean: x, Cov: data.Judge(q.Execution)})
	return Target{X: append([]float64(nil), x...), Acquisition: mean, Mean: mean, StdDev: math.Sqrt(variance), Length: b.filter.Length(x)}
}
