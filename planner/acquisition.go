// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/planner/acquire"
)

// spacePlaces is the number of places that represent the whole space. In a square of ten
// by ten length-scales they lie half a length-scale apart.
const spacePlaces = 400

// acquisitionOf returns the acquisition of the strategy under a model, which is that of the given member, and β, 0 if the method has
// none.
func (s *searchStrategy) acquisitionOf(model *gp.GP, member int, q *Request) (acquire.Acquisition, float64, error) {
	cov := s.form.QueryCov(q.Execution)
	o := s.cfg.Objective
	if o == ObjectiveMap {
		lookahead, err := model.NewLookahead(cov, s.places)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
		}
		return &acquire.Variance{Lookahead: lookahead, Noise: model.Hyper().NoiseVariance + ownNoise(model)}, 0, nil
	}
	if member == len(s.bounds) {
		s.bounds = append(s.bounds, &acquire.UCB{Predictor: &gp.Predictor{}})
	}
	bound := s.bounds[member]
	if err := bound.Predictor.Reset(model, cov); err != nil {
		return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	if s.custom != nil && o != ObjectiveThreshold {
		acquisition, err := s.custom.Acquisition(&ModelContext{Model: model, Predictor: bound.Predictor, Execution: q.Execution})
		return acquisition, 0, err
	}
	beta := s.cfg.Beta.Beta(q.Step, model)
	if !num.Finite(beta) {
		return nil, 0, fmt.Errorf("%w: β is %g because the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, model.InformationGain())
	}
	if s.placed(q) {
		return &acquire.PlacedUCB{Model: model, Beta: beta, Place: q.Place}, beta, nil
	}
	bound.Beta = beta
	if o == ObjectiveThreshold {
		bound.Merit = o.Merit(s.cfg.Level)
	}
	return bound, beta, nil
}
