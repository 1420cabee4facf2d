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

// acquisitionOf returns the acquisition of the strategy under a model, and β, 0 if the method has
// none.
func (s *searchStrategy) acquisitionOf(model *gp.GP, q *Request) (acquire.Acquisition, float64, error) {
	cov := s.form.QueryCov(q.Execution)
	o := s.cfg.Objective
	if o == ObjectiveMap {
		lookahead, err := model.NewLookahead(cov, s.places)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
		}
		return &acquire.Variance{Lookahead: lookahead, Noise: model.Hyper().NoiseVariance + ownNoise(model)}, 0, nil
	}
	predictor, err := model.NewPredictor(cov)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	if s.custom != nil && o != ObjectiveThreshold {
		acquisition, err := s.custom.Acquisition(&ModelContext{Model: model, Predictor: predictor, Execution: q.Execution})
		return acquisition, 0, err
	}
	beta := s.cfg.Beta.Beta(q.Step, model)
	if !num.Finite(beta) {
		return nil, 0, fmt.Errorf("%w: β is %g because the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, model.InformationGain())
	}
	if s.placed(q) {
		return &acquire.PlacedUCB{Model: model, Beta: beta, Place: q.Place}, beta, nil
	}
	ucb := &acquire.UCB{Predictor: predictor, Beta: beta}
	if o == ObjectiveThreshold {
		ucb.Merit = o.Merit(s.cfg.Level)
	}
	return ucb, beta, nil
}
