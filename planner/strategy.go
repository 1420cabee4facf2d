package planner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/internal/valid"
)

// ErrStrategy is wrapped by the errors about the name, the configuration or a request of a
// strategy.
var ErrStrategy = errors.New("planner: invalid strategy")

// Strategy chooses where to sample next. All strategies use the same model, search and
// space, so a comparison between them compares the choice alone. A Strategy is not safe
// for concurrent use. The same configuration, random numbers and requests give the same
// targets. A target that is not adopted does not influence later ones: the request holds
// the targets that were. The caller adds observations to the model in the [Method]'s Form.
type Strategy interface {
	// Next returns the next target. The error is an [*acquire.NoTargetError] if no place
	// may be chosen; any other error reports an invalid request.
	Next(Request) (Target, error)

	// Recommend returns the best place after the samples so far, by the rule of the
	// configuration. The error wraps [errRecommend].
	Recommend(Inquiry) (Recommendation, error)
}

// Request is what a strategy needs for a decision.
type Request struct {
	Model     *gp.GP          // posterior of all observations so far; not changed
	Members   fit.Mixture     // models of the same observations with other hyper-parameters, to average over; nil: Model alone
	Execution *mat.SymDense   // Σ̂, m², covariance of the place reached about the target; nil: zero
	Place     acquire.Placing // P̂_x, for upper confidence bounds with a model of beliefs; nil: N(x, Σ̂)
	Step      int             // number of the decision, from 0
	Chosen    [][]float64     // adopted targets of the earlier decisions, in order; a grid continues after them; may be nil
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

// validate returns an error that names the first field outside its range. It wraps
// [ErrStrategy], [ErrSchedule] or [acquire.ErrSearch].
func (c StrategyConfig) validate() error {
	if c.Beta == nil {
		return fmt.Errorf("%w: Beta is not given", ErrStrategy)
	}
	if err := c.Beta.Validate(); err != nil {
		return err
	}
	if c.GridPoints < 1 || c.GridPoints > 1e5 {
		return fmt.Errorf("%w: GridPoints is %d, want 1 to 100000", ErrStrategy, c.GridPoints)
	}
	if c.SpreadSamples < 0 {
		return fmt.Errorf("%w: SpreadSamples is %d, want ≥ 0", ErrStrategy, c.SpreadSamples)
	}
	if !slices.Contains(recommendRules(), c.Recommend) {
		return fmt.Errorf("%w: Recommend is %q, want one of %v", ErrStrategy, c.Recommend, recommendRules())
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
	case !valid.Finite(q.Price) || q.Price < 0:
		return fmt.Errorf("%w: Price is %g, want a finite number ≥ 0", ErrStrategy, q.Price)
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

// common holds what all strategies share. It gives those without an acquisition function, whose
// model holds the beliefs of the localisation, their Recommend.
type common struct {
	space   field.Space
	filter  *acquire.Filter
	adviser *adviser
}

// Recommend judges places under Σ̂.
func (b *common) Recommend(q Inquiry) (Recommendation, error) {
	return b.adviser.recommend(&q, q.Execution)
}

// target describes x as the target of q, in a model of samples in the given form.
func (b *common) target(q *Request, x []float64, form SampleForm) Target {
	mean, variance := q.Model.Posterior(gp.Belief{Mean: x, Cov: form.QueryCov(q.Execution)})
	return Target{X: append([]float64(nil), x...), Acquisition: mean, Mean: mean, StdDev: math.Sqrt(variance), Length: b.filter.Length(x)}
}
