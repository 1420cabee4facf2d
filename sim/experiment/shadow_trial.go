package experiment

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// ShadowResult is what a job came to.
type ShadowResult struct {
	ShadowJob
	Instantaneous []float64 `json:"instantaneous"` // uncertain-inputs regret of each target, by the localisation where it is
	Recommended   []float64 `json:"recommended"`   // that of the target recommended after each sample
	Place         []float64 `json:"place"`         // max f - f of the recommended target: for who goes there with a good map
	RMSE          []float64 `json:"rmse"`          // of the posterior mean over the field, after each sample
	Density       []float64 `json:"density"`       // mean log predictive density of f over the field, nats
	LengthScale   float64   `json:"length_scale"`  // of the model in the end, over the field's
	Noise         float64   `json:"noise"`         // λ of the model in the end, beside the samples' own
}

// shadowTrial is a job under way.
type shadowTrial struct {
	plan     *ShadowPlan
	job      ShadowJob
	method   ShadowMethod
	world    *shadowWorld
	searcher *planner.Searcher
	hyper    gp.Hyper
	fitting  gp.FitConfig
	model    *gp.GP

	targets [][]float64
	located []gp.Belief
	values  []float64
}

// Trial runs a job. It ends early with ctx's cause when that ends.
func (p *ShadowPlan) Trial(ctx context.Context, job ShadowJob) (ShadowResult, error) {
	t, err := p.begin(job)
	if err != nil {
		return ShadowResult{}, err
	}
	noise := shadowStream(p.Seed, job.Trial, "noise")
	best, highest := t.world.maxima()
	result := ShadowResult{ShadowJob: job}
	for step := range p.Iterations {
		if ctx.Err() != nil {
			return ShadowResult{}, context.Cause(ctx)
		}
		x, err := t.target(step)
		if err != nil {
			return ShadowResult{}, err
		}
		// Six numbers a sample, whatever the target.
		s := t.world.located(x)
		estimate, taken := make([]float64, 2), make([]float64, 2)
		for k := range x {
			estimate[k] = x[k] + shadowControl*noise.NormFloat64()
			taken[k] = estimate[k] + s*noise.NormFloat64()
		}
		t.targets = append(t.targets, x)
		t.located = append(t.located, gp.Belief{Mean: estimate, Cov: planar(s)})
		t.values = append(t.values, t.world.field.Value(taken)+shadowReading*noise.NormFloat64())
		if err := t.learn(); err != nil {
			return ShadowResult{}, err
		}
		at, err := t.recommend()
		if err != nil {
			return ShadowResult{}, err
		}
		result.Instantaneous = append(result.Instantaneous, best-t.world.expected(x))
		result.Recommended = append(result.Recommended, best-t.world.expected(at))
		result.Place = append(result.Place, highest-t.world.field.Value(at))
		rmse, density := t.mapped()
		result.RMSE, result.Density = append(result.RMSE, rmse), append(result.Density, density)
	}
	h := t.model.Hyper()
	result.LengthScale, result.Noise = h.LengthScales[0]/shadowScale, h.NoiseVariance
	return result, nil
}

func (p *ShadowPlan) begin(job ShadowJob) (*shadowTrial, error) {
	method, err := shadowMethodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	t := &shadowTrial{plan: p, job: job, method: method, world: newShadowWorld(p.Seed, job)}
	t.hyper = gp.Hyper{SignalVariance: 1, LengthScales: []float64{shadowScale, shadowScale}}
	if job.Hyper == HyperLearnt {
		t.hyper.LengthScales = []float64{1.0 / 6, 1.0 / 6} // the explorer's guess: a sixth of the side
		t.hyper.NoiseVariance = 0.01
	} else if method.matched {
		t.hyper.NoiseVariance = t.world.residual()
	}
	t.fitting = gp.DefaultFitConfig(t.hyper.LengthScales[0])
	t.fitting.Isotropic, t.fitting.GuessedVariance = true, t.hyper.SignalVariance
	if t.model, err = gp.New(t.hyper); err != nil {
		return nil, err
	}
	t.searcher, err = planner.NewSearcher(t.world.box(), planner.DefaultSearchConfig(), shadowStream(p.Seed, job.Trial, "search"))
	return t, err
}

// target returns the target of a step; the first is drawn uniformly.
func (t *shadowTrial) target(step int) ([]float64, error) {
	rng := shadowStream(t.plan.Seed, t.job.Trial, stepName(step))
	if step == 0 || t.method.random {
		return []float64{rng.Float64(), rng.Float64()}, nil
	}
	judge, err := t.judge(t.plan.Beta)
	if err != nil {
		return nil, err
	}
	best, err := t.searcher.Maximise(planner.Query{
		Acquisition: judge, LengthScales: t.model.Hyper().LengthScales,
		Robot: t.targets[step-1], Reach: planner.Anywhere(), Rng: rng,
	})
	return best.X, err
}

// recommend returns the past target with the largest posterior mean.
func (t *shadowTrial) recommend() ([]float64, error) {
	judge, err := t.judge(0)
	if err != nil {
		return nil, err
	}
	best, highest := t.targets[0], math.Inf(-1)
	for _, x := range t.targets {
		if v := judge.Value(x); v > highest {
			best, highest = x, v
		}
	}
	return best, nil
}

// judge returns what the method thinks of targets: by where the robot ends up at
// the target, which it is told or has learnt from its samples; or else a model of
// beliefs by where the robot ends up in the open, and one of points as points.
func (t *shadowTrial) judge(beta float64) (planner.Acquisition, error) {
	var cov *mat.SymDense
	switch {
	case t.method.judge == judgeKnown:
		return &planner.PlacedUCB{Model: t.model, Beta: beta, Place: func(x []float64) gp.Belief {
			return gp.Belief{Mean: x, Cov: planar(t.world.execution(x))}
		}}, nil
	case t.method.judge == judgeLearnt:
		place, err := t.learntPlace()
		return &planner.PlacedUCB{Model: t.model, Beta: beta, Place: place}, err
	case t.method.beliefs:
		cov = planar(math.Hypot(shadowControl, shadowOpen))
	}
	p, err := t.model.NewPredictor(cov)
	return &planner.UCB{Predictor: p, Beta: beta}, err
}

// learntPlace returns P̂_x by how well the robot has brought its estimate to its
// targets, and how well it has known the places of samples nearby.
func (t *shadowTrial) learntPlace() (planner.Placing, error) {
	arrivals := make([]planner.Arrival, len(t.targets))
	for i, x := range t.targets {
		arrivals[i] = planner.Arrival{Target: x, Located: t.located[i]}
	}
	control, err := planner.LearnExecution(planner.DefaultExecutionConfig(math.Hypot(shadowControl, shadowOpen)), 2, planner.Controlled(arrivals))
	if err != nil {
		return nil, err
	}
	around, err := planner.NewSurroundings(2, arrivals, t.model.Hyper().LengthScales[0]/2)
	if err != nil {
		return nil, err
	}
	cov := mat.NewSymDense(2, nil)
	return func(x []float64) gp.Belief {
		around.Cov(cov, x)
		cov.AddSym(cov, control.Cov)
		return gp.Belief{Mean: x, Cov: cov}
	}, nil
}

func stepName(step int) string { return fmt.Sprintf("step %d", step) }

// slopeRounds is how often the slope is computed from a model that has it in its
// noise.
const slopeRounds = 2

// learn computes the model anew. What an observation's own noise has of the model
// is of the model before: as many samples, or after a fit the same.
func (t *shadowTrial) learn() error {
	rounds := 1
	if t.method.noise != noiseNone {
		rounds = slopeRounds
	}
	for range rounds {
		samples := t.samples()
		if t.job.Hyper == HyperLearnt && len(samples) > 1 {
			var err error
			t.hyper, _, err = gp.Fit(samples, t.hyper, t.fitting, shadowStream(t.plan.Seed, t.job.Trial, "fit "+stepName(len(samples))))
			if err != nil {
				return err
			}
		} else if t.job.Hyper == HyperLearnt {
			t.hyper.Mean = samples[0].Value
		}
		var err error
		if t.model, err = gp.New(t.hyper); err != nil {
			return err
		}
		if err := t.model.AddAll(samples); err != nil {
			return err
		}
	}
	return nil
}

// samples returns what the model is given.
func (t *shadowTrial) samples() []gp.Observation {
	var slope func(x []float64) []float64
	if t.method.noise == noiseSlope {
		if p, err := t.model.NewPredictor(nil); err == nil {
			slope = func(x []float64) []float64 {
				dMean, dVar := make([]float64, 2), make([]float64, 2)
				p.PredictGrad(dMean, dVar, x)
				return dMean
			}
		}
	}
	kernel := t.hyper.Kernel()
	list := make([]gp.Observation, len(t.located))
	for i, b := range t.located {
		o := gp.Observation{Belief: b, Value: t.values[i], NoiseVariance: shadowReading * shadowReading}
		if !t.method.beliefs {
			o.Belief = gp.Point(b.Mean...)
		}
		switch {
		case t.method.noise == noiseSpread:
			o.NoiseVariance += kernel.Spread(b)
		case slope != nil:
			for _, g := range slope(b.Mean) {
				o.NoiseVariance += g * g * b.Cov.At(0, 0)
			}
		}
		list[i] = o
	}
	return list
}

// mapped returns the root mean square error of the posterior mean of f over the
// field, and the mean log density of f in the posterior there.
func (t *shadowTrial) mapped() (rmse, density float64) {
	const cells = 20
	x := mat.NewDense(cells*cells, 2, nil)
	n, at := 0, make([]float64, 2)
	lattice(cells, at, func() { x.SetRow(n, at); n++ })
	p, err := t.model.NewPredictor(nil)
	if err != nil {
		panic(err) // points are always valid
	}
	mean, variance := make([]float64, n), make([]float64, n)
	p.PredictBatch(mean, variance, x)
	for i := range n {
		e := t.world.field.Value(x.RawRowView(i)) - mean[i]
		v := max(variance[i], 1e-9) // rounding
		rmse += e * e / float64(n)
		density -= (math.Log(2*math.Pi*v) + e*e/v) / 2 / float64(n)
	}
	return math.Sqrt(rmse), density
}
