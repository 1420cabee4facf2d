package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// follower has a predictor go from model to model. What that remembers of the places among
// which it searched last it keeps as long as only observations are added, and Σ̂ and
// the hyper-parameters stay: there should be one for each set of places.
type follower struct {
	predictor *gp.Predictor
	cov       *mat.SymDense // a copy of the predictor's covariance; nil for points
}

// follow sees to it that the predictor is of this model and covariance.
func (f *follower) follow(model *gp.GP, cov *mat.SymDense) (err error) {
	if f.predictor != nil && f.predictor.Dim() == model.Dim() && sameCov(f.cov, cov) {
		return f.predictor.Follow(model)
	}
	f.predictor, err = model.NewPredictor(cov)
	f.cov = copyCov(cov)
	return err
}
