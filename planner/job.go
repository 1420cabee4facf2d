// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"slices"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field/localizability"
)

// TargetRequest is a request for a target.
type TargetRequest struct {
	Robot   []float64     // where the robot is, m
	Reach   acquire.Reach // what may be chosen
	Price   float64       // ≥ 0, 1/m, price of a metre of path, in signal standard deviations σ_f of the model
	Pending [][]float64   // targets of samples under way, of other robots
}

// Job is one round of learning and deciding, on a snapshot of what an [Optimizer] knows.
// Run uses nothing of the optimiser that changes, so that it may run on another goroutine.
// Only one job of an optimiser may run at a time: they share the strategy's workspace.
type Job struct {
	o        *setup
	samples  []gp.Observation
	allHeard []gp.Observation // of the second quantity
	targets  [][]float64
	eligible [][]float64
	arrivals []execution.Arrival
	start    gp.Hyper
	old      *gp.GP // posterior of the first of the samples under start; nil: all are to be added
	resumed  bool   // start was fitted to these samples in an earlier run
	step     int    // decisions carried out so far
	chosen   [][]float64
	request  *TargetRequest              // nil: no target is wanted
	expected *localizability.Expectation // of the robot's localisation; nil: nothing is known

	members fit.Mixture // models under other likely hyper-parameters, over which decisions are averaged; nil: the posterior alone
	aimed   *gp.GP      // the posterior moved by the bias, as a function of the target; the posterior itself without a bias

	Learnt          // what was learnt
	Target   Target // where to sample next
	NoTarget error  // why there is no target; wraps [acquire.ErrNoTarget] when no place may be chosen
	Err      error  // why nothing was learnt
}

// Request returns the request for a target; nil: the job only learns.
func (j *Job) Request() *TargetRequest { return j.request }

// Run learns the hyper-parameters and the execution noise where they are due, computes
// the posterior, chooses the next target when one is wanted, and recommends the best place so far.
func (j *Job) Run() {
	if j.Err = j.learn(); j.Err != nil {
		return
	}
	o := j.o
	j.Beta = o.cfg.Strategy.Beta.Beta(j.step, j.Posterior)
	j.aimed = j.moved(j.Posterior)
	place := j.ExecutionNoise.Placing()
	if j.request != nil {
		j.Target, j.NoTarget = o.strategy.Next(Request{
			Model: j.aimed, Members: j.movedAll(j.members), Execution: j.ExecutionNoise.Cov, Place: place,
			Step: j.step, Chosen: j.chosen, Robot: j.request.Robot, Reach: j.request.Reach, Price: j.request.Price, Pending: j.request.Pending,
			Rng: o.cfg.Random(StreamSearch, j.step),
		})
		if o.cfg.RecommendLast && j.NoTarget == nil {
			return
		}
	}
	if j.Err = j.mix(); j.Err != nil || len(j.eligible) == 0 {
		return
	}
	j.Best, j.Err = o.strategy.Recommend(RecommendRequest{
		Model: j.aimed, Members: j.movedAll(j.Mixture), Execution: j.ExecutionNoise.Cov, Place: place, Targets: j.eligible,
		Rng: o.cfg.Random(StreamRecommend, len(j.samples)),
	})
}

// learn sets all that targets depend on: everything that is learnt, except the recommendation and the rough model.
func (j *Job) learn() error {
	if err := j.learnAim(); err != nil {
		return err
	}
	if err := j.learnSecondary(); err != nil {
		return err
	}
	if err := j.learnHyper(); err != nil {
		return err
	}
	err := j.average()
	j.Mixture = j.members.Or(j.Posterior)
	j.Correlation.Mean, j.Correlation.StdDev = j.Mixture.Correlation()
	return err
}

// learnHyper sets the hyper-parameters and their posterior.
func (j *Job) learnHyper() (err error) {
	j.Hyper = j.start
	if !j.Fitted && j.old != nil {
		j.Posterior = j.old.Clone()
		return j.Posterior.AddAll(j.samples[j.old.Len():])
	}
	o := j.o
	if j.Fitted {
		if len(j.samples) == 1 { // nothing to fit yet: the one value is all that is known of the mean
			j.Hyper.Mean = j.samples[0].Value
		}
		fitting := o.fitting
		if len(j.samples) > averageMost { // the samples have said which kernel, and the last fit is not far off
			fitting = o.fittingOf(j.Hyper.Kind)
		}
		j.Hyper, err = fit.Hyper(j.samples, j.Hyper, fitting, o.cfg.Random(streamFit, len(j.samples)))
		if err != nil {
			return err
		}
	}
	j.Posterior, err = j.posterior(j.Hyper)
	return err
}

// posterior returns a model of all samples.
func (j *Job) posterior(h gp.Hyper) (*gp.GP, error) {
	g, err := gp.NewSparse(h, j.o.limits)
	if err != nil {
		return nil, err
	}
	return g, g.AddAll(j.samples)
}

// average sets the members.
func (j *Job) average() error {
	o, n := j.o, len(j.samples)
	if !j.Fitted && !j.resumed || o.cfg.Model.Average < 2 {
		return nil
	}
	var hypers []fit.Weighted
	var err error
	rng := o.cfg.Random(streamAverage, n)
	switch {
	case n <= averageMost:
		hypers, err = fit.Average(j.samples, j.Hyper, o.fitting, o.cfg.Model.Average, rng)
	case j.Hyper.Secondary != nil:
		hypers, err = fit.Correlations(j.samples, j.Hyper, o.fitting, rng)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	j.members, err = fit.NewMixture(j.samples, hypers)
	return err
}

// mix adds the rough model to the mixture. That is fitted from the hyper-parameters of the posterior on, which a mission that is resumed
// knows, and not from those of the last rough model, which it does not know.
func (j *Job) mix() error {
	o, n := j.o, len(j.samples)
	if !o.cfg.Model.averagesKernels(n) {
		return nil
	}
	start := j.Hyper
	start.Kind = roughest
	h, err := fit.Hyper(j.samples, start, o.fittingOf(roughest), o.cfg.Random(streamRough, n))
	if err != nil {
		return err
	}
	rough, err := j.posterior(h)
	if err != nil {
		return err
	}
	mixture := fit.Mixture{{Model: rough, Weight: roughWeight}}
	for _, m := range j.Mixture {
		mixture = append(mixture, fit.Member{Model: m.Model, Weight: (1 - roughWeight) * m.Weight})
	}
	j.Mixture = mixture
	return nil
}

// movedAll returns the models moved by the bias; nil for none.
func (j *Job) movedAll(models fit.Mixture) (moved fit.Mixture) {
	for _, m := range models {
		moved = append(moved, fit.Member{Model: j.moved(m.Model), Weight: m.Weight})
	}
	return moved
}

// moved returns a model moved by the bias, as a function of the target: a robot that is sent to
// x ends up at N(x + bias, Σ̂), and strategies judge x by N(x, Σ̂) in the moved model. Without a
// bias it is the model itself.
func (j *Job) moved(model *gp.GP) *gp.GP {
	if !j.ExecutionNoise.Biased() || j.o.form.Points() {
		return model
	}
	by := make([]float64, len(j.ExecutionNoise.Bias))
	for i, b := range j.ExecutionNoise.Bias {
		by[i] = -b
	}
	return model.Translated(by)
}

// learnAim sets the execution noise, and the beliefs of the samples that depend on it.
func (j *Job) learnAim() (err error) {
	o, dim := j.o, j.o.space.Dim()
	if !o.cfg.ExecutionNoise.Learn && !o.cfg.ExecutionNoise.Local {
		return nil
	}
	if j.ExecutionNoise, err = execution.LearnNoise(o.cfg.ExecutionNoise, dim, j.arrivals, j.expected, scale(j.start)); err != nil {
		return err
	}
	if !o.cfg.ExecutionNoise.Learn || o.form != FormTargetBelief {
		return nil
	}
	for i, x := range j.targets {
		place := slices.Clone(x)
		for k, b := range j.ExecutionNoise.Bias {
			place[k] += b
		}
		j.samples[i].Belief = gp.Belief{Mean: place, Cov: j.ExecutionNoise.Cov}
	}
	j.old = nil // it has them where they were before
	return nil
}
