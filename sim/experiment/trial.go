package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

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

// trial is a job under way.
type trial struct {
	loop
	plan      *Plan
	job       Job
	objective Objective
	noise     *rand.Rand
	data      planner.SampleForm
	bias      []float64 // b̂; none unless the execution noise is learnt
}

// Trial runs a job. It ends early with ctx's cause when ctx ends.
func (p *Plan) Trial(ctx context.Context, job Job) (Result, error) {
	t, err := p.begin(job)
	if err != nil {
		return Result{}, err
	}
	result := Result{Job: job, Lambda: t.Learnt().Hyper.NoiseVariance}
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
	pr, d := p.Problem, p.draws(job.Trial)
	t := &trial{plan: p, job: job, objective: pr.Draw(d.stream("function")), noise: d.stream("noise")}
	info, learns, err := methodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	t.data = info.Form
	t.loop = loop{
		first: func() []float64 { return uniform(pr.Lo, pr.Hi, d.stream("first")) }, take: t.measure, exhausted: t.again,
	}
	if learns {
		t.learn = t.learnExecution
	}
	cfg := planner.OptimizerConfig{
		Catalogue: paper.Catalogue(), Method: info.Name, Strategy: planner.DefaultStrategyConfig(),
		Aim:    execution.AimConfig{Config: execution.Config{StdDev: job.Ratio * pr.Execution}},
		Random: d.random(),
	}
	cfg.Strategy.GridPoints = p.Iterations
	if cfg.Beta, err = t.beta(info); err != nil {
		return nil, err
	}
	hyper := p.hyper()
	if hyper.NoiseVariance, err = t.lambda(info, cfg.Aim.Aim(len(pr.Lo)).Cov); err != nil {
		return nil, err
	}
	cfg.Model = known(hyper, p.Iterations)
	t.Optimizer, err = planner.NewOptimizer(pr.Box(), cfg)
	return t, err
}

// beta returns the setting's exploration weight for a method.
func (t *trial) beta(info *planner.Method) (planner.BetaConfig, error) {
	if !info.Weighted {
		return planner.BetaConfig{Schedule: "fixed"}, nil
	}
	beta, err := ParseBeta(t.job.Beta)
	c := planner.BetaConfig{
		Schedule: "fixed", Fixed: beta.Number, Scale: beta.Number,
		Bound: t.objective.Norm(), Noise: t.plan.Problem.Reading, Delta: t.plan.Problem.Delta,
	}
	if beta.Theorem {
		c.Schedule = "theorem"
	}
	if beta.Maximum {
		c.Schedule = "maximum"
	}
	return c, err
}

// lambda returns λ by the plan's convention.
func (t *trial) lambda(info *planner.Method, execution *mat.SymDense) (float64, error) {
	pr := t.plan.Problem
	reading := pr.Reading * pr.Reading
	if info.Plain {
		return reading, nil
	}
	located := gp.Belief{Cov: isotropic(len(pr.Lo), pr.Localisation)}
	if t.plan.Noise == NoiseMatched {
		// The truth: what samples are really off by, not Σ̂.
		off := info.Form.TruePlaceCov(located, isotropic(len(pr.Lo), pr.Execution))
		return reading + t.objective.Residual(math.Sqrt(off.At(0, 0))), nil
	}
	return t.plan.Noise.Variance(t.plan.hyper().Kernel(), info.Form.TruePlaceCov(located, execution), paper.NoiseConfig{
		Reading: reading, Norm: t.objective.Norm(), Total: t.plan.Iterations,
	})
}

// measure takes a sample: the robot ends up near its target x, the localisation
// estimates where, and the value is read with noise.
func (t *trial) measure(x []float64) planner.Sample {
	pr := t.plan.Problem
	taken, estimate := scatter(x, pr.Execution, pr.Localisation, t.noise)
	located := gp.Belief{Mean: estimate, Cov: isotropic(len(x), pr.Localisation)}
	return planner.Sample{
		Target: x, Located: located, Value: t.objective.Value(taken) + pr.Reading*t.noise.NormFloat64(),
		Arrival: &execution.Arrival{Target: x, Located: located},
	}
}

// again begins a grid again that has no point left.
func (t *trial) again(job *planner.Job) ([]float64, error) {
	if err := t.Resume(planner.Past{Decisions: t.Decisions()}); err != nil {
		return nil, err
	}
	job, err := t.think(job.Wish())
	if err != nil {
		return nil, err
	}
	t.Decide(job)
	return job.Target.X, job.NoTarget
}

// The execution noise is learnt after each of the first samples, and then after every
// tenth: by then a single sample changes it little.
const learnAlways, learnEvery = 30, 10

// learnExecution adds a sample, and learns Σ̂ and the bias when that is due. The bias moves
// the samples, not the targets: the model describes what is met at x̃ - b̂, so that
// strategies, which judge a target x by N(x, Σ̂), in effect judge it by N(x + b̂, Σ̂).
func (t *trial) learnExecution(s planner.Sample) error {
	if n := len(t.samples); n > learnAlways && n%learnEvery != 0 {
		t.Add(t.unbiased(s))
		return nil
	}
	cfg := execution.DefaultConfig(t.job.Ratio * t.plan.Problem.Execution)
	cfg.Locating = execution.LocatingMeasured // as in measure: the estimate depends on the true place alone
	noise, err := execution.Learn(cfg, len(s.Target), t.arrivals())
	if err != nil {
		return err
	}
	aim := execution.Aim{Bias: make([]float64, len(s.Target))} // none is left
	t.bias, aim.Cov = noise.Overall()
	moved := make([]planner.Sample, len(t.samples))
	for i, s := range t.samples {
		moved[i] = t.unbiased(s)
	}
	t.Revise(moved, aim)
	return nil
}

// unbiased returns a sample less the bias, which a model of points leaves alone.
func (t *trial) unbiased(s planner.Sample) planner.Sample {
	if !t.data.Points() {
		s.Located.Mean = slices.Clone(s.Located.Mean)
		for k, b := range t.bias {
			s.Located.Mean[k] -= b
		}
	}
	return s
}
