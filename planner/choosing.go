package planner

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// Chooser chooses the targets of a method that does not maximise an acquisition over the
// space, such as one that plans a tour of several targets. It is not safe for concurrent use.
type Chooser interface {
	// Choose returns a place that the filter passes. The filter is that of the request. The
	// error is an [*acquire.NoTargetError] if no place may be chosen.
	Choose(q *Request, filter *acquire.Filter) ([]float64, error)
}

// Allowance is what a mission may still spend on a path through several targets.
type Allowance struct {
	// Samples is the number of samples still to be taken: what is left of the budget or, with
	// a budget of distance or time alone, what is expected. 0: not limited, or not known.
	Samples int

	// Path returns the length of the longest path through so many targets and from there
	// home, m. For one target it is [acquire.Reach]'s Range. nil: Range, however many.
	Path func(samples int) float64
}

// Choosing returns m with a strategy that asks a chooser for its targets. It looks for the
// maximum or the minimum. newChooser may draw from its random source, but must not keep it.
func Choosing(m Method, newChooser func(field.Space, StrategyConfig, *rand.Rand) (Chooser, error)) Method {
	m.make = func(m *Method, base common, cfg StrategyConfig, rng *rand.Rand) (Strategy, error) {
		if o := cfg.Objective; o != ObjectiveMaximum && o != ObjectiveMinimum {
			return nil, fmt.Errorf("%w: Objective is %q, and method %s only looks for a %s or a %s", ErrStrategy, o, m.Name, ObjectiveMaximum, ObjectiveMinimum)
		}
		chooser, err := newChooser(base.space, cfg, rng)
		return &choosingStrategy{common: base, method: m, chooser: chooser}, err
	}
	return m
}

// choosingStrategy visits the places that a chooser chooses.
type choosingStrategy struct {
	common
	method  *Method
	chooser Chooser
}

var _ Strategy = (*choosingStrategy)(nil)

func (s *choosingStrategy) Name() string     { return s.method.Name }
func (s *choosingStrategy) Form() SampleForm { return s.method.Form }

func (s *choosingStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.space.Dim()); err != nil {
		return Target{}, err
	}
	if err := q.believe(s.method.Form); err != nil {
		return Target{}, err
	}
	s.filter.Begin(q.Robot, q.Reach)
	x, err := s.chooser.Choose(&q, s.filter)
	if err != nil {
		return Target{}, err
	}
	mean, variance := q.Members.Or(q.Model).Posterior(gp.Belief{Mean: x, Cov: s.method.Form.QueryCov(q.Execution)})
	return Target{X: x, Acquisition: mean, Mean: mean, StdDev: math.Sqrt(variance), Length: s.filter.Length(x)}, nil
}

// Recommend judges places as points if samples enter the model as points, else under Σ̂.
func (s *choosingStrategy) Recommend(q Inquiry) (Recommendation, error) {
	return s.adviser.recommend(&q, s.method.Form.QueryCov(q.Execution))
}
