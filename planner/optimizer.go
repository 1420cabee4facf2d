// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
)

// Optimizer learns a field from samples and decides where to take the next one. The
// robot's node, the experiments and the replay of a bag all drive it in the same way:
// samples go in by [Optimizer.Add]; a [Job] learns from a snapshot of them, and decides,
// on any goroutine; [Optimizer.Adopt] takes over what it has learnt, and
// [Optimizer.Decide] counts its decision where that is carried out.
//
// Use an Optimizer on one goroutine; its jobs may run on others. The same samples,
// adopted jobs and random numbers give the same decisions.
type Optimizer struct {
	setup
	known     []Sample
	heard     []gp.Observation // of the second quantity
	learnt    Learnt
	bases     []basis                     // of earlier models of the present samples, before some of these were struck or restored
	fitted    int                         // samples known to the last fit
	expected  *localizability.Expectation // nil: nothing is known
	decisions int                         // carried out so far
	chosen    [][]float64                 // their targets
}

// setup holds what an optimiser and its jobs share.
type setup struct {
	cfg      OptimizerConfig
	space    field.Space
	strategy Strategy
	form     SampleForm // of the method
	fitting  fit.Config
	limits   gp.SparseConfig
}

// Sample is one observation, with its target and where it was probably taken.
type Sample struct {
	Target   []float64 // x, where it was meant to be taken, m
	Located  gp.Belief // P^L, where it was probably taken
	Value    float64   // model units
	Variance float64   // of the value's own noise, model units squared

	// Arrived says that the sample carries information about the execution noise. It does not where
	// the target was given up, or another robot went there.
	Arrived bool

	// Robot took the sample, and Number is its own for it. It is "" for the one that decides. The target of another's,
	// or of a sample from before the mission, can be recommended only if it lies in the space.
	Robot  string
	Number int
	Struck bool // it does not count
	OnWay  bool // it was taken while the robot drove: Located contains the piece of path, of which Value is the mean

	entered gp.Observation // in the form in which it entered the model, see [Optimizer.Add]
}

// basis is the starting point of a job, in addition to its samples. The same basis and samples give the same model.
type basis struct {
	struck []bool // whether each sample is excluded
	start  gp.Hyper
	noise  execution.Noise
}

// Learnt is what a [Job] has learnt from the samples.
type Learnt struct {
	Samples        int         // number of samples that it was learnt from
	Posterior      *gp.GP      // of the most likely hyper-parameters, by which targets are chosen; nil before the first sample; never changed
	Hyper          gp.Hyper    // of the posterior
	Mixture        fit.Mixture // what is known of the field: the models that maps and recommendations are averaged over; never changed
	Fitted         bool        // Hyper was fitted to these samples, not to earlier ones
	ExecutionNoise execution.Noise
	Beta           float64        // of the next decision, whether the method uses it or not
	Best           Recommendation // empty before the first sample

	Secondary   *gp.GP      // posterior of the second quantity, in its own unit; nil: nothing was heard; never changed
	fittedHeard int         // number of heard values to which its hyper-parameters are fitted
	Correlation Correlation // with the second quantity; 0 ± 0 without one

	basis basis
}

// NewOptimizer returns an optimiser over a space. The error says what is wrong with the
// configuration.
func NewOptimizer(space field.Space, cfg OptimizerConfig) (*Optimizer, error) {
	if cfg.Random == nil || len(cfg.Model.Kinds) == 0 {
		return nil, fmt.Errorf("%w: random source and kernels must be given", ErrStrategy)
	}
	err := cfg.ExecutionNoise.Validate()
	if err != nil {
		return nil, err
	}
	o := &Optimizer{setup: setup{cfg: cfg, space: space, limits: gp.DefaultSparseConfig()}}
	o.fitting = cfg.Model.fitting()
	o.limits.ExactLimit = cfg.Model.ExactLimit
	method, err := cfg.Catalogue.Method(cfg.Method)
	if err != nil {
		return nil, err
	}
	o.form = method.Form
	o.strategy = method.NewStrategy(space, cfg.Strategy, cfg.Random(StreamStrategy, 0))
	o.learnt = Learnt{Hyper: cfg.Model.hyper(space.Dim()), ExecutionNoise: cfg.ExecutionNoise.Noise(space.Dim())}
	return o, nil
}

// Check returns why a sample cannot enter the model, or the execution noise cannot be learnt from it; nil
// when they can.
func (o *Optimizer) Check(s Sample) error {
	if err := o.observation(s).Validate(o.space.Dim()); err != nil || !s.Arrived {
		return err
	}
	return execution.Arrival{Target: s.Target, Located: s.Located}.Validate(o.space.Dim())
}

// Add adds a sample, from which the next job learns.
func (o *Optimizer) Add(s Sample) {
	s.Target, s.entered = slices.Clone(s.Target), o.observation(s)
	o.known = append(o.known, s)
}

// Strike excludes a sample from the next jobs, or includes it again; of several samples of a robot with this number, the newest. The next
// model depends only on the samples that count, not on what was learnt before. If a sample is struck and restored, the model is the same as
// before, to the last bit.
func (o *Optimizer) Strike(robot string, number int, struck bool) {
	for i, s := range slices.Backward(o.known) {
		if s.Robot != robot || s.Number != number {
			continue
		}
		if s.Struck != struck && !o.Restruck() {
			o.bases = append(slices.DeleteFunc(o.bases, func(b basis) bool { return len(b.struck) < len(o.known) }), o.learnt.basis)
		}
		o.known[i].Struck = struck
		return
	}
}

// sameStrikes reports whether the samples of which a basis knows count now as they did then.
func (o *Optimizer) sameStrikes(b basis) bool {
	for i, struck := range b.struck {
		if o.known[i].Struck != struck {
			return false
		}
	}
	return true
}

// Restruck reports whether samples were struck or restored since they were learnt.
func (o *Optimizer) Restruck() bool { return !o.sameStrikes(o.learnt.basis) }

// Outdated reports whether samples were struck or restored since a job began.
func (o *Optimizer) Outdated(j *Job) bool { return !o.sameStrikes(j.basis) }

// Behind reports whether the model is not that of the samples which count, and of all that was heard.
func (o *Optimizer) Behind() bool {
	return o.Restruck() || o.Len() > o.Modelled() || o.Len() > 0 && len(o.heard) > o.learnt.heard()
}

func (o *Optimizer) observation(s Sample) gp.Observation {
	belief := o.form.Input(s.Located, slices.Clone(s.Target), o.learnt.ExecutionNoise.Cov)
	return gp.Observation{Belief: belief, Value: s.Value, NoiseVariance: s.Variance, OnePlace: o.cfg.Model.OnePlace && !s.OnWay}
}

// SetExpectation sets what is expected of the robot's localisation, by which the next jobs judge targets if the configuration's
// ExecutionNoise is local; nil: nothing is known.
func (o *Optimizer) SetExpectation(e *localizability.Expectation) { o.expected = e }

// Expectation returns how well the robot will know its place elsewhere; nil: as well as usual.
func (o *Optimizer) Expectation() *localizability.Expectation {
	if !o.learnt.ExecutionNoise.ByPlace() {
		return nil
	}
	return o.expected
}

// Len returns the number of samples that count.
func (o *Optimizer) Len() (n int) {
	for i := range o.known {
		if !o.known[i].Struck {
			n++
		}
	}
	return n
}

// Learnt returns what was learnt last.
func (o *Optimizer) Learnt() *Learnt { return &o.learnt }

// Prior returns the hyper-parameters before the first sample, and the configuration of the
// fits, which has the priors of those that are learnt.
func (o *Optimizer) Prior() (gp.Hyper, fit.Config) {
	return o.cfg.Model.hyper(o.space.Dim()), o.fitting
}

// Decisions returns how many decisions were carried out.
func (o *Optimizer) Decisions() int { return o.decisions }

// fittingOf returns the configuration of a short fit of one kernel.
func (o *setup) fittingOf(kind gp.Kind) fit.Config {
	f := o.fitting
	f.Kinds, f.Starts = []gp.Kind{kind}, min(f.Starts, 2)
	return f
}

// QueryCov returns the Σ̂ under which targets are judged now, m²; nil when they are judged
// as points.
func (o *Optimizer) QueryCov() *mat.SymDense {
	return o.form.QueryCov(o.learnt.ExecutionNoise.Cov)
}

// Job returns one round of learning and, unless request is nil, deciding, on a snapshot of
// what is known.
func (o *Optimizer) Job(request *TargetRequest) *Job {
	j := o.job()
	j.request = request
	n, restruck := j.Samples, o.Restruck()
	if !restruck {
		j.old = o.learnt.Posterior
	} else if i := slices.IndexFunc(o.bases, func(b basis) bool { return len(b.struck) == len(o.known) && o.sameStrikes(b) }); i >= 0 {
		j.start, j.ExecutionNoise = o.bases[i].start, o.bases[i].noise
	} else { // hyper-parameters that a wrong value has led astray are no place to begin
		j.start = o.cfg.Model.hyper(o.space.Dim())
	}
	j.basis.start, j.basis.noise = j.start, j.ExecutionNoise
	few := !o.cfg.Model.FitEveryTenth && n <= o.fitting.MaxObservations
	j.Fitted = o.cfg.Model.Fit && n > 0 && (few || restruck || n-o.fitted >= int(moreToFit*float64(n)))
	return j
}

// job returns a job that learns everything again under the present hyper-parameters.
func (o *Optimizer) job() *Job {
	j := &Job{o: &o.setup, step: o.decisions, start: o.learnt.Hyper, chosen: o.chosen, expected: o.expected, allHeard: o.heard}
	j.ExecutionNoise, j.Secondary, j.fittedHeard = o.learnt.ExecutionNoise, o.learnt.Secondary, o.learnt.fittedHeard
	for _, s := range o.known {
		j.basis.struck = append(j.basis.struck, s.Struck)
		if s.Struck {
			continue
		}
		j.samples, j.targets = append(j.samples, s.entered), append(j.targets, s.Target)
		if s.Robot == "" || o.space.Contains(s.Target) {
			j.eligible = append(j.eligible, s.Target)
		}
		if s.Arrived {
			j.arrivals = append(j.arrivals, execution.Arrival{Target: s.Target, Located: s.Located})
		}
	}
	j.Samples = len(j.samples)
	return j
}

// Adopt takes over what a job has learnt if it learnt from more samples than the posterior
// has, or from others since some were struck or restored, or if more was heard, and reports whether it does.
func (o *Optimizer) Adopt(j *Job) bool {
	more := j.Samples > o.Modelled() || o.Restruck() || j.Samples > 0 && j.heard() > o.learnt.heard()
	if j.Err != nil || o.Outdated(j) || !more {
		return false
	}
	o.learnt = j.Learnt
	if j.Fitted {
		o.fitted = j.Samples
	}
	return true
}

// Modelled returns the number of samples in the posterior.
func (o *Optimizer) Modelled() int {
	if o.learnt.Posterior == nil {
		return 0
	}
	return o.learnt.Posterior.Len()
}

// Decide counts the decision of a job that is carried out, whether it has a target or not.
func (o *Optimizer) Decide(j *Job) {
	o.decisions++
	if j.NoTarget == nil {
		o.chosen = append(o.chosen, j.Target.X)
	}
}

// GiveUp is called when the robot has given up a target. A grid may choose it once more.
func (o *Optimizer) GiveUp(target []float64) {
	if i := slices.IndexFunc(o.chosen, func(c []float64) bool { return slices.Equal(c, target) }); i >= 0 {
		o.chosen = slices.Concat(o.chosen[:i], o.chosen[i+1:]) // a job may use the old ones
	}
}

// Past is what an earlier run of a mission had decided and learnt.
type Past struct {
	Decisions int         // carried out
	Chosen    [][]float64 // their targets, in their order
	Hyper     *gp.Hyper   // learnt last; nil: nothing
	Fitted    int         // samples known to the last fit; 0: another one is due, since the configuration has changed
	Whole     bool        // Hyper is what would be learnt now: it is of all samples, under the same configuration
}

// Resume continues from the decisions of an earlier run and from what it had learnt from
// the samples added so far. With p.Whole nothing is fitted again, so that the next decision
// is the one that the earlier run would have made; else the next job fits if one of that run
// would have.
func (o *Optimizer) Resume(p Past) error {
	o.decisions, o.chosen = p.Decisions, p.Chosen
	if p.Hyper == nil || !o.cfg.Model.Fit {
		return nil
	}
	h := *p.Hyper
	if !slices.Contains(o.cfg.Model.Kinds, h.Kind) {
		h.Kind = o.cfg.Model.Kinds[0]
	}
	h.Weights = slices.Clone(h.Weights)
	o.cfg.Model.addCovariates(&h)
	alone := h
	alone.Correlation = 0 // its second quantity comes with the next job
	if err := alone.Validate(); err != nil {
		return err
	}
	o.learnt.Hyper, o.fitted = h, p.Fitted
	if !p.Whole {
		return nil
	}
	j := o.job()
	j.resumed = p.Fitted == j.Samples
	if j.Run(); j.Err != nil {
		return j.Err
	}
	o.learnt = j.Learnt
	return nil
}
