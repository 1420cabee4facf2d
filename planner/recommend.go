package planner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// ErrRecommend is wrapped by the errors of recommendations.
var ErrRecommend = errors.New("planner: nothing to recommend")

// Recommendation is the place with the best estimated outcome.
type Recommendation struct {
	X      []float64 // the place, m
	Mean   float64   // estimated outcome: posterior mean at N(X, Σ̂), unit of the values
	StdDev float64   // posterior deviation there
}

// Recommend says from which places a recommendation is taken.
type Recommend string

const (
	RecommendTarget   Recommend = "target"   // the past targets (Alg. 1, line 5)
	RecommendAnywhere Recommend = "anywhere" // the whole space
)

// Recommends lists the rules.
func Recommends() []Recommend { return []Recommend{RecommendTarget, RecommendAnywhere} }

// Inquiry is what a strategy needs to know for a recommendation.
type Inquiry struct {
	Model     *gp.GP        // of all observations; not changed
	Execution *mat.SymDense // Σ̂, m²; nil: samples are taken where they are meant to be
	Targets   [][]float64   // of the samples, in their order
	Rng       *rand.Rand    // random numbers of a search of the space
}

// adviser recommends.
type adviser struct {
	rule     Recommend
	searcher *Searcher // of RecommendAnywhere
	mean     UCB
}

// prepare draws from rng if the rule wants a search.
func (a *adviser) prepare(space Space, cfg SearchConfig, rng *rand.Rand) (err error) {
	if a.rule == RecommendAnywhere {
		a.searcher, err = NewSearcher(space, cfg, rng)
	}
	return err
}

// recommend returns the past target with the largest posterior mean under cov, or
// the place of the space that has it. The search begins at the targets, so that it
// finds no worse one, and goes no further than there are ways from the best of them.
func (a *adviser) recommend(q *Inquiry, cov *mat.SymDense) (Recommendation, error) {
	best, err := bestTarget(q.Model, cov, q.Targets)
	if err != nil || a.rule != RecommendAnywhere {
		return best, err
	}
	if a.mean.Predictor, err = q.Model.NewPredictor(cov); err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", ErrRecommend, err)
	}
	found, err := a.searcher.Maximise(Query{
		Acquisition: &a.mean, LengthScales: q.Model.Hyper().LengthScales,
		Robot: best.X, Reach: Anywhere(), Starts: q.Targets, Rng: q.Rng,
	})
	if err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", ErrRecommend, err)
	}
	mean, variance := a.mean.Predictor.Predict(found.X)
	return Recommendation{X: found.X, Mean: mean, StdDev: math.Sqrt(variance)}, nil
}

// bestTarget returns the past target with the largest posterior mean,
//
//	argmax over x_1 … x_n of μ̂_n(P̂_x),  P̂_x = N(x, Σ̂)               (Alg. 1, line 5)
//
// the first of equal ones. cov is Σ̂; nil judges targets as points. It returns an
// error when there are no targets, one is of another dimension or not finite, or
// Σ̂ is no covariance.
func bestTarget(model *gp.GP, cov *mat.SymDense, targets [][]float64) (Recommendation, error) {
	x, err := rows(model.Dim(), targets)
	if err != nil {
		return Recommendation{}, err
	}
	p, err := model.NewPredictor(cov)
	if err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", ErrRecommend, err)
	}
	means := make([]float64, len(targets))
	p.PredictBatch(means, nil, x)
	return bestOf(targets, means, func(x []float64) float64 {
		_, variance := p.Predict(x)
		return variance
	})
}

// bestUnscented returns the unscented optimal incumbent: the past target
// with the largest unscented mean of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12), the first of equal ones. cov is the
// covariance that transform was made for; the deviation given with the target is
// that at N(target, cov). The errors are as with bestTarget.
func bestUnscented(model *gp.GP, transform *Unscented, cov *mat.SymDense, targets [][]float64) (Recommendation, error) {
	x, err := rows(model.Dim(), targets)
	if err != nil {
		return Recommendation{}, err
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", ErrRecommend, err)
	}
	means := make([]float64, len(targets))
	transform.Means(means, p, x)
	return bestOf(targets, means, func(x []float64) float64 {
		_, variance := model.Posterior(gp.Belief{Mean: x, Cov: cov})
		return variance
	})
}

// rows returns the targets as the rows of a matrix, or what is wrong with them.
func rows(dim int, targets [][]float64) (*mat.Dense, error) {
	if len(targets) == 0 {
		return nil, fmt.Errorf("%w: no target has been sampled", ErrRecommend)
	}
	x := mat.NewDense(len(targets), dim, nil)
	for i, target := range targets {
		if err := finitePoint(ErrRecommend, fmt.Sprintf("target %d", i), target, dim); err != nil {
			return nil, err
		}
		x.SetRow(i, target)
	}
	return x, nil
}

// bestOf recommends the first of the targets with the largest mean.
func bestOf(targets [][]float64, means []float64, variance func([]float64) float64) (Recommendation, error) {
	best := Recommendation{Mean: math.Inf(-1)}
	for i, mean := range means {
		if mean > best.Mean {
			best.X, best.Mean = targets[i], mean
		}
	}
	if best.X == nil {
		return Recommendation{}, fmt.Errorf("%w: the posterior mean is not a finite number at any of %d targets", ErrRecommend, len(means))
	}
	best.StdDev = math.Sqrt(variance(best.X))
	best.X = append([]float64(nil), best.X...)
	return best, nil
}
