package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

// Result is what a job came to.
type Result struct {
	Job
	Lambda        float64   `json:"lambda"`        // λ of the model
	Instantaneous []float64 `json:"instantaneous"` // uncertain-inputs regret of each target (Eq. uregret)
	Recommended   []float64 `json:"recommended"`   // that of the target recommended after each observation
}

// stream returns the random numbers of one part of a trial, the same for every
// method and setting.
func stream(seed uint64, p *Problem, trial int, part string) *rand.Rand {
	return sim.Stream(seed, fmt.Sprintf("%s/%d/%s", p.Name, trial, part))
}

// gainPlaces is from how many places the largest information gain is chosen: so
// many lie closer than a third of a length-scale in the unit square.
const gainPlaces = 1000

// trial is a job under way.
type trial struct {
	plan      *Plan
	job       Job
	objective Objective
	box       *planner.Box
	execution *mat.SymDense // Σ̂
	learn     bool          // Σ̂ and a bias, from arrivals
	bias      []float64     // b̂
	arrivals  []planner.Arrival
	values    []float64
	strategy  planner.Strategy
	chosen    [][]float64 // by strategy
	model     *gp.GP
	noise     *rand.Rand

	targets  [][]float64
	best     float64   // max E[f(x̃)|x]
	expected []float64 // of each target
}

// Trial runs a job. It ends early with ctx's cause when that ends.
func (p *Plan) Trial(ctx context.Context, job Job) (Result, error) {
	t, err := p.begin(job)
	if err != nil {
		return Result{}, err
	}
	result := Result{Job: job, Lambda: t.model.Hyper().NoiseVariance}
	for step := range p.Iterations {
		if ctx.Err() != nil {
			return Result{}, context.Cause(ctx)
		}
		x, err := t.target(step)
		if err != nil {
			return Result{}, err
		}
		if err := t.sample(x); err != nil {
			return Result{}, err
		}
		if err := t.update(); err != nil {
			return Result{}, err
		}
		best, err := t.strategy.Recommend(planner.Inquiry{Model: t.model, Execution: t.execution, Targets: t.targets})
		if err != nil {
			return Result{}, err
		}
		result.Instantaneous = append(result.Instantaneous, t.best-t.expected[step])
		result.Recommended = append(result.Recommended, t.best-t.objective.Expected(best.X, p.Problem.Execution))
	}
	return result, nil
}

func (p *Plan) begin(job Job) (*trial, error) {
	pr := p.Problem
	d := len(pr.Lo)
	t := &trial{
		plan: p, job: job, box: pr.Box(),
		objective: pr.Draw(stream(p.Seed, pr, job.Trial, "function")),
		execution: isotropic(d, job.Ratio*pr.Execution),
		noise:     stream(p.Seed, pr, job.Trial, "noise"),
	}
	info, learn, err := methodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	t.learn = learn
	cfg := planner.DefaultStrategyConfig()
	cfg.GridPoints = p.Iterations
	if cfg.Beta, err = t.schedule(info); err != nil {
		return nil, err
	}
	if t.strategy, err = info.NewStrategy(t.box, cfg, stream(p.Seed, pr, job.Trial, "strategy")); err != nil {
		return nil, err
	}
	hyper := p.hyper()
	if hyper.NoiseVariance, err = t.lambda(info); err != nil {
		return nil, err
	}
	if t.model, err = gp.New(hyper); err != nil {
		return nil, err
	}
	t.best = t.objective.Maximum(pr.Execution)
	return t, nil
}

// schedule returns the setting's β for a method.
func (t *trial) schedule(info *planner.Method) (planner.Schedule, error) {
	if !info.Weighted {
		return planner.Fixed(0), nil
	}
	beta, err := ParseBeta(t.job.Beta)
	if err != nil {
		return nil, err
	}
	if !beta.Theorem {
		return planner.Fixed(beta.Number), nil
	}
	pr := t.plan.Problem
	theorem := planner.Theorem{Bound: t.objective.Norm(), ObservationStdDev: pr.Reading, Delta: pr.Delta}
	if !info.Plain {
		theorem.ExecutionStdDev = planner.ExecutionStdDev(theorem.Bound, t.plan.hyper().Kernel(), t.execution)
	}
	if beta.Maximum {
		theorem.Maximum, err = planner.NewMaximumGain(t.box, gainPlaces, info.Data.Judge(t.execution), stream(t.plan.Seed, pr, t.job.Trial, "gain"))
		if err != nil {
			return nil, err
		}
	}
	return planner.Scaled{By: beta.Number, Of: theorem}, nil
}

// lambda returns λ by the plan's convention.
func (t *trial) lambda(info *planner.Method) (float64, error) {
	pr := t.plan.Problem
	reading := pr.Reading * pr.Reading
	if info.Plain {
		return reading, nil
	}
	located := gp.Belief{Cov: isotropic(len(pr.Lo), pr.Localisation)}
	if t.plan.Noise == NoiseMatched {
		// By the truth: not Σ̂, but what samples are off by.
		off := info.Data.Off(located, isotropic(len(pr.Lo), pr.Execution))
		return reading + t.objective.Residual(math.Sqrt(off.At(0, 0))), nil
	}
	return t.plan.Noise.Variance(t.plan.hyper().Kernel(), info.Data.Off(located, t.execution), planner.NoiseConfig{
		Reading: reading, Norm: t.objective.Norm(), Total: t.plan.Iterations,
	})
}

// target returns the target of a step, the first of which is drawn uniformly. A
// grid that has come to its end begins anew.
func (t *trial) target(step int) ([]float64, error) {
	pr := t.plan.Problem
	if step == 0 {
		rng := stream(t.plan.Seed, pr, t.job.Trial, "first")
		x := make([]float64, len(pr.Lo))
		for i := range x {
			x[i] = pr.Lo[i] + rng.Float64()*(pr.Hi[i]-pr.Lo[i])
		}
		return x, nil
	}
	request := planner.Request{
		Model: t.model, Execution: t.execution, Step: step, Chosen: t.chosen, Robot: t.targets[step-1], Reach: planner.Anywhere(),
		Rng: stream(t.plan.Seed, pr, t.job.Trial, fmt.Sprintf("step %d", step)),
	}
	target, err := t.strategy.Next(request)
	if errors.Is(err, planner.ErrNoTarget) {
		t.chosen, request.Chosen = nil, nil
		target, err = t.strategy.Next(request)
	}
	t.chosen = append(t.chosen, target.X)
	return target.X, err
}

// sample takes a sample with target x: what the robot meets, what its
// localisation says of that, and what it reads.
func (t *trial) sample(x []float64) error {
	pr := t.plan.Problem
	taken, located := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		taken[i] = v + pr.Execution*t.noise.NormFloat64()
		located[i] = taken[i] + pr.Localisation*t.noise.NormFloat64()
	}
	value := t.objective.Value(taken) + pr.Reading*t.noise.NormFloat64()
	t.targets = append(t.targets, x)
	t.expected = append(t.expected, t.objective.Expected(x, pr.Execution))
	t.arrivals = append(t.arrivals, planner.Arrival{
		Target: x, Located: gp.Belief{Mean: located, Cov: isotropic(len(x), pr.Localisation)},
	})
	t.values = append(t.values, value)
	return nil
}

// The noise is learnt anew after each of the first samples, and then after every
// so many: by then one more changes it little.
const learnAlways, learnEvery = 30, 10

// update has the model, and when that is to be the execution noise, learn from the
// last sample. What a bias does to the places of samples with a target it does to
// the model: that is one of what is met at x̃ - b̂, so that a target x is judged by
// N(x + b̂, Σ̂) when strategies judge it by N(x, Σ̂).
func (t *trial) update() error {
	n := len(t.arrivals)
	if !t.learn || n > learnAlways && n%learnEvery != 0 {
		return t.model.Add(t.observation(n - 1))
	}
	cfg := planner.DefaultExecutionConfig(t.job.Ratio * t.plan.Problem.Execution)
	cfg.Locating = planner.LocatingMeasured // what sample does: the estimate is of the true place, whatever the target
	learnt, err := planner.LearnExecution(cfg, t.model.Dim(), t.arrivals)
	if err != nil {
		return err
	}
	t.bias, t.execution = learnt.Overall()
	if t.model, err = gp.New(t.model.Hyper()); err != nil {
		return err
	}
	all := make([]gp.Observation, len(t.arrivals))
	for i := range all {
		all[i] = t.observation(i)
	}
	return t.model.AddAll(all)
}

// observation returns what the model is given of a sample.
func (t *trial) observation(i int) gp.Observation {
	a, data := t.arrivals[i], t.strategy.Data()
	if data.Points() || !t.learn {
		return gp.Observation{Belief: data.Of(a.Located, a.Target, t.execution), Value: t.values[i]}
	}
	located := gp.Belief{Mean: slices.Clone(a.Located.Mean), Cov: a.Located.Cov}
	for k, b := range t.bias {
		located.Mean[k] -= b
	}
	return gp.Observation{Belief: data.Of(located, a.Target, t.execution), Value: t.values[i]}
}
