// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"strings"
)

// Scale says how people see the values of a mission: the page, the report, the terminal and the exported files
// have the same units. Where the values of the model or the readings of the sensor are logarithms, that is by
// the transform or by a unit such as "log10(mg/l)", people see what they are the logarithms of.
type Scale struct {
	Quantity string // its name; "value" if it has none
	Units    string // shown; those of the model if its transform is not Known
	Model    string // units of the model's values
	Log      string // the logarithm of the model's values, such as "log10"; "": they are those that are shown

	transform Transform // from readings to the model
	sensor    Transform // from what is shown to readings
}

// Scale returns the scale of the mission's values.
func (m *Mission) Scale() Scale {
	s := Scale{Quantity: cmp.Or(m.Quantity, "value"), Units: m.Units, Model: m.Transform.ModelUnits(m.Units), transform: m.Transform}
	if !m.Transform.Known() {
		s.Units = s.Model
		return s
	}
	if s.sensor, s.Units = LogarithmIn(m.Units); s.sensor != TransformNone {
		s.Quantity = strings.TrimPrefix(s.Quantity, string(s.sensor)+" ")
	}
	for _, t := range []Transform{m.Transform, s.sensor} {
		if t != "" && t != TransformNone {
			s.Log = strings.TrimPrefix(s.Log+"_"+string(t), "_")
		}
	}
	return s
}

// LogarithmIn returns the logarithm that units such as "log10(mg/l)" name, and what they are without it.
func LogarithmIn(units string) (log Transform, of string) {
	for _, t := range []Transform{TransformLog10, TransformLn} {
		if inner, ok := strings.CutPrefix(units, string(t)+"("); ok && strings.HasSuffix(inner, ")") {
			return t, strings.TrimSuffix(inner, ")")
		}
	}
	return TransformNone, units
}

// Reading returns what people see of a value in the user's units.
func (s *Scale) Reading(v float64) float64 { return s.sensor.Inverse(v) }

// Sample returns what people see of the value of a sample and of its variance.
func (s *Scale) Sample(o *Observation) (value, variance float64) {
	if !s.transform.Known() {
		return o.ModelValue, o.ModelVariance
	}
	return s.sensor.Backward(o.Value, o.Variance)
}

// ModelOf returns the reading and the model's value that people see as a value. It is an error if one of them has no logarithm.
func (s *Scale) ModelOf(shown float64) (reading, model float64, err error) {
	if reading, _, err = s.sensor.Forward(shown, 0); err == nil {
		model, _, err = s.transform.Forward(reading, 0)
	}
	return reading, model, err
}

// Value returns what people see of a value of the model.
func (s *Scale) Value(v float64) float64 { return s.Reading(s.transform.Inverse(v)) }

// Spread returns what people see as the standard deviation of a Gaussian with the given mean and standard
// deviation in model units: half the width of mean ± stdDev.
func (s *Scale) Spread(mean, stdDev float64) float64 {
	if s.Log == "" {
		return stdDev
	}
	return (s.Value(mean+stdDev) - s.Value(mean-stdDev)) / 2
}

// Factor returns a difference of values in the user's units as the factor that people see, and whether it is one.
func (s *Scale) Factor(difference float64) (factor float64, ok bool) {
	return s.Reading(difference), s.sensor == TransformLog10 || s.sensor == TransformLn
}
