package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// tracker takes a predictor from model to model. What the predictor remembers of the places among
// which it searched last it keeps as long as only observations are added, and Σ̂ and
// the hyper-parameters stay: there should be one for each set of places.
type tracker struct {
	predictor *gp.Predictor
	cov       *mat.SymDense // a copy of the predictor's covariance; nil for points
}

// track makes the predictor one of this model and covariance.
func (f *tracker) track(model *gp.GP, cov *mat.SymDense) (err error) {
	if f.predictor != nil && f.predictor.Dim() == model.Dim() && sameCov(f.cov, cov) {
		return f.predictor.Follow(model)
	}
	f.predictor, err = model.NewPredictor(cov)
	f.cov = copyCov(cov)
	return err
}
