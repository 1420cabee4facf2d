// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"strings"

	"ugp_explorer/gp"
)

// Quantity is another quantity that is measured at the stops of the samples. No decision depends on it.
type Quantity struct {
	Topic    string `json:"topic"`    // of its readings, as the parameter also has it
	Quantity string `json:"quantity"` // for example "phosphorus"
	Units    string `json:"units"`    // user's units, for example "mg/l"; empty: none

	Models []Model `json:"models,omitempty"` // over which its map of the end is averaged, in its own units; empty: there is no map
}

// Column returns the name of the quantity's columns and files, which its topic makes: also_probe_ph of /probe/ph.
func (q *Quantity) Column() string {
	return "also_" + strings.ReplaceAll(strings.Trim(q.Topic, "/"), "/", "_")
}

// Value is what was measured of another quantity at the stop of a sample.
type Value struct {
	Value    float64 `json:"value"`    // mean of the readings, units of the quantity
	Variance float64 `json:"variance"` // of its noise, units squared; 0: unknown
	Readings int     `json:"readings"`
}

// AlsoAt returns the value of the k-th other quantity at a sample; nil if none was measured there.
func (o *Observation) AlsoAt(k int) *Value {
	if k >= len(o.Also) {
		return nil
	}
	return o.Also[k]
}

// AlsoSamples returns the values of the k-th other quantity at the samples that count, in the form of the Gaussian process.
func (m *Mission) AlsoSamples(k int) (samples []gp.Observation) {
	for i := range m.Observations {
		o := &m.Observations[i]
		if v := o.AlsoAt(k); v != nil && o.Struck == "" {
			samples = append(samples, gp.Observation{Belief: o.Located(), Value: v.Value, NoiseVariance: v.Variance, OnePlace: m.AtOnePlace(o)})
		}
	}
	return samples
}
