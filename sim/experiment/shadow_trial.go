package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
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
	loop
	plan   *ShadowPlan
	job    ShadowJob
	method ShadowMethod
	world  *shadowWorld
	noise  *rand.Rand

	driven *localizability.Map // along the paths so far
	at     []float64           // where the last sample was taken, as far as the robot knows; nil: nowhere yet
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
	h := t.Learnt().Hyper
	r.LengthScale, r.Noise = h.LengthScales[0]/shadowScale, h.NoiseVariance
	return r, err
}

func (p *ShadowPlan) begin(job ShadowJob) (*shadowTrial, error) {
	method, err := shadowMethodNamed(job.Method)
	if err != nil {
		return nil, err
	}
	d := shadowDraws(p.Seed, job.Trial)
	t := &shadowTrial{plan: p, job: job, method: method, world: newShadowWorld(p.Seed, job), noise: d.stream("noise")}
	t.loop = loop{
		take:  t.measure,
		first: func() []float64 { return uniform([]float64{0, 0}, []float64{1, 1}, d.stream("step 0")) },
	}
	cfg := planner.OptimizerConfig{
		Catalogue: planner.Robot(), Method: "gp-ucb", // judges points
		Beta: planner.BetaConfig{Schedule: "fixed", Fixed: p.Beta}, Strategy: planner.DefaultStrategyConfig(),
		Random: d.random("search", "fit step"),
	}
	if job.Hyper == HyperLearnt {
		cfg.Model = guess([]gp.Kind{gp.SquaredExponential}, 2, 1, p.Iterations)
	} else {
		hyper := gp.Hyper{SignalVariance: 1, LengthScales: []float64{shadowScale, shadowScale}}
		if method.matched {
			hyper.NoiseVariance = t.world.residual()
		}
		cfg.Model = known(hyper, p.Iterations)
	}
	if method.beliefs || method.judge != judgeOpen {
		cfg.Method, cfg.Aim.StdDev = "ugp-ucb", math.Hypot(shadowControl, shadowOpen)
	}
	if method.noise != noiseNone {
		t.learn = t.learnNoise
	}
	switch method.judge {
	case judgeKnown:
		cfg.Place = func(*planner.Learnt) (acquire.Placing, error) {
			return func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: isotropic(2, t.world.execution(x))} }, nil
		}
	case judgeLearnt:
		cfg.Place = t.learnPlace
	case judgeMapped:
		if t.driven, err = localizability.New(localizability.DefaultConfig(orb.Point{0, 0}, orb.Point{1, 1})); err != nil {
			return nil, err
		}
		cfg.Aim = execution.AimConfig{Learn: true, Local: true, Config: execution.DefaultConfig(cfg.Aim.StdDev)}
	}
	if method.random {
		cfg.Method = "random"
	}
	t.Optimizer, err = planner.NewOptimizer(unitSquare(), cfg)
	return t, err
}

// measure takes a sample: the robot brings its estimate near the target x and is itself
// near that. It draws five numbers, whatever the target.
func (t *shadowTrial) measure(x []float64) planner.Sample {
	s := t.world.located(x)
	estimate, taken := scatter(x, shadowControl, s, t.noise)
	located := gp.Belief{Mean: estimate, Cov: isotropic(2, s)}
	sample := planner.Sample{
		Target: x, Located: located, Value: t.world.field.Value(taken) + shadowReading*t.noise.NormFloat64(),
		Variance: shadowReading * shadowReading, Arrival: &execution.Arrival{Target: x, Located: located},
	}
	if t.driven != nil {
		t.drive(estimate)
		t.Localise(t.driven.Expect(0))
	}
	if !t.method.beliefs {
		sample.Located = gp.Point(estimate...)
	}
	return sample
}

// learnNoise adds a sample when the samples' noise depends on the model. It is that of the
// model before, and the model is computed twice, so that the last slope is that of a model
// with noise.
func (t *shadowTrial) learnNoise(planner.Sample) error {
	t.revise()
	if _, err := t.think(nil); err != nil {
		return err
	}
	t.revise()
	return nil
}

// revise gives all samples the noise that the model makes of the uncertainty of their
// places.
func (t *shadowTrial) revise() {
	learnt, noisy := t.Learnt(), slices.Clone(t.samples)
	for i := range noisy {
		located := noisy[i].Arrival.Located
		switch t.method.noise {
		case noiseSpread:
			noisy[i].Variance += learnt.Hyper.Kernel().Spread(located)
		case noiseSlope:
			noisy[i].Variance = withSlope(noisy[i].Variance, learnt.Posterior, located)
		}
	}
	t.Revise(noisy, learnt.Aim)
}

// withSlope returns a noise variance plus ∇μᵀ Σ_L ∇μ at the mean of a belief that is
// alike in all directions. Without a model there is no slope.
func withSlope(variance float64, model *gp.GP, located gp.Belief) float64 {
	if model == nil {
		return variance
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		panic(err) // points are always valid
	}
	dMean, dVar := make([]float64, 2), make([]float64, 2)
	p.PredictGrad(dMean, dVar, located.Mean)
	for _, g := range dMean {
		variance += g * g * located.Cov.At(0, 0)
	}
	return variance
}

// learnPlace learns P̂_x: from how well the robot has brought its estimate to its targets,
// and from how well it has known the places of samples nearby.
func (t *shadowTrial) learnPlace(learnt *planner.Learnt) (acquire.Placing, error) {
	arrivals := t.arrivals()
	control, err := execution.Learn(execution.DefaultConfig(math.Hypot(shadowControl, shadowOpen)), 2, execution.Controlled(arrivals))
	if err != nil {
		return nil, err
	}
	around, err := newSampleMap(2, arrivals, learnt.Hyper.LengthScales[0]/2)
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

// shadowStep is the length of path between two poses that enter the map of localisation.
const shadowStep = 0.005

// drive drives straight to a place, and maps how well the robot knows where it is.
func (t *shadowTrial) drive(to []float64) {
	from := t.at
	if t.at = slices.Clone(to); from == nil {
		from = to
	}
	length := field.Distance(from, to)
	n := max(1, int(math.Ceil(length/shadowStep)))
	for i := 1; i <= n; i++ {
		share := float64(i) / float64(n)
		p := orb.Point{from[0] + share*(to[0]-from[0]), from[1] + share*(to[1]-from[1])}
		s := t.world.located(p[:])
		t.driven.Add(0, p, s*s, max(length, shadowStep)/float64(n))
	}
}

// mapped returns the root mean square error of the posterior mean of f over the
// field, and the mean log density of f in the posterior there.
func (t *shadowTrial) mapped() (rmse, density float64) {
	const cells = 20
	x := mat.NewDense(cells*cells, 2, nil)
	n, at := 0, make([]float64, 2)
	lattice(cells, at, func() { x.SetRow(n, at); n++ })
	p, err := t.Learnt().Posterior.NewPredictor(nil)
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
