package planner

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// ErrRecommend is wrapped by the errors of [Recommend].
var ErrRecommend = errors.New("planner: nothing to recommend")

// Recommendation is the past target with the best estimated outcome.
type Recommendation struct {
	Index  int     // of the target
	Mean   float64 // estimated outcome: posterior mean at N(target, Σ̂), unit of the values
	StdDev float64 // posterior deviation there
}

// Recommend returns the past target with the largest posterior mean,
//
//	argmax over x_1 … x_n of μ̂_n(P̂_x),  P̂_x = N(x, Σ̂)               (Alg. 1, line 5)
//
// the first of equal ones. cov is Σ̂; nil judges targets as points. It returns an
// error when there are no targets, one is of another dimension or not finite, or
// Σ̂ is no covariance.
func Recommend(model *gp.GP, cov *mat.SymDense, targets [][]float64) (Recommendation, error) {
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
	return bestOf(means, func(i int) float64 {
		_, variance := p.Predict(targets[i])
		return variance
	})
}

// RecommendUnscented returns the unscented optimal incumbent: the past target
// with the largest unscented mean of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12), the first of equal ones. cov is the
// covariance that transform was made for; the deviation given with the target is
// that at N(target, cov). The errors are as with [Recommend].
func RecommendUnscented(model *gp.GP, transform *Unscented, cov *mat.SymDense, targets [][]float64) (Recommendation, error) {
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
	return bestOf(means, func(i int) float64 {
		_, variance := model.Posterior(gp.Belief{Mean: targets[i], Cov: cov})
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
func bestOf(means []float64, variance func(int) float64) (Recommendation, error) {
	best := Recommendation{Index: -1, Mean: math.Inf(-1)}
	for i, mean := range means {
		if mean > best.Mean {
			best.Index, best.Mean = i, mean
		}
	}
	if best.Index < 0 {
		return Recommendation{}, fmt.Errorf("%w: the posterior mean is not a finite number at any of %d targets", ErrRecommend, len(means))
	}
	best.StdDev = math.Sqrt(variance(best.Index))
	return best, nil
}
