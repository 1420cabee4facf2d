package planner

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// StrategyInfo describes a strategy.
type StrategyInfo struct {
	Name, Description string
	Data              Data
	Weighted          bool // the exploration weight β has a part
	Plain             bool // takes its inputs for exact: nothing is added to the noise for their uncertainty
}

// method is an entry of the list of strategies.
type method struct {
	StrategyInfo
	make func(m *method, base baseline, cfg StrategyConfig, rng *rand.Rand) (Strategy, error)
}

var methods = []method{
	{StrategyInfo{"ugp-ucb", "upper confidence bound of the expected value where the robot probably ends up", DataBelief, true, false}, searching(ruleUCB)},
	{StrategyInfo{"ugp-ucb-target", "the same with samples placed by their targets and the execution noise", DataTargetBelief, true, false}, searching(ruleUCB)},
	{StrategyInfo{"igp-ucb", "upper confidence bound of a plain Gaussian process over targets, the execution noise counted as noise", DataTarget, true, false}, searching(ruleUCB)},
	{StrategyInfo{"igp-ucb-mean", "the same with samples where the localisation has them, its noise counted as noise", DataMean, true, false}, searching(ruleUCB)},
	{StrategyInfo{"uei", "unscented expected improvement over the best expected value of a target", DataTarget, false, false}, searching(ruleUEI)},
	{StrategyInfo{"uei-noisy", "unscented expected improvement over the largest value observed", DataTarget, false, false}, searching(ruleUEINoisy)},
	{StrategyInfo{"uei-mean", "unscented expected improvement with samples where the localisation has them", DataMean, false, false}, searching(ruleUEI)},
	{StrategyInfo{"ei", "expected improvement of a plain Gaussian process: targets and samples as points", DataMean, false, true}, searching(ruleEI)},
	{StrategyInfo{"gp-ucb", "upper confidence bound of a plain Gaussian process: targets and samples as points", DataMean, true, true}, searching(ruleUCB)},
	{StrategyInfo{"ugp-ei", "expected improvement of the expected value where the robot probably ends up, over the highest of the field", DataBelief, false, false}, searching(ruleEIAnywhere)},
	{StrategyInfo{"ugp-aei", "the same, augmented: less where a sample is mostly noise", DataBelief, false, false}, searching(ruleAEI)},
	{StrategyInfo{"ugp-kg", "knowledge gradient: by how much a sample is expected to better the place recommended after it", DataBelief, false, false}, searching(ruleKG)},
	{StrategyInfo{"random", "uniformly random targets", DataBelief, false, false},
		func(_ *method, base baseline, _ StrategyConfig, _ *rand.Rand) (Strategy, error) {
			return &randomStrategy{base}, nil
		}},
	{StrategyInfo{"grid", "an even grid, row by row", DataBelief, false, false},
		func(_ *method, base baseline, cfg StrategyConfig, _ *rand.Rand) (Strategy, error) {
			return &gridStrategy{baseline: base, points: base.space.Grid(cfg.GridPoints)}, nil
		}},
}

// searching returns the maker of a strategy that maximises an acquisition.
func searching(r rule) func(*method, baseline, StrategyConfig, *rand.Rand) (Strategy, error) {
	return func(m *method, base baseline, cfg StrategyConfig, rng *rand.Rand) (Strategy, error) {
		s, err := NewSearcher(base.space, cfg.Search, rng)
		if err != nil {
			return nil, err
		}
		out := &searchStrategy{name: m.Name, rule: r, data: m.Data, cfg: cfg, base: base, searcher: s}
		if r == ruleKG || r == ruleAEI || r == ruleEIAnywhere || cfg.Spread > 0 || cfg.Objective == ObjectiveMap {
			out.places = base.space.Points(spacePlaces, rng)
		}
		return out, nil
	}
}

// Strategies lists the strategies that NewStrategy makes.
func Strategies() []StrategyInfo {
	list := make([]StrategyInfo, len(methods))
	for i, m := range methods {
		list[i] = m.StrategyInfo
	}
	return list
}

// StrategyNamed returns the description of a strategy. The error, which wraps
// [ErrStrategy], names those that there are.
func StrategyNamed(name string) (StrategyInfo, error) {
	m, err := methodNamed(name)
	if err != nil {
		return StrategyInfo{}, err
	}
	return m.StrategyInfo, nil
}

func methodNamed(name string) (*method, error) {
	names := make([]string, len(methods))
	for i := range methods {
		if methods[i].Name == name {
			return &methods[i], nil
		}
		names[i] = methods[i].Name
	}
	return nil, fmt.Errorf("%w: there is no %q, want one of %s", ErrStrategy, name, strings.Join(names, ", "))
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
	m, err := methodNamed(name)
	if err != nil {
		return nil, err
	}
	adviser := &adviser{rule: cfg.Recommend}
	s, err := m.make(m, baseline{space: space, filter: newFilter(space), adviser: adviser}, cfg, rng)
	if err != nil {
		return nil, err
	}
	if cfg.Objective == ObjectiveMinimum {
		s = minimising{s}
	}
	// Last, so that a strategy's targets do not hang on what it recommends.
	return s, adviser.prepare(space, cfg.Search, rng)
}
