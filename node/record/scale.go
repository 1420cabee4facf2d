// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"strings"
)

// Scale converts the values of a mission to the shown values, which people see on the page, in the report, on the terminal and in the
// exported files. If the model's values are logarithms because of the transform, or the readings because of a unit such as
// "log10(mg/l)", the shown values are the numbers themselves, in mg/l.
type Scale struct {
	Quantity string // its name; "value" if it has none
	Units    string // of the shown values; those of the model if its transform is not Known
	Model    string // units of the model's values
	Log      string // by which the model's values follow from the shown ones, such as "log10"; "": they are the same

	transform Transform // from readings to the model
	sensor    Transform // from shown values to readings
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

// LogarithmIn returns the logarithm in units such as "log10(mg/l)", and the units of its argument, mg/l.
func LogarithmIn(units string) (log Transform, of string) {
	for _, t := range []Transform{TransformLog10, TransformLn} {
		if inner, ok := strings.CutPrefix(units, string(t)+"("); ok && strings.HasSuffix(inner, ")") {
			return t, strings.TrimSuffix(inner, ")")
		}
	}
	return TransformNone, units
}

// Reading returns the shown value for a value in the user's units.
func (s *Scale) Reading(v float64) float64 { return s.sensor.Inverse(v) }

// Sample returns the shown value of a sample, and its variance.
func (s *Scale) Sample(o *Observation) (value, variance float64) {
	if !s.transform.Known() {
		return o.ModelValue, o.ModelVariance
	}
	return s.sensor.Backward(o.Value, o.Variance)
}

// ModelOf returns the reading and the model's value for a shown value. It is an error if a logarithm does not exist.
func (s *Scale) ModelOf(shown float64) (reading, model float64, err error) {
	if reading, _, err = s.sensor.Forward(shown, 0); err == nil {
		model, _, err = s.transform.Forward(reading, 0)
	}
	return reading, model, err
}

// Value returns the shown value for a value of the model.
func (s *Scale) Value(v float64) float64 { return s.Reading(s.transform.Inverse(v)) }

// Spread returns the shown standard deviation of a Gaussian with the given mean and standard deviation in model units: half the
// width of the interval of the shown values from mean - stdDev to mean + stdDev.
func (s *Scale) Spread(mean, stdDev float64) float64 {
	if s.Log == "" {
		return stdDev
	}
	return (s.Value(mean+stdDev) - s.Value(mean-stdDev)) / 2
}

// Factor returns the factor between two shown values for a difference in the user's units. ok is false if the user's units are no
// logarithms.
func (s *Scale) Factor(difference float64) (factor float64, ok bool) {
	return s.Reading(difference), s.sensor == TransformLog10 || s.sensor == TransformLn
}
