package acquire

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Tracker takes a predictor from model to model. What the predictor remembers of the places among
// which it searched last it keeps as long as only observations are added, and Σ̂ and
// the hyper-parameters stay: there should be one for each set of places.
type Tracker struct {
	Predictor *gp.Predictor
	Cov       *mat.SymDense // a copy of the predictor's covariance; nil for points
}

// Track makes the predictor one of this model and covariance.
func (f *Tracker) Track(model *gp.GP, cov *mat.SymDense) (err error) {
	if f.Predictor != nil && f.Predictor.Dim() == model.Dim() && SameCov(f.Cov, cov) {
		return f.Predictor.Follow(model)
	}
	f.Predictor, err = model.NewPredictor(cov)
	f.Cov = CopyCov(cov)
	return err
}

func SameCov(a, b *mat.SymDense) bool {
	return a == nil && b == nil || a != nil && b != nil && mat.Equal(a, b)
}

func CopyCov(cov *mat.SymDense) *mat.SymDense {
	if cov == nil {
		return nil
	}
	c := mat.NewSymDense(cov.SymmetricDim(), nil)
	c.CopySym(cov)
	return c
}
