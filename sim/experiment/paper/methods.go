// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// expectedImprovement is the expected improvement over the largest posterior mean at the places
// of the data.
func expectedImprovement() *planner.AcquisitionMethod {
	return &planner.AcquisitionMethod{Acquisition: func(c *planner.ModelContext) (acquire.Acquisition, error) {
		return improvementOver(c, nil, false)
	}}
}

// unscentedImprovement is the unscented expected improvement under Σ̂.
func unscentedImprovement(noisy bool) *planner.AcquisitionMethod {
	return &planner.AcquisitionMethod{
		Acquisition: func(c *planner.ModelContext) (acquire.Acquisition, error) {
			return improvementOver(c, c.Execution, noisy)
		},
		TargetMeans: unscentedMeans,
	}
}

// improvementOver returns the improvement with the transform for a covariance: over the largest
// unscented posterior mean at the places of the data or, if noisy, over the largest value observed.
func improvementOver(c *planner.ModelContext, cov *mat.SymDense, noisy bool) (acquire.Acquisition, error) {
	places, err := NewUnscented(c.Model.Dim(), cov)
	if err != nil {
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
		places.Means(values, c.Predictor, x)
	}
	return &improvement{predictor: c.Predictor, places: places, incumbent: slices.Max(values)}, nil
}

// unscentedMeans writes the unscented means of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12). The target with the largest one is the unscented
// optimal incumbent.
func unscentedMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error {
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
