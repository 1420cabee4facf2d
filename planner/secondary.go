// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
)

// Correlation is the correlation of the field with the second quantity, in [-1, 1]: its mean over the likely models, and its standard
// deviation.
type Correlation struct{ Mean, StdDev float64 }

// Hear adds a value that a second sensor measured at a stop or along a piece of path, in its own unit. The
// next job learns from it. The error wraps [gp.ErrBelief] or [gp.ErrObservation]; nothing is added then.
func (o *Optimizer) Hear(heard gp.Observation) error {
	if err := heard.Validate(o.space.Dim()); err != nil {
		return err
	}
	o.heard = append(o.heard, heard)
	return nil
}

// fewestHeard is the number of heard values from which on the model of the samples has the second quantity.
const fewestHeard = 3

// heard returns the number of values in the posterior of the second quantity.
func (l *Learnt) heard() int {
	if l.Secondary == nil {
		return 0
	}
	return l.Secondary.Len()
}

// learnSecondary computes the posterior of the second quantity, and passes it to the hyper-parameters from which learning of the samples
// starts. Without a fit, or if there are so many samples that their posterior is sparse, it passes none: there is then no correlation, and
// the samples contain more information than the second quantity.
func (j *Job) learnSecondary() error {
	if len(j.allHeard) == 0 {
		j.start.Secondary, j.start.Correlation = nil, 0
		return nil
	}
	fresh := j.heard() != len(j.allHeard)
	if fresh {
		h, err := j.secondaryHyper()
		if err != nil {
			return err
		}
		if j.Secondary, err = gp.NewSparse(h, gp.SecondaryConfig()); err != nil {
			return err
		}
		if err = j.Secondary.AddAll(j.allHeard); err != nil {
			return err
		}
	}
	o := j.o
	if !o.cfg.Model.Fit || len(j.allHeard) < fewestHeard || len(j.samples) > o.cfg.Model.ExactLimit {
		j.start.Secondary, j.start.Correlation = nil, 0
		return nil
	}
	if fresh || j.start.Secondary == nil || j.old == nil {
		j.start.Secondary, j.old = gp.NewSecondary(j.Secondary), nil
	}
	return nil
}

// secondaryHyper returns the hyper-parameters of the second quantity. They are fitted to the first of the heard values,
// again when there are a quarter more, and always from the same start: a mission that is resumed fits the same.
func (j *Job) secondaryHyper() (gp.Hyper, error) {
	n, few := 1, 1
	for ; max(n+1, n*5/4) <= len(j.allHeard); n = max(n+1, n*5/4) {
		if n <= averageMost {
			few = n
		}
	}
	if n == j.fittedHeard {
		return j.Secondary.Hyper(), nil
	}
	var kinds []gp.Kind // all; with many values the one that fewer have said
	if n > averageMost {
		h, err := j.fitSecondary(few, nil)
		if err != nil {
			return h, err
		}
		kinds = []gp.Kind{h.Kind}
	}
	j.fittedHeard = n
	return j.fitSecondary(n, kinds)
}

// fitSecondary fits hyper-parameters of the second quantity to the first n heard values. No kinds means those of the field.
func (j *Job) fitSecondary(n int, kinds []gp.Kind) (gp.Hyper, error) {
	h, _, err := j.o.fitApart(j.allHeard[:n], kinds)
	h.MeanStdDev = 0 // what it is uncertain by, the uncertain mean of the field has
	return h, err
}

// fitApart fits hyper-parameters of another quantity than the field, with the priors of the field's but for those of its
// scale, and returns the configuration of the fit, too. No kinds means those of the field.
func (s *setup) fitApart(samples []gp.Observation, kinds []gp.Kind) (gp.Hyper, fit.Config, error) {
	fitting, n := s.fitting, len(samples)
	fitting.GuessedVariance = 0
	if kinds != nil {
		fitting.Kinds = kinds
	}
	values := make([]float64, n)
	for i, o := range samples {
		values[i] = o.Value
	}
	start := gp.Hyper{Kind: fitting.Kinds[0], SignalVariance: 1, Mean: values[0]}
	if variance := stat.Variance(values, nil); n > 1 && variance > 0 {
		start.SignalVariance, start.Mean = variance, stat.Mean(values, nil)
	}
	start.NoiseVariance = 0.1 * start.SignalVariance
	for range s.space.Dim() {
		start.LengthScales = append(start.LengthScales, s.cfg.Model.LengthScale)
	}
	h, err := fit.Hyper(samples, start, fitting, s.cfg.Random(streamSecondary, n))
	return h, fitting, err
}

// FitApart returns the hyper-parameters over which the map of another quantity of the samples is averaged, in its own unit. It is
// apart from the field's model, and needs two samples at least; with fewer there are none. It uses nothing of the optimiser that changes,
// so that it may run on another goroutine.
func (o *Optimizer) FitApart(samples []gp.Observation) ([]fit.Weighted, error) {
	n := len(samples)
	if n < 2 {
		return nil, nil
	}
	h, fitting, err := o.fitApart(samples, nil)
	if err != nil {
		return nil, err
	}
	if n > averageMost {
		return []fit.Weighted{{Hyper: h, Weight: 1}}, nil
	}
	return fit.Average(samples, h, fitting, o.cfg.Model.Average, o.cfg.Random(streamAverage, n))
}
