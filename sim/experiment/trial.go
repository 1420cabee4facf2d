// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// TrialResult is the outcome of a job.
type TrialResult struct {
	Job
	Lambda        float64   `json:"lambda"`        // λ of the model
	Instantaneous []float64 `json:"instantaneous"` // uncertain-inputs regret of each target (Eq. uregret)
	Recommended   []float64 `json:"recommended"`   // regret of the target recommended after each observation
}

// trial is a job under way: a sample is taken and learnt from, the place recommended is
// reported, and the next target chosen.
type trial struct {
	*planner.Optimizer
	plan      *Plan
	job       Job
	objective Objective
	noise     *rand.Rand
}

// run runs a job. It ends early with ctx's cause when ctx ends.
func (p *Plan) run(ctx context.Context, job Job) (TrialResult, error) {
	t, err := p.begin(job)
	if err != nil {
		return TrialResult{}, err
	}
	result := TrialResult{Job: job, Lambda: t.Learnt().Hyper.NoiseVariance}
	sigma := p.Problem.Execution
	best := t.objective.maximum(sigma)
	err = t.run(ctx, p.Iterations, func(x, recommended []float64) {
		result.Instantaneous = append(result.Instantaneous, best-t.objective.expected(x, sigma))
		result.Recommended = append(result.Recommended, best-t.objective.expected(recommended, sigma))
	})
	return result, err
}

// draws returns the random numbers of a trial.
func (p *Plan) draws(trial int) draws { return draws{p.Seed, p.Problem.Name, trial} }

func (p *Plan) begin(job Job) (*trial, error) {
	pr, d := p.Problem, p.draws(job.Trial)
	t := &trial{plan: p, job: job, objective: pr.Draw(d.stream("function")), noise: d.stream("noise")}
	info, err := paper.Catalogue().Method(job.Method)
	if err != nil {
		return nil, err
	}
	cfg := planner.OptimizerConfig{
		Catalogue: paper.Catalogue(), Method: info.Name, Strategy: planner.DefaultStrategyConfig(),
		ExecutionNoise: execution.NoiseConfig{Config: execution.Config{StdDev: job.Ratio * pr.Execution}},
		Random:         d.random(),
	}
	cfg.Strategy.GridPoints = p.Iterations
	hyper, execution := p.hyper(), cfg.ExecutionNoise.Noise(len(pr.Lo)).Cov
	hyper.NoiseVariance = t.lambda(info, execution)
	space, err := field.NewBox(pr.Lo, pr.Hi)
	if err != nil {
		return nil, err
	}
	if cfg.Strategy.Beta, err = t.beta(space, info, hyper, execution); err != nil {
		return nil, err
	}
	cfg.Model = planner.ModelConfig{
		Start: &hyper, Kinds: []gp.Kind{hyper.Kind}, Prior: fit.DefaultConfig(hyper.LengthScales[0]), ExactLimit: p.Iterations,
	}
	t.Optimizer, err = planner.NewOptimizer(space, cfg)
	return t, err
}

// gainPlaces is the number of places from which the maximum information gain is chosen.
// Spread evenly over an area of 50 squared length-scales they are less than a quarter of a
// length-scale apart.
const gainPlaces = 1000

// beta returns the setting's exploration weight for a method, whose Σ̂ is execution. σ_E is that
// of a model with the hyper-parameters; a method that takes places as exact has none.
func (t *trial) beta(space field.Space, info *planner.Method, hyper gp.Hyper, execution *mat.SymDense) (planner.Schedule, error) {
	if !info.Weighted {
		return planner.Fixed(0), nil
	}
	beta, err := parseBeta(t.job.Beta)
	if err != nil || !beta.Theorem {
		return planner.Fixed(beta.Number), err
	}
	pr := t.plan.Problem
	theorem := paper.Theorem{Share: beta.Number, Bound: t.objective.norm(), Delta: pr.Delta, ObservationStdDev: pr.Reading}
	if !info.Plain {
		theorem.ExecutionStdDev = paper.ExecutionStdDev(theorem.Bound, hyper.Kernel(), execution)
	}
	if beta.Maximum {
		theorem.Maximum = paper.NewMaximumGain(space, gainPlaces, info.Form.QueryCov(execution), hyper, t.plan.draws(t.job.Trial).stream("gain"))
	}
	return theorem, nil
}

// lambda returns λ by the plan's convention for samples of a method, whose Σ̂ is execution.
func (t *trial) lambda(info *planner.Method, execution *mat.SymDense) float64 {
	pr, kernel := t.plan.Problem, t.plan.hyper().Kernel()
	reading, located := pr.Reading*pr.Reading, gp.Belief{Cov: pr.isotropic(pr.Localisation)}
	off := info.Form.TruePlaceCov(located, execution) // of the true place from the place in the model; nil: certainty
	switch noise := t.plan.Noise; {
	case info.Plain || noise == noiseReading:
		return reading
	case noise == noisePrior:
		return reading + kernel.Spread(gp.Belief{Mean: make([]float64, len(pr.Lo)), Cov: off})
	case noise == noiseTheorem:
		s := paper.ExecutionStdDev(t.objective.norm(), kernel, off)
		return reading + s*s
	case noise == noiseChowdhury:
		return kernel.Variance * (1 + 2/float64(t.plan.Iterations))
	}
	// Matched with the truth: what samples are really off by, not Σ̂.
	off = info.Form.TruePlaceCov(located, pr.isotropic(pr.Execution))
	return reading + t.objective.residual(math.Sqrt(off.At(0, 0)))
}

// run takes n samples, the first at a random target. After each it calls report with the
// sample's target and the place recommended. It ends early with ctx's cause when ctx ends.
func (t *trial) run(ctx context.Context, n int, report func(x, recommended []float64)) error {
	if err := t.Resume(planner.Past{Decisions: 1}); err != nil { // the first target is not the method's
		return err
	}
	pr := t.plan.Problem
	x := uniform(pr.Lo, pr.Hi, t.plan.draws(t.job.Trial).stream("first"))
	for step := range n {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.Add(t.measure(x))
		var wish *planner.TargetRequest
		if step+1 < n {
			wish = &planner.TargetRequest{Robot: x, Reach: acquire.Anywhere()}
		}
		job, err := t.think(wish)
		if err != nil {
			return err
		}
		report(x, job.Best.X)
		if wish == nil {
			return nil
		}
		if errors.Is(job.NoTarget, acquire.ErrNoTarget) { // a grid without a point left begins again
			if err := t.Resume(planner.Past{Decisions: t.Decisions()}); err != nil {
				return err
			}
			if job, err = t.think(wish); err != nil {
				return err
			}
		}
		t.Decide(job)
		if job.NoTarget != nil {
			return job.NoTarget
		}
		x = job.Target.X
	}
	return nil
}

// think runs a job and adopts what it has learnt.
func (t *trial) think(wish *planner.TargetRequest) (*planner.Job, error) {
	job := t.Job(wish)
	if job.Run(); job.Err != nil {
		return nil, job.Err
	}
	t.Adopt(job)
	return job, nil
}

// measure takes a sample: the robot ends up near its target x, the localisation
// estimates where, and the value is read with noise.
func (t *trial) measure(x []float64) planner.Sample {
	pr := t.plan.Problem
	taken, estimate := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		taken[i] = v + pr.Execution*t.noise.NormFloat64()
		estimate[i] = taken[i] + pr.Localisation*t.noise.NormFloat64()
	}
	located := gp.Belief{Mean: estimate, Cov: pr.isotropic(pr.Localisation)}
	return planner.Sample{
		Target: x, Located: located, Value: t.objective.value(taken) + pr.Reading*t.noise.NormFloat64(),
	}
}
