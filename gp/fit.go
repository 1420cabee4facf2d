package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
)

// FitStatus says what kind of result [Fit] came to.
type FitStatus int

// The outcomes of a fit.
const (
	Fitted             FitStatus = iota // hyper-parameters maximise the log posterior
	TooFewObservations                  // fewer than 2: the start is returned
	ConstantValues                      // all values equal: the start is returned, with that value as Mean
	AllStartsFailed                     // no start had a finite posterior and slope: the start is returned
)

func (s FitStatus) String() string {
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
	return fmt.Sprintf("FitStatus(%d)", int(s))
}

// FitStart tells how the search went from one starting point.
type FitStart struct {
	From, To      Hyper   // in the user's units; From is pulled inside the bounds
	Before, After float64 // log posterior there
	Evaluations   int
	Stopped       string // why the search ended, in the optimiser's words
	Err           error  // why there was no search from here, else nil
}

// FitResult tells how a fit went. The log posterior is the log likelihood plus
// the log of the priors' densities in the logarithms of the parameters.
type FitResult struct {
	Status        FitStatus
	LogLikelihood float64 // in the user's units; 0 unless Status is Fitted
	LogPosterior  float64
	Evaluations   int        // of the likelihood, all starts together
	Failed        int        // starts with an Err
	Best          int        // index into Starts, -1 unless Status is Fitted
	Starts        []FitStart // kernel by kernel
}

// Fit returns the hyper-parameters, the constant mean among them, that maximise
// the posterior of obs under cfg's priors: the log marginal likelihood, the mean
// profiled out, plus the log priors. It climbs in log space by BFGS from several
// starts, the first being start (R&W section 5.4.1). Of more observations than
// cfg.MaxObservations it takes so many at random. The kernel is start's unless
// cfg names Kinds. The result doesn't depend on the unit of the values (which is
// GuessedVariance's too). It is the same for the same arguments and state of rng.
// The searches run on as many goroutines as GOMAXPROCS allows, all over at return.
//
// Values are standardised inside by their sample mean and their scale, which is
// the sample deviation unless cfg has a GuessedVariance to temper it. Fewer than
// two observations say nothing about scales, and neither do equal values (whose
// deviation is under 1e-12 of the largest): see [FitStatus] for what comes back
// then. An error, for bad observations, start or cfg, returns start unchanged.
func Fit(obs []Observation, start Hyper, cfg FitConfig, rng *rand.Rand) (Hyper, FitResult, error) {
	res := FitResult{Best: -1}
	if err := start.Validate(); err != nil {
		return start, res, fmt.Errorf("gp: fit: start: %w", err)
	}
	dim := len(start.LengthScales)
	if err := cfg.Validate(dim); err != nil {
		return start, res, err
	}
	if err := validateAll(obs, dim); err != nil {
		return start, res, err
	}
	if len(obs) > cfg.MaxObservations {
		obs = choose(obs, cfg.MaxObservations, rng)
	}
	scaled, mean, scale, err := standardise(obs, cfg)
	if err != nil {
		return start, res, err
	}
	switch {
	case len(obs) < 2:
		res.Status = TooFewObservations
		return start.clone(), res, nil
	case scale == 0:
		h := start.clone()
		h.Mean = mean
		res.Status = ConstantValues
		return h, res, nil
	}
	tried := cfg.Kinds
	if len(tried) == 0 {
		tried = []Kind{start.Kind}
	}
	posterior := func(kind Kind) (*logPosterior, error) {
		lik, err := newLikelihood(kind, scaled, dim, cfg.Isotropic)
		if err != nil {
			return nil, err
		}
		return newPosterior(lik, cfg, mean, scale), nil
	}
	var from []climbStart
	var p *logPosterior
	for _, kind := range tried {
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
		return start.clone(), res, nil
	}
	best := res.Starts[res.Best]
	res.LogPosterior = best.After
	res.LogLikelihood = best.After - p.logPriorAt(best.To) // the priors are the same for all kinds
	return best.To.clone(), res, nil
}

func validateAll(obs []Observation, dim int) error {
	for i, o := range obs {
		err := o.Belief.Validate(dim)
		if err == nil {
			err = o.validateValue()
		}
		if err != nil {
			return fmt.Errorf("gp: observation %d of %d: %w", i, len(obs), err)
		}
	}
	return nil
}

// choose returns n of the observations in their order: from each of n/2 parts of
// equal length a random pair of neighbours.
func choose(obs []Observation, n int, rng *rand.Rand) []Observation {
	chosen := make([]Observation, 0, n)
	for part := range n / 2 {
		from, to := part*len(obs)/(n/2), (part+1)*len(obs)/(n/2)
		at := from + rng.IntN(to-from-1)
		chosen = append(chosen, obs[at:at+2]...)
	}
	return chosen
}

// climbStart is where a search begins.
type climbStart struct {
	kind Kind
	t    []float64
}

// climbAll searches from all starting points, on as many processors as there are,
// and returns how each search went, in their order. A search depends on nothing
// but its start, so that the result is the same for any number of processors.
func climbAll(from []climbStart, posterior func(Kind) (*logPosterior, error), maxEvaluations int) []FitStart {
	all := make([]FitStart, len(from))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(from)) {
		workers.Go(func() {
			var p *logPosterior
			for i := int(next.Add(1)) - 1; i < len(from); i = int(next.Add(1)) - 1 {
				if p == nil || p.lik.kind != from[i].kind {
					p, _ = posterior(from[i].kind) // the observations are valid: the caller has one of each
				}
				all[i] = p.climb(from[i].t, maxEvaluations)
			}
		})
	}
	workers.Wait()
	return all
}

// add takes in how the search from one starting point went.
func (r *FitResult) add(s FitStart) {
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

// standardise returns obs with values of mean 0, divided by their scale, and noise
// variances to match, and the mean and the scale, which is 0 when the values are
// equal but for rounding.
func standardise(obs []Observation, cfg FitConfig) (scaled []Observation, mean, scale float64, err error) {
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
		return nil, 0, 0, fmt.Errorf("%w: values up to %g are too large to have a finite variance", ErrObservation, largest)
	}
	if sd <= 1e-12*largest {
		return nil, mean, 0, nil
	}
	scale = cfg.scale(sd, len(obs))
	scaled = make([]Observation, len(obs))
	for i, o := range obs {
		scaled[i] = Observation{Belief: o.Belief, Value: (o.Value - mean) / scale, NoiseVariance: o.NoiseVariance / scale / scale}
	}
	return scaled, mean, scale, nil
}

// climb maximises the posterior from t.
func (p *logPosterior) climb(t []float64, maxEvaluations int) FitStart {
	first := p.evaluations
	p.at = nil // an evaluation that an earlier search left does not count for this one
	s := FitStart{Before: p.eval(t), From: p.hyper(t)}
	s.To, s.After = s.From, s.Before
	if slope := floats.Norm(p.grad, 1); !finite(s.Before) || !finite(slope) {
		s.Err = fmt.Errorf("gp: fit: the log posterior is %g, its gradient's norm %g, at signal variance %g, length-scales %v, noise variance %g",
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
		// 1e-4 nats can't change any decision; gradients are nats per unit of t.
		GradientThreshold: 1e-3,
		FuncEvaluations:   maxEvaluations,
		Converger:         &optimize.FunctionConverge{Absolute: 1e-4, Iterations: 4},
	}
	// A line search that ends without progress is where rounding stops it: what
	// was found counts, whatever the reason to stop.
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
