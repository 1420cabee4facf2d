package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/execution"
)

// ShadowResult is the outcome of a job.
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
	optimiser
	plan   *ShadowPlan
	job    ShadowJob
	method ShadowMethod
	world  *shadowWorld
	noise  *rand.Rand
}

// Trial runs a job. It ends early with ctx's cause when ctx ends.
func (p *ShadowPlan) Trial(ctx context.Context, job ShadowJob) (ShadowResult, error) {
	t, err := p.begin(job)
	if err != nil {
		return ShadowResult{}, err
	}
	best, highest := t.world.maxima()
	r := ShadowResult{ShadowJob: job}
	err = t.run(ctx, p.Iterations, func(x, recommended []float64) {
		r.Instantaneous = append(r.Instantaneous, best-t.world.expected(x))
		r.Recommended = append(r.Recommended, best-t.world.expected(recommended))
		r.Place = append(r.Place, highest-t.world.field.Value(recommended))
		rmse, density := t.mapped()
		r.RMSE, r.Density = append(r.RMSE, rmse), append(r.Density, density)
	})
	h := t.model.Hyper()
	r.LengthScale, r.Noise = h.LengthScales[0]/shadowScale, h.NoiseVariance
	return r, err
}

// slopeRounds is the number of times that the model is computed for each sample when the
// observations' noise depends on the model: the last slope is that of a model with noise.
const slopeRounds = 2

func (p *ShadowPlan) begin(job ShadowJob) (*shadowTrial, error) {
	method, err := shadowMethodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	d := shadowDraws(p.Seed, job.Trial)
	t := &shadowTrial{plan: p, job: job, method: method, world: newShadowWorld(p.Seed, job), noise: d.stream("noise")}
	t.optimiser = optimiser{
		draws: d, take: t.measure, observe: t.observation, fitPart: "fit step %d",
		first: func() []float64 { return uniform([]float64{0, 0}, []float64{1, 1}, d.stream("step 0")) },
	}
	if job.Hyper == HyperLearnt {
		t.guess(gp.SquaredExponential, 2, 1)
	} else {
		t.hyper = gp.Hyper{SignalVariance: 1, LengthScales: []float64{shadowScale, shadowScale}}
		if method.matched {
			t.hyper.NoiseVariance = t.world.residual()
		}
	}
	if method.noise != noiseNone {
		t.rounds = slopeRounds
	}

	strategy := "gp-ucb" // judges points
	if method.beliefs || method.judge != judgeOpen {
		strategy, t.execution = "ugp-ucb", isotropic(2, math.Hypot(shadowControl, shadowOpen))
	}
	switch method.judge {
	case judgeKnown:
		t.place = func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: isotropic(2, t.world.execution(x))} }
	case judgeLearnt:
		t.after = t.learnPlace
	}
	if method.random {
		strategy = "random"
	}
	cfg := planner.DefaultStrategyConfig()
	cfg.Beta = planner.Fixed(p.Beta)
	return t, t.begin(strategy, unitSquare(), cfg, "search")
}

// measure takes a sample: the robot brings its estimate near the target x and is itself
// near that. It draws five numbers, whatever the target.
func (t *shadowTrial) measure(x []float64) (located gp.Belief, value float64) {
	s := t.world.located(x)
	estimate, taken := scatter(x, shadowControl, s, t.noise)
	return gp.Belief{Mean: estimate, Cov: isotropic(2, s)}, t.world.field.Value(taken) + shadowReading*t.noise.NormFloat64()
}

// learnPlace learns P̂_x: from how well the robot has brought its estimate to its targets,
// and from how well it has known the places of samples nearby.
func (t *shadowTrial) learnPlace() error {
	control, err := execution.Learn(execution.DefaultConfig(math.Hypot(shadowControl, shadowOpen)), 2, execution.Controlled(t.arrivals))
	if err != nil {
		return err
	}
	around, err := execution.NewLocalisationMap(2, t.arrivals, t.model.Hyper().LengthScales[0]/2)
	if err != nil {
		return err
	}
	cov := mat.NewSymDense(2, nil)
	t.place = func(x []float64) gp.Belief {
		around.Cov(cov, x)
		cov.AddSym(cov, control.Cov)
		return gp.Belief{Mean: x, Cov: cov}
	}
	return nil
}

// observation returns the form in which a sample enters the model. Noise that depends on
// the model is that of the model before.
func (t *shadowTrial) observation(i int) gp.Observation {
	b := t.arrivals[i].Located
	o := gp.Observation{Belief: b, Value: t.values[i], NoiseVariance: shadowReading * shadowReading}
	if !t.method.beliefs {
		o.Belief = gp.Point(b.Mean...)
	}
	switch t.method.noise {
	case noiseSpread:
		o.NoiseVariance += t.hyper.Kernel().Spread(b)
	case noiseSlope:
		p, err := t.model.NewPredictor(nil)
		if err != nil {
			panic(err) // points are always valid
		}
		dMean, dVar := make([]float64, 2), make([]float64, 2)
		p.PredictGrad(dMean, dVar, b.Mean)
		for _, g := range dMean {
			o.NoiseVariance += g * g * b.Cov.At(0, 0)
		}
	}
	return o
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
