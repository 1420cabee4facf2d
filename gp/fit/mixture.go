// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Member is one of several models of the same observations.
type Member struct {
	Model  *gp.GP
	Weight float64 // probability of the model
}

// Mixture is the posterior of a function with uncertain hyper-parameters: weighted models of the same observations. The weights add up to
// 1.
type Mixture []Member

// NewMixture returns a model of obs for each of the hyper-parameters. The error is that
// of the first model that refuses an observation.
func NewMixture(obs []gp.Observation, hypers []Weighted) (Mixture, error) {
	members := make(Mixture, len(hypers))
	for i, h := range hypers {
		g, err := gp.New(h.Hyper)
		if err == nil {
			err = g.AddAll(obs)
		}
		if err != nil {
			return nil, err
		}
		members[i] = Member{g, h.Weight}
	}
	return members, nil
}

// Or returns m, or the model as its only member if m has none.
func (m Mixture) Or(model *gp.GP) Mixture {
	if len(m) == 0 {
		return Mixture{{Model: model, Weight: 1}}
	}
	return m
}

// Posterior returns the mean and the variance of f̂(b). By the law of total variance, the
// variance is the mean of the models' variances plus the variance of their means.
func (m Mixture) Posterior(b gp.Belief) (mean, variance float64) {
	var s total
	for _, member := range m {
		mu, v := member.Model.Posterior(b)
		s.add(member.Weight, mu, v)
	}
	return s.mean, s.variance
}

// total is a mean and a variance over models, by West's recurrence, which is exact to
// rounding where the mean is large beside the standard deviation.
type total struct{ weight, mean, variance float64 }

func (s *total) add(weight, mean, variance float64) {
	s.weight += weight
	d := mean - s.mean
	s.mean += weight / s.weight * d
	s.variance += weight * (variance + d*(mean-s.mean))
}

// MixturePredictor predicts a [Mixture] at many places. It has a workspace, so it is for one goroutine.
type MixturePredictor struct {
	of      []*gp.Predictor
	weights []float64
	sums    []total
}

// NewPredictor returns a Predictor for queries with covariance cov, d×d; nil means queries at
// points. The error is that of [gp.GP.NewPredictor].
func (m Mixture) NewPredictor(cov *mat.SymDense) (*MixturePredictor, error) {
	p := &MixturePredictor{}
	for _, member := range m {
		predictor, err := member.Model.NewPredictor(cov)
		if err != nil {
			return nil, err
		}
		p.of, p.weights = append(p.of, predictor), append(p.weights, member.Weight)
	}
	return p, nil
}

// PredictBatch writes the mean and the variance of f̂(N(x, cov)), as [Mixture.Posterior]
// returns them, for each row x of places into mean and variance, which have as many entries. A variance of nil is
// not computed.
func (p *MixturePredictor) PredictBatch(mean, variance []float64, places *mat.Dense) {
	p.sums = append(p.sums[:0], make([]total, len(mean))...)
	for k, predictor := range p.of {
		predictor.PredictBatch(mean, variance, places)
		for i := range p.sums {
			v := 0.0
			if variance != nil {
				v = variance[i]
			}
			p.sums[i].add(p.weights[k], mean[i], v)
		}
	}
	for i, s := range p.sums {
		mean[i] = s.mean
		if variance != nil {
			variance[i] = s.variance
		}
	}
}
