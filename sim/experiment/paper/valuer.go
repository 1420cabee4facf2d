package paper

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// eiValuer is the expected improvement over the largest posterior mean at the places of
// the data.
type eiValuer struct{ improvement }

// Acquisition implements [planner.Valuer].
func (v *eiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	return v.over(c, nil, false)
}

// over returns the improvement with the transform for a covariance: over the largest unscented
// posterior mean at the places of the data or, if noisy, over the largest value observed.
func (v *eiValuer) over(c *planner.Case, cov *mat.SymDense, noisy bool) (acquire.Acquisition, error) {
	var err error
	if v.places, err = NewUnscented(c.Model.Dim(), cov); err != nil {
		return nil, err
	}
	observations := c.Model.Observations()
	values := make([]float64, len(observations))
	if noisy {
		for i, o := range observations {
			values[i] = o.Value
		}
	} else {
		x := mat.NewDense(len(observations), c.Model.Dim(), nil)
		for i, o := range observations {
			x.SetRow(i, o.Belief.Mean)
		}
		v.places.Means(values, c.Predictor, x)
	}
	v.predictor, v.incumbent = c.Predictor, slices.Max(values)
	return &v.improvement, nil
}

// ueiValuer is the unscented expected improvement under Σ̂.
type ueiValuer struct {
	eiValuer
	noisy bool
}

var _ planner.TargetJudge = (*ueiValuer)(nil)

// Acquisition implements [planner.Valuer].
func (v *ueiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	return v.over(c, c.Execution, v.noisy)
}

// TargetMeans writes the unscented means of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12). The target with the largest one is the unscented
// optimal incumbent.
func (v *ueiValuer) TargetMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error {
	transform, err := NewUnscented(model.Dim(), execution)
	if err != nil {
		return err
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		return err
	}
	transform.Means(dst, p, x)
	return nil
}
