// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"ugp_explorer/msgs/rcl_interfaces"
)

// parameter is one declared parameter.
type parameter struct {
	name        string
	group       string // title, for help texts
	unit        string
	description string
	live        bool    // it may change while the node runs
	secret      bool    // its value is never told
	file        bool    // it names files
	lo, hi      float64 // range of a number, or of each element of an array
	loOpen      bool    // lo itself is not allowed
	infinite    bool    // hi may be infinity, and then is allowed
	bounded     bool    // an option set lo or hi
	oneOf       []string
	minLen      int    // of an array
	maxLen      int    // of an array; -1 means any
	auto        string // rule by which the node chooses a value when none is given; "" for none
	like        Value  // any value of the parameter's type
	def         Value
	get         func() Value
	put         func(Value) // the value must have the parameter's type
}

// Option describes or restricts a parameter in its declaration.
type Option func(*parameter)

// Unit sets the unit of a number, as in "m/s"; "" means a pure number.
func Unit(unit string) Option { return func(p *parameter) { p.unit = unit } }

// Describe sets the description, one line.
func Describe(text string) Option { return func(p *parameter) { p.description = text } }

// Live means that the parameter may be set while the node runs, and that the node uses
// the new value from then on. Without it the parameter is read-only: only parameter files
// and the command line set it.
func Live() Option { return func(p *parameter) { p.live = true } }

// Secret means that the node alone knows the value: [Set.Get], messages, tables and files have
// an empty value of its type instead, and errors do not quote it.
func Secret() Option { return func(p *parameter) { p.secret = true } }

// File means that the string, or each element of the array, is the name of a file or a folder: ~/ at its begin is the home
// directory, as in a shell.
func File() Option { return func(p *parameter) { p.file = true } }

// expand returns the name of a file without ~.
func (p *parameter) expand(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && p.file {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return name
}

// unreplaced says that the name of a file in a value contains a variable or a ~ that was not replaced, so that a folder of that literal name would be
// made; "" if it contains none.
func (p *parameter) unreplaced(v Value) string {
	names, _ := v.v.([]string)
	if name, ok := v.v.(string); ok {
		names = []string{name}
	}
	for _, name := range names {
		switch {
		case !p.file:
		case strings.HasPrefix(name, "~/"):
			return "the home folder is not known, since HOME is not set: write the whole name"
		case strings.HasPrefix(name, "$"), strings.Contains(name, "$("), strings.Contains(name, "${"):
			return "variables are not replaced in the name of a file: write the name itself, which may begin with ~/"
		}
	}
	return ""
}

// told returns the present value as others may see it.
func (p *parameter) told() Value { return p.public(p.get()) }

// public returns a value of the parameter as others may see it.
func (p *parameter) public(v Value) Value {
	if p.secret {
		return Value{reflect.Zero(reflect.TypeOf(p.like.v)).Interface()}
	}
	return v
}

// given returns a value that was given for the parameter as text for an error.
func (p *parameter) given(v Value) string {
	if p.secret {
		return "a value that is kept secret (" + v.typeName() + ")"
	}
	return v.given()
}

// Range allows numbers from lo to hi, both included. If a bound is infinite, infinity
// itself is allowed.
func Range(lo, hi float64) Option {
	return func(p *parameter) { p.lo, p.hi, p.loOpen, p.infinite, p.bounded = lo, hi, false, true, true }
}

// AtLeast allows finite numbers greater than or equal to lo.
func AtLeast(lo float64) Option {
	return func(p *parameter) { p.lo, p.loOpen, p.bounded = lo, false, true }
}

// Above allows finite numbers greater than lo.
func Above(lo float64) Option {
	return func(p *parameter) { p.lo, p.loOpen, p.bounded = lo, true, true }
}

// OneOf allows only these strings, also as elements of an array.
func OneOf(words ...string) Option { return func(p *parameter) { p.oneOf = words } }

// Length allows arrays with lo to hi elements; hi < 0 means no upper limit.
func Length(lo, hi int) Option { return func(p *parameter) { p.minLen, p.maxLen = lo, hi } }

// describe returns the description with the rule of an automatic value.
func (p *parameter) describe() string {
	if p.auto == "" {
		return p.description
	}
	return p.description + "; " + autoWord + ": " + p.auto
}

// check converts v to the parameter's type and reports whether the value is allowed.
func (p *parameter) check(v Value) (Value, bool) {
	if a, ok := p.asAuto(v); ok {
		return a, true
	}
	v, ok := v.as(p.like)
	if !ok {
		return v, false
	}
	switch x := v.v.(type) {
	case int64:
		ok = p.inRange(float64(x))
	case float64:
		ok = p.inRange(x)
	case string:
		ok = p.isOneOf(x)
		v = Value{p.expand(x)}
	case []float64:
		ok = p.lengthOK(len(x)) && !slices.ContainsFunc(x, func(f float64) bool { return !p.inRange(f) })
	case []string:
		x = slices.Clone(x)
		for i := range x {
			x[i] = p.expand(x[i])
		}
		v = Value{x}
		ok = p.lengthOK(len(x)) && !slices.ContainsFunc(x, func(s string) bool { return !p.isOneOf(s) })
	}
	return v, ok
}

// allows reports whether a value of the parameter's type is allowed.
func (p *parameter) allows(v Value) bool {
	_, ok := p.check(v)
	return ok
}

// inRange reports whether x is in the range. NaN never is.
func (p *parameter) inRange(x float64) bool {
	return (x > p.lo || x == p.lo && !p.loOpen) && x <= p.hi && (p.infinite || !math.IsInf(x, 1))
}

func (p *parameter) isOneOf(s string) bool { return p.oneOf == nil || slices.Contains(p.oneOf, s) }

func (p *parameter) lengthOK(n int) bool { return n >= p.minLen && (p.maxLen < 0 || n <= p.maxLen) }

// allowed describes the values that are allowed, including their type.
func (p *parameter) allowed() string {
	text := p.typeAndLimits()
	if p.auto != "" {
		text += ", or " + autoWord
	}
	return text
}

// typeAndLimits describes the values of the parameter's type that are allowed.
func (p *parameter) typeAndLimits() string {
	text := p.like.typeName()
	if limits := p.limits(); limits != "" {
		text += " " + limits
	}
	if p.unit != "" {
		text += " (" + p.unit + ")"
	}
	return text
}

// limits describes the values of the type that are allowed, "" for all.
func (p *parameter) limits() string {
	var parts []string
	switch {
	case p.minLen > 0 && p.maxLen == p.minLen:
		parts = append(parts, fmt.Sprintf("of %d elements", p.minLen))
	case p.maxLen >= 0:
		parts = append(parts, fmt.Sprintf("of %d to %d elements", p.minLen, p.maxLen))
	case p.minLen > 0:
		parts = append(parts, fmt.Sprintf("of %d elements or more", p.minLen))
	}
	if p.bounded {
		parts = append(parts, p.rangeText())
	}
	if p.oneOf != nil {
		words := make([]string, len(p.oneOf))
		for i, w := range p.oneOf {
			words[i] = scalar(w)
		}
		parts = append(parts, "one of "+strings.Join(words, ", "))
	}
	return strings.Join(parts, ", ")
}

func (p *parameter) rangeText() string {
	lo := p.number(p.lo)
	switch {
	case p.loOpen:
		return "above " + lo
	case !math.IsInf(p.hi, 1):
		return "from " + lo + " to " + p.number(p.hi)
	case p.infinite:
		return lo + " or more, infinity allowed"
	}
	return lo + " or more"
}

func (p *parameter) isInteger() bool {
	return p.like.kind() == rcl_interfaces.ParameterTypeParameterInteger
}

func (p *parameter) number(x float64) string {
	if p.isInteger() {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(formatFloat(x), ".0")
}

// descriptor returns the answer of the service describe_parameters. Ranges in ROS are
// closed and finite; AdditionalConstraints has the exact limits as text.
func (p *parameter) descriptor() rcl_interfaces.ParameterDescriptor {
	d := rcl_interfaces.ParameterDescriptor{
		Name: p.name, Type: p.like.kind(), Description: p.describe(),
		AdditionalConstraints: p.limits(), ReadOnly: !p.live,
	}
	if p.unit != "" {
		d.Description = strings.TrimSpace(d.Description + " (" + p.unit + ")")
	}
	switch {
	case !p.bounded:
	case p.isInteger():
		d.IntegerRange = []rcl_interfaces.IntegerRange{{FromValue: toInt(p.lo), ToValue: toInt(p.hi)}}
	default:
		d.FloatingPointRange = []rcl_interfaces.FloatingPointRange{{
			FromValue: max(p.lo, -math.MaxFloat64), ToValue: min(p.hi, math.MaxFloat64)}}
	}
	return d
}

// toInt returns x as an integer; a value that is too large becomes the nearest integer.
func toInt(x float64) int64 {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}
