// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"errors"
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
)

// believe replaces the models of a request by models that also hold the pending samples,
// each with its expected value at N(x, Σ̂), in the given form. (The request's
// [acquire.Placing] does not apply: it is for the paths of this robot.) The means stay the
// same, but the variances near the pending targets fall, which makes other places more
// attractive. That is GP-BUCB without its larger β (Desautels, Krause and Burdick, JMLR
// 2014, Alg. 1), and with an expected improvement the kriging believer (Ginsbourger, Le
// Riche and Carraro 2010). Each of several models uses its own expectation. The noise
// variance of a pending sample is the mean of those of the observations, 0 before the
// first.
func (q *Request) believe(form SampleForm) error {
	if len(q.Pending) == 0 {
		return nil
	}
	var err error
	if q.Model, err = q.believed(q.Model, form); err != nil {
		return err
	}
	members := make(fit.Mixture, len(q.Members))
	for i, m := range q.Members {
		if members[i].Model, err = q.believed(m.Model, form); err != nil {
			return err
		}
		members[i].Weight = m.Weight
	}
	q.Members = members
	return nil
}

// believed returns a copy of the model that also holds the pending samples.
func (q *Request) believed(model *gp.GP, form SampleForm) (*gp.GP, error) {
	model = model.Clone()
	noise := ownNoise(model)
	for i, x := range q.Pending {
		place := form.Input(gp.Belief{Mean: x, Cov: q.Execution}, x, q.Execution)
		mean, _ := model.Posterior(place)
		err := model.Add(gp.Observation{Belief: place, Value: mean, NoiseVariance: noise})
		if known := (*gp.IllConditionedError)(nil); errors.As(err, &known) {
			continue // without noise, a sample at a known place adds nothing
		}
		if err != nil {
			return nil, fmt.Errorf("%w: Pending[%d]: %w", ErrStrategy, i, err)
		}
	}
	return model, nil
}
