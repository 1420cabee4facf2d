package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
)

// Status is the outcome of [Hyper].
type Status int

// The outcomes of a fit.
const (
	Fitted             Status = iota // the hyper-parameters maximise the log posterior
	TooFewObservations               // fewer than 2 observations: the start is returned
	ConstantValues                   // all values are equal: the start is returned, with that value as Mean
	AllStartsFailed                  // no start has a finite posterior and gradient: the start is returned
)

func (s Status) String() string {
	switch s {
	case Fitted:
		return "fitted"
	case TooFewObservations:
		return "too few observations"
	case ConstantValues:
		return "all values equal"
	case AllStartsFailed:
		return "all starts failed"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// Start reports the search from one starting point.
type Start struct {
	From, To      gp.Hyper // where it began and ended, in the user's units; From is moved inside the bounds
	Before, After float64  // log posterior at From and To
	Evaluations   int      // of the likelihood
	Stopped       string   // why the search ended, in the optimiser's words
	Err           error    // why there was no search from this point, else nil
}

// Result reports a fit. The log posterior is the log likelihood plus the log
// densities of the priors, which are densities of the logarithms of the parameters.
type Result struct {
	Status        Status
	LogLikelihood float64 // restricted; in the user's units; 0 unless Status is Fitted
	LogPosterior  float64 // in the user's units; 0 unless Status is Fitted
	Evaluations   int     // of the likelihood, over all starts
	Failed        int     // number of starts with an Err
	Best          int     // index into Starts, -1 unless Status is Fitted
	Starts        []Start // kernel by kernel
}

// Hyper returns the hyper-parameters, including the constant mean, that maximise their
// posterior given obs and the priors of cfg: the log restricted likelihood, in which the
// mean is integrated out under a flat prior, plus the log priors (R&W sections 2.7 and
// 5.4.1). The mean is then its expected value. It searches in log space by BFGS from
// several starts; start is the first. If there are more than
// cfg.MaxObservations observations, a random choice of that size is used. The kernel is
// that of start unless cfg names Kinds. The unit of the values, which is also that of
// GuessedVariance, does not affect the result. The same arguments and state of rng give
// the same result. The searches run on at most GOMAXPROCS goroutines, which have ended
// when Hyper returns.
//
// The values are standardised by their sample mean and their scale. The scale is the
// sample standard deviation, or a compromise between that and cfg.GuessedVariance.
// Fewer than two observations give no scale, nor do equal values (a standard deviation
// of at most 1e-12 of the largest value); [Status] says what is returned then. An
// error means bad observations, start or cfg, and start is returned unchanged.
func Hyper(obs []gp.Observation, start gp.Hyper, cfg Config, rng *rand.Rand) (gp.Hyper, Result, error) {
	res := Result{Best: -1}
	if err := start.Validate(); err != nil {
		return start, res, fmt.Errorf("fit: start: %w", err)
	}
	d, err := prepare(obs, len(start.LengthScales), cfg, rng)
	if err != nil {
		return start, res, err
	}
	switch {
	case d.n < 2:
		res.Status = TooFewObservations
		return copied(start), res, nil
	case d.scale == 0:
		h := copied(start)
		h.Mean = d.mean
		res.Status = ConstantValues
		return h, res, nil
	}
	posterior := func(kind gp.Kind) (*logPosterior, error) { return d.posterior(kind, cfg) }
	var from []climbStart
	var p *logPosterior
	for _, kind := range cfg.kinds(start) {
		if p, err = posterior(kind); err != nil {
			return start, res, err
		}
		for _, t := range p.starts(start, cfg.Starts, rng) {
			from = append(from, climbStart{kind, t})
		}
	}
	for _, s := range climbAll(from, posterior, cfg.MaxEvaluations) {
		res.add(s)
	}
	if res.Best < 0 {
		res.Status = AllStartsFailed
		return copied(start), res, nil
	}
	best := res.Starts[res.Best]
	res.LogPosterior = best.After
	res.LogLikelihood = best.After - p.logPriorAt(best.To) // the priors are the same for all kinds
	return copied(best.To), res, nil
}

// copied returns a deep copy of h.
func copied(h gp.Hyper) gp.Hyper {
	h.LengthScales = slices.Clone(h.LengthScales)
	return h
}

// data are observations that are prepared for a fit: not too many, and standardised.
type data struct {
	n, dim      int
	scaled      []gp.Observation // nil if n < 2 or scale is 0
	mean, scale float64          // of the values; see standardise
}

// prepare checks the observations and cfg, chooses cfg.MaxObservations of them if there are more,
// and standardises them.
func prepare(obs []gp.Observation, dim int, cfg Config, rng *rand.Rand) (d data, err error) {
	if err := cfg.Validate(dim); err != nil {
		return d, err
	}
	if err := validateAll(obs, dim); err != nil {
		return d, err
	}
	if len(obs) > cfg.MaxObservations {
		obs = choose(obs, cfg.MaxObservations, rng)
	}
	d = data{n: len(obs), dim: dim}
	d.scaled, d.mean, d.scale, err = standardise(obs, cfg)
	return d, err
}

// posterior returns the posterior of the hyper-parameters of a kernel.
func (d *data) posterior(kind gp.Kind, cfg Config) (*logPosterior, error) {
	lik, err := newLikelihood(kind, d.scaled, d.dim, cfg.Isotropic)
	if err != nil {
		return nil, err
	}
	return newPosterior(lik, cfg, d.mean, d.scale), nil
}

// kinds returns the kernels to choose from: that of h unless the configuration names others.
func (c *Config) kinds(h gp.Hyper) []gp.Kind {
	if len(c.Kinds) == 0 {
		return []gp.Kind{h.Kind}
	}
	return c.Kinds
}

func validateAll(obs []gp.Observation, dim int) error {
	for i, o := range obs {
		if err := o.Validate(dim); err != nil {
			return fmt.Errorf("fit: observation %d of %d: %w", i, len(obs), err)
		}
	}
	return nil
}

// choose returns n of the observations in their order: a random pair of neighbours from
// each of n/2 parts of equal length.
func choose(obs []gp.Observation, n int, rng *rand.Rand) []gp.Observation {
	chosen := make([]gp.Observation, 0, n)
	for part := range n / 2 {
		from, to := part*len(obs)/(n/2), (part+1)*len(obs)/(n/2)
		at := from + rng.IntN(to-from-1)
		chosen = append(chosen, obs[at:at+2]...)
	}
	return chosen
}

// climbStart is a starting point of a search.
type climbStart struct {
	kind gp.Kind
	t    []float64
}

// climbAll searches from all starting points on all processors and returns the reports
// in the order of the starting points. Each search depends only on its start, so the
// result is the same for any number of processors.
func climbAll(from []climbStart, posterior func(gp.Kind) (*logPosterior, error), maxEvaluations int) []Start {
	all := make([]Start, len(from))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(from)) {
		workers.Go(func() {
			var p *logPosterior
			for i := int(next.Add(1)) - 1; i < len(from); i = int(next.Add(1)) - 1 {
				if p == nil || p.lik.kind != from[i].kind {
					p, _ = posterior(from[i].kind) // no error: the caller has made one of each kind
				}
				all[i] = p.climb(from[i].t, maxEvaluations)
			}
		})
	}
	workers.Wait()
	return all
}

// add appends the report of one search.
func (r *Result) add(s Start) {
	r.Starts = append(r.Starts, s)
	r.Evaluations += s.Evaluations
	if s.Err != nil {
		r.Failed++
		return
	}
	if r.Best < 0 || s.After > r.Starts[r.Best].After {
		r.Best = len(r.Starts) - 1
	}
}

// standardise returns obs with the mean subtracted from the values, values divided by
// their scale and noise variances by its square; and the mean and the scale. The scale
// is 0 if the values are equal up to rounding.
func standardise(obs []gp.Observation, cfg Config) (scaled []gp.Observation, mean, scale float64, err error) {
	y := make([]float64, len(obs))
	largest := 0.0
	for i, o := range obs {
		y[i] = o.Value
		largest = max(largest, math.Abs(o.Value))
	}
	if len(obs) < 2 {
		return nil, 0, 0, nil
	}
	mean, sd := stat.MeanStdDev(y, nil)
	if !finite(mean) || !finite(sd) {
		return nil, 0, 0, fmt.Errorf("%w: values up to %g are too large to have a finite variance", gp.ErrObservation, largest)
	}
	if sd <= 1e-12*largest {
		return nil, mean, 0, nil
	}
	scale = cfg.scale(sd, len(obs))
	scaled = make([]gp.Observation, len(obs))
	for i, o := range obs {
		scaled[i] = gp.Observation{Belief: o.Belief, Value: (o.Value - mean) / scale, NoiseVariance: o.NoiseVariance / scale / scale}
	}
	return scaled, mean, scale, nil
}

// climb maximises the posterior from t.
func (p *logPosterior) climb(t []float64, maxEvaluations int) Start {
	first := p.evaluations
	p.at = nil // so that every search counts the evaluation of its own start
	s := Start{Before: p.eval(t), From: p.hyper(t)}
	s.To, s.After = s.From, s.Before
	if slope := floats.Norm(p.grad, 1); !finite(s.Before) || !finite(slope) {
		s.Err = fmt.Errorf("fit: the log posterior is %g and the norm of its gradient %g at signal variance %g, length-scales %v and noise variance %g",
			s.Before, slope, s.From.SignalVariance, s.From.LengthScales, s.From.NoiseVariance)
		s.Evaluations = p.evaluations - first
		return s
	}
	best := append([]float64(nil), t...)
	problem := optimize.Problem{
		Func: func(t []float64) float64 {
			v := p.eval(t)
			if v > s.After {
				s.After = v
				copy(best, t)
			}
			return -v
		},
		Grad: func(grad, t []float64) {
			p.eval(t)
			for i, g := range p.grad {
				grad[i] = -g
			}
		},
	}
	settings := &optimize.Settings{
		// 1e-4 nats cannot change a decision; gradients are in nats per unit of t.
		GradientThreshold: 1e-3,
		FuncEvaluations:   maxEvaluations,
		Converger:         &optimize.FunctionConverge{Absolute: 1e-4, Iterations: 4},
	}
	// A line search may end without progress because of rounding. The best point found
	// counts, whatever the reason to stop.
	end, err := optimize.Minimize(problem, t, settings, &optimize.BFGS{})
	switch {
	case err != nil:
		s.Stopped = err.Error()
	case end != nil:
		s.Stopped = end.Status.String()
	}
	s.To = p.hyper(best)
	s.Evaluations = p.evaluations - first
	return s
}
