// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import "math"

// Derived is a parameter of a configuration C that follows what the node knows of type S, such
// as the size of its robot, while no value is given.
type Derived[C, S any] struct {
	name  string
	field func(*C) *float64
	value func(S) float64
	rule  string
}

// Derive returns the parameter with a name and a field, whose value is NaN while none is
// given. rule says value in words, see [Auto].
func Derive[C, S any](name string, field func(*C) *float64, value func(S) float64, rule string) Derived[C, S] {
	return Derived[C, S]{name, field, value, rule}
}

// DerivedSet holds the derived parameters of a configuration.
type DerivedSet[C, S any] []Derived[C, S]

// Option returns the option that declares the parameter of a name. It panics when there is
// none.
func (d DerivedSet[C, S]) Option(name string) Option {
	for _, p := range d {
		if p.name == name {
			return Auto(p.rule)
		}
	}
	panic("param: no rule for " + name)
}

// Values returns the names and values of the parameters for which wanted returns true, in
// turn, as a log takes them.
func (d DerivedSet[C, S]) Values(c *C, wanted func(name string) bool) (args []any) {
	for _, p := range d {
		if wanted(p.name) {
			args = append(args, p.name, *p.field(c))
		}
	}
	return args
}

// Unset marks all parameters as not given.
func (d DerivedSet[C, S]) Unset(c *C) {
	for _, p := range d {
		*p.field(c) = math.NaN()
	}
}

// Open returns the names of the parameters that have no value yet.
func (d DerivedSet[C, S]) Open(c *C) (names []string) {
	for _, p := range d {
		if math.IsNaN(*p.field(c)) {
			names = append(names, p.name)
		}
	}
	return names
}

// Resolve gives a value to each parameter that has none.
func (d DerivedSet[C, S]) Resolve(c *C, s S) {
	for _, p := range d {
		if v := p.field(c); math.IsNaN(*v) {
			*v = p.value(s)
		}
	}
}
