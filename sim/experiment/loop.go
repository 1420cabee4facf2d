package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/sim"
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

// random returns the random numbers of the trial's optimiser, which fits nothing. Streams are
// named after the step that they are for.
func (d draws) random() func(planner.Stream, int) *rand.Rand {
	return func(s planner.Stream, step int) *rand.Rand {
		switch s {
		case planner.StreamStrategy:
			return d.stream("strategy")
		case planner.StreamGain:
			return d.stream("gain")
		case planner.StreamSearch:
			return d.stream(fmt.Sprintf("step %d", step))
		case planner.StreamRecommend:
			return d.stream(fmt.Sprintf("recommend %d", step-1))
		}
		panic("experiment: an unknown stream of random numbers")
	}
}

// loop drives an optimiser through a trial: take a sample, learn from it, report the place
// recommended, choose the next target. The functions are what differs between experiments.
type loop struct {
	*planner.Optimizer
	first     func() []float64                      // returns the first target
	take      func(x []float64) planner.Sample      // takes a sample with target x
	learn     func(planner.Sample) error            // adds the sample that was taken last; nil: [planner.Optimizer.Add]
	exhausted func(*planner.Job) ([]float64, error) // decides instead of a job whose method has no target left; nil: that is an error

	samples []planner.Sample // as they were taken
}

// run takes n samples. After each it calls report with the sample's target and the place
// recommended. It ends early with ctx's cause when ctx ends.
func (l *loop) run(ctx context.Context, n int, report func(x, recommended []float64)) error {
	if err := l.Resume(planner.Past{Decisions: 1}); err != nil { // the first target is not the method's
		return err
	}
	x := l.first()
	for step := range n {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := l.take(x)
		l.samples = append(l.samples, s)
		if l.learn == nil {
			l.Add(s)
		} else if err := l.learn(s); err != nil {
			return err
		}
		var wish *planner.Wish
		if step+1 < n {
			wish = &planner.Wish{Robot: x, Reach: acquire.Anywhere()}
		}
		job, err := l.think(wish)
		if err != nil {
			return err
		}
		report(x, job.Best.X)
		if wish == nil {
			return nil
		}
		if x, err = l.decide(job); err != nil {
			return err
		}
	}
	return nil
}

// think runs a job and adopts what it has learnt.
func (l *loop) think(wish *planner.Wish) (*planner.Job, error) {
	job := l.Job(wish)
	if job.Run(); job.Err != nil {
		return nil, job.Err
	}
	l.Adopt(job)
	return job, nil
}

// decide counts the decision of a job and returns its target.
func (l *loop) decide(job *planner.Job) ([]float64, error) {
	if l.exhausted != nil && errors.Is(job.NoTarget, acquire.ErrNoTarget) {
		return l.exhausted(job)
	}
	l.Decide(job)
	return job.Target.X, job.NoTarget
}

// arrivals returns what the samples teach of the execution noise.
func (l *loop) arrivals() []execution.Arrival {
	list := make([]execution.Arrival, len(l.samples))
	for i, s := range l.samples {
		list[i] = *s.Arrival
	}
	return list
}

// known is a model with known hyper-parameters, exact for a number of samples.
func known(h gp.Hyper, samples int) planner.ModelConfig {
	return planner.ModelConfig{
		Start: &h, Kinds: []gp.Kind{h.Kind}, Prior: fit.DefaultConfig(h.LengthScales[0]), ExactLimit: samples,
	}
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
