package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// predictorCache keeps a predictor from decision to decision. As long as observations are
// only added, and Σ̂ and the hyper-parameters stay the same, the predictor remembers its
// results for the places that it searched last. Each set of places has a cache of its own.
type predictorCache struct {
	predictor *gp.Predictor
	cov       *mat.SymDense // a copy of the predictor's covariance; nil: points
}

// update makes the predictor one of this model and covariance.
func (c *predictorCache) update(model *gp.GP, cov *mat.SymDense) (err error) {
	if c.predictor != nil && c.predictor.Dim() == model.Dim() && c.has(cov) {
		return c.predictor.Follow(model)
	}
	c.predictor, err = model.NewPredictor(cov)
	c.cov = nil
	if cov != nil {
		c.cov = mat.NewSymDense(cov.SymmetricDim(), nil)
		c.cov.CopySym(cov)
	}
	return err
}

// has reports whether cov is the covariance of the predictor.
func (c *predictorCache) has(cov *mat.SymDense) bool {
	if c.cov == nil || cov == nil {
		return c.cov == nil && cov == nil
	}
	return mat.Equal(c.cov, cov)
}
