package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/execution"
	"ugp_explorer/sim/experiment/paper"
)

// Result is the outcome of a job.
type Result struct {
	Job
	Lambda        float64   `json:"lambda"`        // λ of the model
	Instantaneous []float64 `json:"instantaneous"` // uncertain-inputs regret of each target (Eq. uregret)
	Recommended   []float64 `json:"recommended"`   // regret of the target recommended after each observation
}

// gainPlaces is the number of places from which the largest information gain is chosen:
// in the unit square neighbours are less than a third of a length-scale apart.
const gainPlaces = 1000

// trial is a job under way.
type trial struct {
	optimiser
	plan      *Plan
	job       Job
	objective Objective
	noise     *rand.Rand
	learns    bool      // Σ̂ and a bias, from arrivals
	bias      []float64 // b̂
}

// Trial runs a job. It ends early with ctx's cause when ctx ends.
func (p *Plan) Trial(ctx context.Context, job Job) (Result, error) {
	t, err := p.begin(job)
	if err != nil {
		return Result{}, err
	}
	result := Result{Job: job, Lambda: t.hyper.NoiseVariance}
	sigma := p.Problem.Execution
	best := t.objective.Maximum(sigma)
	err = t.run(ctx, p.Iterations, func(x, recommended []float64) {
		result.Instantaneous = append(result.Instantaneous, best-t.objective.Expected(x, sigma))
		result.Recommended = append(result.Recommended, best-t.objective.Expected(recommended, sigma))
	})
	return result, err
}

// draws returns the random numbers of a trial.
func (p *Plan) draws(trial int) draws { return draws{p.Seed, p.Problem.Name, trial} }

func (p *Plan) begin(job Job) (*trial, error) {
	pr := p.Problem
	d := p.draws(job.Trial)
	t := &trial{plan: p, job: job, objective: pr.Draw(d.stream("function")), noise: d.stream("noise")}
	t.optimiser = optimiser{
		draws: d, execution: isotropic(len(pr.Lo), job.Ratio*pr.Execution),
		first: func() []float64 { return uniform(pr.Lo, pr.Hi, d.stream("first")) },
		take:  t.measure, observe: t.observation,
	}
	info, learns, err := methodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	if t.learns = learns; learns {
		t.before = t.learnExecution
	}
	cfg := planner.DefaultStrategyConfig()
	cfg.GridPoints = p.Iterations
	if cfg.Beta, err = t.schedule(info); err != nil {
		return nil, err
	}
	t.hyper = p.hyper()
	if t.hyper.NoiseVariance, err = t.lambda(info); err != nil {
		return nil, err
	}
	t.exhausted = func(q planner.Request) (x []float64, err error) { // a grid begins again
		q.Chosen = nil
		target, err := t.strategy.Next(q)
		t.chosen = [][]float64{target.X}
		return target.X, err
	}
	return t, t.optimiser.begin(info.Name, pr.Box(), cfg, "strategy")
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
	theorem := paper.Theorem{Bound: t.objective.Norm(), ObservationStdDev: pr.Reading, Delta: pr.Delta}
	if !info.Plain {
		theorem.ExecutionStdDev = paper.ExecutionStdDev(theorem.Bound, t.plan.hyper().Kernel(), t.execution)
	}
	if beta.Maximum {
		theorem.Maximum, err = paper.NewMaximumGain(pr.Box(), gainPlaces, info.Data.Judge(t.execution), t.stream("gain"))
		if err != nil {
			return nil, err
		}
	}
	return paper.Scaled{By: beta.Number, Of: theorem}, nil
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
		// The truth: what samples are really off by, not Σ̂.
		off := info.Data.Off(located, isotropic(len(pr.Lo), pr.Execution))
		return reading + t.objective.Residual(math.Sqrt(off.At(0, 0))), nil
	}
	return t.plan.Noise.Variance(t.plan.hyper().Kernel(), info.Data.Off(located, t.execution), paper.NoiseConfig{
		Reading: reading, Norm: t.objective.Norm(), Total: t.plan.Iterations,
	})
}

// measure takes a sample: the robot ends up near its target x, the localisation
// estimates where, and the value is read with noise.
func (t *trial) measure(x []float64) (located gp.Belief, value float64) {
	pr := t.plan.Problem
	taken, estimate := scatter(x, pr.Execution, pr.Localisation, t.noise)
	located = gp.Belief{Mean: estimate, Cov: isotropic(len(x), pr.Localisation)}
	return located, t.objective.Value(taken) + pr.Reading*t.noise.NormFloat64()
}

// The execution noise is learnt after each of the first samples, and then after every
// tenth: by then a single sample changes it little.
const learnAlways, learnEvery = 30, 10

// learnExecution learns Σ̂ and the bias. The bias moves the samples, not the targets: the
// model describes what is met at x̃ - b̂, so that strategies, which judge a target x by
// N(x, Σ̂), in effect judge it by N(x + b̂, Σ̂).
func (t *trial) learnExecution() (changed bool, err error) {
	if n := len(t.arrivals); n > learnAlways && n%learnEvery != 0 {
		return false, nil
	}
	cfg := execution.DefaultConfig(t.job.Ratio * t.plan.Problem.Execution)
	cfg.Locating = execution.LocatingMeasured // as in measure: the estimate depends on the true place alone
	learnt, err := execution.Learn(cfg, t.model.Dim(), t.arrivals)
	if err != nil {
		return false, err
	}
	t.bias, t.execution = learnt.Overall()
	return true, nil
}

// observation returns the form in which a sample enters the model.
func (t *trial) observation(i int) gp.Observation {
	a, data := t.arrivals[i], t.strategy.Data()
	located := a.Located
	if t.learns && !data.Points() {
		located.Mean = slices.Clone(located.Mean)
		for k, b := range t.bias {
			located.Mean[k] -= b
		}
	}
	return gp.Observation{Belief: data.Of(located, a.Target, t.execution), Value: t.values[i]}
}
