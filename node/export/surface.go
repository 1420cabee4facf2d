// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	reader "ugp_explorer/node/covariate"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/field"
)

// Surface is the posterior of the field as a function of places: mean and standard deviation, in model units.
type Surface func(at []record.Place) (mean, stdDev []float64)

// Posterior returns the surface of a mixture, for samples whose targets are the places of
// the map. execution is Σ̂, m²; nil: targets are points. A Surface uses the predictor's
// workspace, so it is for one goroutine.
func Posterior(known fit.Mixture, execution *mat.SymDense) (Surface, error) {
	predictor, err := known.NewPredictor(execution)
	if err != nil {
		return nil, err
	}
	return func(at []record.Place) (mean, stdDev []float64) {
		mean, stdDev = make([]float64, len(at)), make([]float64, len(at))
		if len(at) == 0 {
			return mean, stdDev
		}
		predictor.PredictBatch(mean, stdDev, rows(at))
		for i, v := range stdDev {
			stdDev[i] = math.Sqrt(v)
		}
		return mean, stdDev
	}, nil
}

// rows returns places as the rows of a matrix. There must be one.
func rows(at []record.Place) *mat.Dense {
	places := mat.NewDense(len(at), 2, nil)
	for i, p := range at {
		places.SetRow(i, p[:])
	}
	return places
}

// Relearn returns the surface of a mission's record: the posterior of its samples under each
// of its models. That is the surface at the end of the mission. Without
// hyper-parameters there is none, because no sample was learnt. It sets o.Beside to the rasters and the
// second quantity that the surface uses, and the other quantities.
func Relearn(m *record.Mission, o *Options) (surface Surface, err error) {
	fail := func(err error) (Surface, error) { return nil, err }
	method, err := planner.Robot().Method(m.Method)
	if err != nil {
		return fail(fmt.Errorf("export: the samples of this mission cannot be learnt: %w", err))
	}
	if len(m.Hyper) == 0 {
		return fail(errors.New("export: the mission has no samples, so there is no map"))
	}
	if o.Beside.Rasters, err = rastersOf(m); err != nil {
		return fail(fmt.Errorf("export: %w", err))
	}
	if o.Beside.Secondary, err = m.Secondary.GP(); err != nil {
		return fail(fmt.Errorf("export: the second quantity of this mission cannot be learnt: %w", err))
	}
	var secondary *gp.Secondary
	if o.Beside.Secondary != nil {
		secondary = gp.NewSecondary(o.Beside.Secondary)
	}
	var covariates []gp.Covariate
	for _, r := range o.Beside.Rasters {
		covariates = append(covariates, r)
	}
	execution := symmetric(m.Noise)
	samples := samplesOf(m, method.Form, execution)
	models := m.Models
	if len(models) == 0 {
		models = []record.Model{{Weight: 1, Hyper: m.Hyper[len(m.Hyper)-1].Hyper}}
	}
	known, err := Mixture(models, samples, covariates, secondary)
	if err != nil {
		return fail(fmt.Errorf("export: %w", err))
	}
	o.Beside.Also = nil
	for k, q := range m.Also {
		other, err := Mixture(q.Models, m.AlsoSamples(k), nil, nil)
		if err != nil {
			return fail(fmt.Errorf("export: %s: %w", q.Quantity, err))
		}
		o.Beside.Also = append(o.Beside.Also, other)
	}
	return Posterior(known, method.Form.QueryCov(execution))
}

// Mixture returns the models of samples with the covariates that their weights belong to, and the second quantity of their
// correlations; nil for no models.
func Mixture(models []record.Model, samples []gp.Observation, covariates []gp.Covariate, secondary *gp.Secondary) (known fit.Mixture, err error) {
	for _, model := range models {
		h, err := model.GP(covariates, secondary)
		if err != nil {
			return nil, err
		}
		g, err := gp.NewSparse(h, gp.DefaultSparseConfig())
		if err == nil {
			err = g.AddAll(samples)
		}
		if err != nil {
			return nil, err
		}
		known = append(known, fit.Member{Model: g, Weight: model.Weight})
	}
	return known, nil
}

// rastersOf reads the rasters of a mission again. The error names a file that is missing or another one now.
func rastersOf(m *record.Mission) (rasters []*covariate.Raster, err error) {
	if len(m.Covariates) == 0 {
		return nil, nil
	}
	region, err := field.NewRegion(outlineOf(m.Field), m.Field.Margin) // as the explorer standardised them
	if err != nil {
		return nil, err
	}
	for _, c := range m.Covariates {
		raster, now, err := reader.Read(c.File, region, m.Datum())
		if err != nil {
			return nil, fmt.Errorf("the mission's model uses a raster: %w", err)
		}
		if now.SHA256 != c.SHA256 {
			return nil, fmt.Errorf("the mission's model uses the raster %s, but the file has changed: its SHA-256 is %s and was %s", c.File, now.SHA256, c.SHA256)
		}
		rasters = append(rasters, raster)
	}
	return rasters, nil
}

// samplesOf returns all samples of a record, in the order in which they are in the model.
func samplesOf(m *record.Mission, form planner.SampleForm, execution *mat.SymDense) (samples []gp.Observation) {
	for _, o := range m.Samples {
		samples = append(samples, gp.Observation{
			Belief: form.Input(o.Located(), o.Target[:], execution), Value: o.ModelValue, NoiseVariance: o.ModelVariance, OnePlace: m.AtOnePlace(o),
		})
	}
	return samples
}

// symmetric returns a covariance as a matrix, nil for nil.
func symmetric(c *record.Covariance) *mat.SymDense {
	if c == nil {
		return nil
	}
	return mat.NewSymDense(2, []float64{c.XX, c.XY, c.XY, c.YY})
}
