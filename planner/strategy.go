package planner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// ErrStrategy is wrapped by the errors about a strategy's name, configuration or
// request.
var ErrStrategy = errors.New("planner: invalid strategy")

// Strategy chooses where to sample next. Strategies share model, search and
// space, so that a comparison between them compares the choice alone. One is for
// one goroutine. With the same configuration, random numbers and requests it
// gives the same targets.
type Strategy interface {
	// Name returns the name by which NewStrategy makes it.
	Name() string

	// PointInputs reports whether the strategy takes observations to have been
	// made at points: the caller then stores them as points in its model.
	PointInputs() bool

	// Next returns the next target. Its error is a *NoTargetError when no place
	// may be chosen, and otherwise says what of the request is wrong.
	Next(Request) (Target, error)
}

// Request is what a strategy needs to know at a decision.
type Request struct {
	Model     *gp.GP        // all observations so far; not changed
	Execution *mat.SymDense // Σ̂, m², how far off its target the robot ends up; nil: not at all
	Step      int           // number of the decision, from 0
	Robot     []float64     // where the robot is, m; may be outside the space
	Reach     Reach         // what may be chosen
	Starts    [][]float64   // further places to start the search from; may be nil
	Rng       *rand.Rand    // the decision's random numbers
}

// Target is where to sample next, and what speaks for it.
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
	Beta         Schedule     // exploration weight of the two UCB strategies
	TravelWeight float64      // ≥ 0, 1/m, what a metre of way takes off the acquisition, in signal deviations σ_f of the model
	Search       SearchConfig // of the two UCB strategies
	GridPoints   int          // ≥ 1, number of points of the even grid
}

// DefaultStrategyConfig returns settings for 30 samples of a field.
func DefaultStrategyConfig() StrategyConfig {
	return StrategyConfig{Beta: Fixed(2), Search: DefaultSearchConfig(), GridPoints: 30}
}

// Validate returns an error that names the first field out of its range. It
// wraps [ErrStrategy], [ErrSchedule] or [ErrSearch].
func (c StrategyConfig) Validate() error {
	if c.Beta == nil {
		return fmt.Errorf("%w: Beta is not given", ErrStrategy)
	}
	if err := c.Beta.Validate(); err != nil {
		return err
	}
	if !finite(c.TravelWeight) || c.TravelWeight < 0 {
		return fmt.Errorf("%w: TravelWeight is %g, want a finite number ≥ 0", ErrStrategy, c.TravelWeight)
	}
	if c.GridPoints < 1 || c.GridPoints > 1e5 {
		return fmt.Errorf("%w: GridPoints is %d, want 1 to 100000", ErrStrategy, c.GridPoints)
	}
	return c.Search.Validate()
}

// StrategyInfo describes a strategy for people.
type StrategyInfo struct {
	Name, Description string
}

// Strategies lists the strategies that NewStrategy makes.
func Strategies() []StrategyInfo {
	return []StrategyInfo{
		{"ugp-ucb", "upper confidence bound of the expected value where the robot probably ends up"},
		{"gp-ucb", "upper confidence bound of a plain Gaussian process: targets and samples as points"},
		{"random", "uniformly random targets"},
		{"grid", "an even grid, row by row"},
	}
}

// NewStrategy makes the strategy of the given name over space. rng serves at
// once and is not kept.
func NewStrategy(name string, space Space, cfg StrategyConfig, rng *rand.Rand) (Strategy, error) {
	if space == nil || rng == nil {
		return nil, fmt.Errorf("%w: space and random source must be given", ErrStrategy)
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	base := baseline{space: space, filter: newFilter(space)}
	switch name {
	case "ugp-ucb", "gp-ucb":
		s, err := NewSearcher(space, cfg.Search, rng)
		if err != nil {
			return nil, err
		}
		return &ucbStrategy{name: name, points: name == "gp-ucb", cfg: cfg, base: base, searcher: s}, nil
	case "random":
		return &randomStrategy{base}, nil
	case "grid":
		return &gridStrategy{baseline: base, points: space.Grid(cfg.GridPoints)}, nil
	}
	names := make([]string, 0, 4)
	for _, s := range Strategies() {
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%w: there is no %q, want one of %s", ErrStrategy, name, strings.Join(names, ", "))
}

func (q *Request) validate(dim int) error {
	switch {
	case q.Model == nil || q.Rng == nil:
		return fmt.Errorf("%w: model and random source must be given", ErrStrategy)
	case q.Model.Dim() != dim:
		return fmt.Errorf("%w: the model has %s, the space %d", ErrStrategy, count(q.Model.Dim(), "dimension"), dim)
	case q.Step < 0:
		return fmt.Errorf("%w: Step is %d, want ≥ 0", ErrStrategy, q.Step)
	}
	belief := gp.Belief{Mean: q.Robot, Cov: q.Execution}
	if err := finitePoint(ErrStrategy, "Robot", q.Robot, dim); err != nil {
		return err
	}
	if err := belief.Validate(dim); err != nil {
		return fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	return q.Reach.validate(dim)
}

// baseline is what strategies without an acquisition function share.
type baseline struct {
	space  Space
	filter *filter
}

// target describes x as the target of q.
func (b *baseline) target(q *Request, x []float64) Target {
	mean, variance := q.Model.Posterior(gp.Belief{Mean: x, Cov: q.Execution})
	return Target{X: append([]float64(nil), x...), Acquisition: mean, Mean: mean, StdDev: math.Sqrt(variance), Length: b.filter.there.Length(x)}
}
