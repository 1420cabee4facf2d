package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
	"ugp_explorer/sim/experiment/paper"
)

// draws are the random numbers of a trial. Each part of the trial has a stream of its
// own, which is the same for every method and setting.
type draws struct {
	seed  uint64
	name  string // of the experiment
	trial int
}

func (d draws) stream(part string) *rand.Rand {
	return sim.Stream(d.seed, fmt.Sprintf("%s/%d/%s", d.name, d.trial, part))
}

// optimiser is the loop of every trial: choose a target, take a sample, learn from it,
// recommend a place. The fields up to rounds are what experiments do differently.
type optimiser struct {
	draws
	strategy  planner.Strategy
	first     func() []float64                                     // returns the first target
	exhausted func(planner.Request) ([]float64, error)             // returns a target when the strategy has none left; nil: that is an error
	take      func(x []float64) (located gp.Belief, value float64) // takes a sample with target x
	observe   func(i int) gp.Observation                           // returns the form in which sample i enters the model
	execution *mat.SymDense                                        // Σ̂, the covariance by which targets are judged; nil judges them as points
	place     acquire.Placing                                      // replaces N(x, Σ̂); may be nil
	before    func() (changed bool, err error)                     // runs before a sample is learnt and reports whether earlier observations have changed; may be nil
	after     func() error                                         // runs after a sample is learnt; may be nil

	hyper   gp.Hyper
	fit     *gp.FitConfig // nil: hyper is known
	fitPart string        // format of the name of the fit's stream, with the number of samples
	average int           // number of hyper-parameters that decisions are averaged over; less than 2: the fit alone
	rounds  int           // computations of the model for each sample: more than 1 when observations depend on the model

	model    *gp.GP
	members  []gp.Member
	targets  [][]float64
	chosen   [][]float64 // those of them that the strategy chose
	arrivals []execution.Arrival
	values   []float64
}

// begin makes the strategy and the model without samples. The strategy draws from the
// stream of the given part.
func (o *optimiser) begin(method string, space field.Space, cfg planner.StrategyConfig, part string) (err error) {
	m, err := paper.Catalogue().Method(method)
	if err != nil {
		return err
	}
	if o.strategy, err = m.NewStrategy(space, cfg, o.stream(part)); err != nil {
		return err
	}
	o.model, err = gp.New(o.hyper)
	return err
}

// run takes n samples. After each it calls report with the sample's target and the place
// recommended. It ends early with ctx's cause when ctx ends.
func (o *optimiser) run(ctx context.Context, n int, report func(x, recommended []float64)) error {
	for step := range n {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		x, err := o.target(step)
		if err != nil {
			return err
		}
		if err := o.sample(x); err != nil {
			return err
		}
		best, err := o.strategy.Recommend(planner.Inquiry{
			Model: o.model, Members: o.members, Execution: o.execution, Place: o.place, Targets: o.targets,
			Rng: o.stream(fmt.Sprintf("recommend %d", step)),
		})
		if err != nil {
			return err
		}
		report(x, best.X)
	}
	return nil
}

// target returns the target of a step, counted from 0.
func (o *optimiser) target(step int) ([]float64, error) {
	if step == 0 {
		return o.first(), nil
	}
	request := planner.Request{
		Model: o.model, Members: o.members, Execution: o.execution, Place: o.place, Step: step,
		Chosen: o.chosen, Robot: o.targets[step-1], Reach: acquire.Anywhere(), Rng: o.stream(fmt.Sprintf("step %d", step)),
	}
	target, err := o.strategy.Next(request)
	if o.exhausted != nil && errors.Is(err, acquire.ErrNoTarget) {
		return o.exhausted(request)
	}
	o.chosen = append(o.chosen, target.X)
	return target.X, err
}

// sample takes a sample with target x and learns from it.
func (o *optimiser) sample(x []float64) error {
	located, value := o.take(x)
	o.targets = append(o.targets, x)
	o.arrivals = append(o.arrivals, execution.Arrival{Target: x, Located: located})
	o.values = append(o.values, value)
	changed := false
	if o.before != nil {
		var err error
		if changed, err = o.before(); err != nil {
			return err
		}
	}
	if err := o.learn(changed); err != nil || o.after == nil {
		return err
	}
	return o.after()
}

// learn brings hyper-parameters and model up to date with the last sample. changed says
// that earlier observations are no longer what the model was given.
func (o *optimiser) learn(changed bool) (err error) {
	n := len(o.values)
	if o.fit == nil && o.rounds < 2 && !changed {
		return o.model.Add(o.observe(n - 1))
	}
	if o.fit != nil && n == 1 {
		o.hyper.Mean = o.values[0]
	}
	observations := make([]gp.Observation, n)
	for range max(o.rounds, 1) {
		for i := range observations {
			observations[i] = o.observe(i)
		}
		if o.fit != nil {
			if o.hyper, _, err = gp.Fit(observations, o.hyper, *o.fit, o.stream(fmt.Sprintf(o.fitPart, n))); err != nil {
				return err
			}
		}
		model, err := gp.New(o.hyper)
		if err != nil {
			return err
		}
		if err := model.AddAll(observations); err != nil {
			return err
		}
		o.model = model
	}
	if o.fit == nil || o.average < 2 {
		return nil
	}
	hypers, err := gp.Average(observations, o.hyper, *o.fit, o.average, o.stream(fmt.Sprintf("average %d", n)))
	if err != nil {
		return err
	}
	o.members, err = gp.NewMembers(observations, hypers)
	return err
}

// guess prepares the optimiser to learn the hyper-parameters as the explorer does when
// the user says nothing about the field. side is that of a square with the field's area.
func (o *optimiser) guess(kind gp.Kind, dim int, side float64) {
	length := side / 6
	o.hyper = gp.Hyper{Kind: kind, SignalVariance: 1, LengthScales: slices.Repeat([]float64{length}, dim), NoiseVariance: 0.01}
	fit := gp.DefaultFitConfig(length)
	fit.Isotropic, fit.GuessedVariance = true, o.hyper.SignalVariance
	o.fit = &fit
}

// scatter returns a place that is off x by N(0, near²) in each coordinate, and one that
// is off the first by N(0, far²).
func scatter(x []float64, near, far float64, rng *rand.Rand) (a, b []float64) {
	a, b = make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		a[i] = v + near*rng.NormFloat64()
		b[i] = a[i] + far*rng.NormFloat64()
	}
	return a, b
}

// uniform draws a place of the box between lo and hi.
func uniform(lo, hi []float64, rng *rand.Rand) []float64 {
	x := make([]float64, len(lo))
	for i := range x {
		x[i] = lo[i] + rng.Float64()*(hi[i]-lo[i])
	}
	return x
}
