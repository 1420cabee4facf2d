// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"math"
)

// autoWord is the value of a parameter that the node chooses itself.
const autoWord = "auto"

// automatic is the value of an [Auto] parameter before the node has chosen one.
type automatic struct{}

// Auto declares a parameter of [Set.Float64] whose value the node chooses by a rule,
// unless a value is given. While the field is NaN, nothing is given: then the value is the
// word auto in parameter files, on the command line and in tables, and "not set" in
// messages. The node replaces NaN by the value that it chose and calls [Set.Resolved].
// rule is one line, such as "2 m, or less on a small field", which the description repeats.
func Auto(rule string) Option { return func(p *parameter) { p.auto = rule } }

// Resolved announces the values that the node chose for the [Auto] parameters with these
// names. It returns an error if one of them is still not chosen, or is not allowed.
func (s *Set) Resolved(names ...string) error {
	var errs []error
	var told []*parameter
	for _, name := range names {
		p := s.byName[name]
		if p == nil || p.auto == "" {
			errs = append(errs, fmt.Errorf("ros: parameter %q is not declared as automatic", name))
			continue
		}
		v := p.get()
		if _, open := v.v.(automatic); open || !p.allows(v) {
			errs = append(errs, &paramError{Name: name, Given: v.given(), Allowed: p.typeAndLimits()})
		}
		told = append(told, p)
	}
	if s.notify != nil && len(errs) == 0 {
		s.notify(messages(told))
	}
	return errors.Join(errs...)
}

// automatically lets a parameter have no value: NaN in its field.
func (p *parameter) automatically() {
	get, put := p.get, p.put
	p.get = func() Value {
		v := get()
		if f, ok := v.v.(float64); ok && math.IsNaN(f) {
			return Value{automatic{}}
		}
		return v
	}
	p.put = func(v Value) {
		if _, ok := v.v.(automatic); ok {
			v = Value{math.NaN()}
		}
		put(v)
	}
}

// asAuto returns the value auto for the word auto, and reports whether v is one of both.
func (p *parameter) asAuto(v Value) (Value, bool) {
	if p.auto == "" {
		return v, false
	}
	if v.v == any(autoWord) {
		return Value{automatic{}}, true
	}
	_, ok := v.v.(automatic)
	return v, ok
}
