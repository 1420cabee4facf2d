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
	Mean   float64 // posterior mean at N(target, Σ̂), unit of the values
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
	if len(targets) == 0 {
		return Recommendation{}, fmt.Errorf("%w: no target has been sampled", ErrRecommend)
	}
	p, err := model.NewPredictor(cov)
	if err != nil {
		return Recommendation{}, fmt.Errorf("%w: %w", ErrRecommend, err)
	}
	best := Recommendation{Index: -1, Mean: math.Inf(-1)}
	for i, x := range targets {
		if err := finitePoint(ErrRecommend, fmt.Sprintf("target %d", i), x, model.Dim()); err != nil {
			return Recommendation{}, err
		}
		if mean, variance := p.Predict(x); mean > best.Mean {
			best = Recommendation{Index: i, Mean: mean, StdDev: math.Sqrt(variance)}
		}
	}
	if best.Index < 0 {
		return Recommendation{}, fmt.Errorf("%w: the posterior mean is not a finite number at any of %d targets", ErrRecommend, len(targets))
	}
	return best, nil
}
