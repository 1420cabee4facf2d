// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// Method is a method of choosing targets, with a name and a constructor of its [Strategy].
type Method struct {
	Name, Description string

	Form     SampleForm // the form in which a sample enters the model
	Weighted bool       // the method uses the exploration weight β
	Plain    bool       // inputs count as exact: their uncertainty adds nothing to the noise

	make func(*Method, common, StrategyConfig, *rand.Rand) Strategy
}

// Searching returns m with a strategy that maximises an acquisition over the space: that of a
// custom, or the upper confidence bound if that is nil.
func Searching(m Method, custom *AcquisitionMethod) Method {
	m.make = func(m *Method, base common, cfg StrategyConfig, rng *rand.Rand) Strategy {
		return newSearchStrategy(m, base, custom, cfg, rng)
	}
	return m
}

// Catalogue lists the methods that a mission may choose by name.
type Catalogue []Method

// LinesApart is the distance between the lines of method "lines", divided by the distance between samples on a line.
const LinesApart = 2

// Robot returns the catalogue for use on a robot: uGP-UCB, the plain Gaussian process to
// compare it with, and methods that need no model. The rivals from the literature are in package
// sim/experiment/paper.
func Robot() Catalogue {
	return Catalogue{
		Searching(Method{
			Name: "ugp-ucb", Description: "upper confidence bound of the expected value, over the places where the robot may end up",
			Form: formBelief, Weighted: true,
		}, nil),
		Searching(Method{
			Name: "gp-ucb", Description: "upper confidence bound of a plain Gaussian process: targets and samples as points",
			Form: FormMean, Weighted: true, Plain: true,
		}, nil),
		{
			Name: "random", Description: "uniformly random targets", Form: formBelief,
			make: func(_ *Method, base common, _ StrategyConfig, _ *rand.Rand) Strategy {
				return &randomStrategy{base}
			},
		},
		{
			Name: "grid", Description: "an even grid, row by row", Form: formBelief,
			make: func(_ *Method, base common, cfg StrategyConfig, _ *rand.Rand) Strategy {
				return &gridStrategy{common: base, points: base.space.Grid(cfg.GridPoints, 1)}
			},
		},
		{
			Name: "lines", Description: "parallel lines, twice as far apart as the samples on them", Form: formBelief,
			make: func(_ *Method, base common, cfg StrategyConfig, _ *rand.Rand) Strategy {
				return &gridStrategy{common: base, points: base.space.Grid(cfg.GridPoints, LinesApart)}
			},
		},
	}
}

// MethodNames returns the names of the methods in order.
func (c Catalogue) MethodNames() []string {
	names := make([]string, len(c))
	for i, m := range c {
		names[i] = m.Name
	}
	return names
}

// Method returns the method with the given name. The error wraps [ErrStrategy] and lists
// the known names.
func (c Catalogue) Method(name string) (*Method, error) {
	if i := slices.Index(c.MethodNames(), name); i >= 0 {
		return &c[i], nil
	}
	return nil, fmt.Errorf("%w: no method %q, want one of %s", ErrStrategy, name, strings.Join(c.MethodNames(), ", "))
}

// NewStrategy returns the method's strategy over space. It draws from rng at once and does
// not keep it.
func (m *Method) NewStrategy(space field.Space, cfg StrategyConfig, rng *rand.Rand) Strategy {
	recommender := &recommender{rule: cfg.Recommend}
	s := m.make(m, common{space: space, filter: acquire.NewFilter(space), recommender: recommender}, cfg, rng)
	if cfg.Objective == ObjectiveMinimum {
		s = minimising{s}
	}
	if cfg.Recommend == RecommendAnywhere { // last, so that the targets do not depend on how places are recommended
		recommender.searcher = acquire.NewSearcher(space, cfg.Search, rng)
	}
	return s
}
