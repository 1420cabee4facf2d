// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"unicode"
	"unicode/utf8"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
)

// Secondary is a second quantity, which a cheap sensor measured all the way, and its correlation with the sought one, as
// learnt from the samples.
type Secondary struct {
	Quantity string  `json:"quantity"` // for example "conductivity"
	Units    string  `json:"units"`    // user's units, for example "mS/m"; empty: none
	Heard    []Heard `json:"heard"`    // in the order of time

	Correlation       float64 `json:"correlation"` // with the field, in [-1, 1]; 0 ± 0 before there are samples
	CorrelationStdDev float64 `json:"correlation_stddev"`

	Hyper  *Hyper `json:"hyper_parameters,omitempty"` // of its model at the end, in its own units; nil: there is none
	Learnt int    `json:"learnt,omitempty"`           // number of heard values from which this model has learnt, the first ones
}

// String returns the quantity; "second quantity" if it has no name.
func (s *Secondary) String() string { return cmp.Or(s.Quantity, "second quantity") }

// GP returns the posterior of the second quantity with which the mission ended; nil without a model. The
// error says why it cannot be computed.
func (s *Secondary) GP() (*gp.GP, error) {
	if s == nil || s.Hyper == nil {
		return nil, nil
	}
	if s.Learnt < 0 || s.Learnt > len(s.Heard) {
		return nil, fmt.Errorf("record: the model of the %s uses %d of %d received values", s, s.Learnt, len(s.Heard))
	}
	h, err := s.Hyper.GP(nil, nil)
	if err != nil {
		return nil, err
	}
	g, err := gp.NewSparse(h, gp.SecondaryConfig())
	if err != nil {
		return nil, err
	}
	heard := make([]gp.Observation, s.Learnt)
	for i := range heard {
		heard[i] = s.Heard[i].Observation()
	}
	return g, g.AddAll(heard)
}

// Heard is a value of the second quantity: the mean of the readings of a stop, or of a piece of path.
type Heard struct {
	Stamp    float64 `json:"stamp_s"`  // middle of the stop or piece, s, on the clock of Mission.Started
	Path     float64 `json:"path_m"`   // length of the piece of path, m; 0: the robot stood still
	Belief   Belief  `json:"belief"`   // about the place
	Readings int     `json:"readings"` // number of readings that were averaged
	Value    float64 `json:"value"`    // units of the quantity
	Variance float64 `json:"variance"` // of Value's noise, units squared
}

// Observation returns the value in the form of the Gaussian process.
func (h *Heard) Observation() gp.Observation {
	return gp.Observation{Belief: located(&h.Belief), Value: h.Value, NoiseVariance: h.Variance}
}

// Heard says, in a sentence, how closely the second quantity is related to the sought one, and at how many places it was
// measured; "" without a second quantity.
func (m *Mission) Heard() string {
	s := m.Secondary
	if s == nil {
		return ""
	}
	name := Capitalised(s.String())
	places := num.Count(len(s.Heard), "place")
	switch {
	case len(s.Heard) == 0:
		return name + " was not measured anywhere."
	case s.Correlation == 0 && s.CorrelationStdDev == 0:
		yet := ""
		if len(m.Hyper) == 0 {
			yet = " yet"
		}
		return fmt.Sprintf("%s was measured at %s; its correlation with %s is not known%s.", name, places, m.Scale().Quantity, yet)
	}
	return fmt.Sprintf("%s was measured at %s; its correlation with %s is %s ± %.2f.", name, places, m.Scale().Quantity, number(s.Correlation, 2), s.CorrelationStdDev)
}

// Capitalised returns a text with a capital letter at its start, unless the second letter is one: pH.
func Capitalised(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
