// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros/internal/spelling"
	"ugp_explorer/node/ros/names"
)

// Set holds the parameters that a node declares. Each is bound to a field of
// the node's configuration: the value of the field at the declaration is the default, and
// setting the parameter sets the field.
//
//	set := param.NewSet()
//	set.Float64(&cfg.Beta, "beta", param.Range(0, 100), param.Describe("weight of the standard deviation"))
//
// A parameter is read-only while the node runs, unless it is declared with [Live].
//
// Err returns all mistakes in declarations together. A node with mistakes does not start.
type Set struct {
	list     []*parameter // in the order of their declaration
	byName   map[string]*parameter
	errs     []error
	group    string // of the parameters that are declared next
	onChange []func() error
	notify   func(changed []ri.Parameter) // nil for nobody
}

// NewSet returns an empty set.
func NewSet() *Set {
	return &Set{byName: map[string]*parameter{}}
}

// Group gives the parameters that are declared next a title, for help texts.
func (s *Set) Group(title string) { s.group = title }

// Bool declares a parameter bound to field.
func (s *Set) Bool(field *bool, name string, opts ...Option) {
	declare(s, field, name, opts)
}

// Int64 declares a parameter bound to field.
func (s *Set) Int64(field *int64, name string, opts ...Option) {
	declare(s, field, name, opts)
}

// Int declares an integer parameter bound to field.
func (s *Set) Int(field *int, name string, opts ...Option) {
	s.add(name, opts, func() Value { return NewValue(int64(*field)) }, func(v Value) { *field = int(v.v.(int64)) })
}

// Float64 declares a parameter bound to field. NaN is never allowed, except as the value
// auto of an [Auto] parameter; infinity is only allowed by Range.
func (s *Set) Float64(field *float64, name string, opts ...Option) {
	declare(s, field, name, opts)
}

// String declares a parameter bound to field.
func (s *Set) String(field *string, name string, opts ...Option) {
	declare(s, field, name, opts)
}

// Float64s declares a parameter bound to field. Ranges apply to each element.
func (s *Set) Float64s(field *[]float64, name string, opts ...Option) {
	declare(s, field, name, opts)
}

// Strings declares a parameter bound to field. OneOf applies to each element.
func (s *Set) Strings(field *[]string, name string, opts ...Option) {
	declare(s, field, name, opts)
}

func declare[T valueType](s *Set, field *T, name string, opts []Option) {
	s.add(name, opts, func() Value { return NewValue(*field) }, func(v Value) { *field = v.Any().(T) })
}

func (s *Set) add(name string, opts []Option, get func() Value, put func(Value)) {
	p := &parameter{name: name, group: s.group, lo: math.Inf(-1), hi: math.Inf(1), loOpen: true, maxLen: -1}
	for _, opt := range opts {
		opt(p)
	}
	p.get, p.put, p.like = get, put, get()
	if p.auto != "" {
		p.automatically()
	}
	p.def = p.get()
	fail := func(format string, args ...any) {
		s.errs = append(s.errs, fmt.Errorf("ros: declaration of parameter %q: "+format, append([]any{name}, args...)...))
	}
	if !names.ValidParameter(name) {
		fail("a name is letters, digits, underscores and dots between them")
	}
	if s.byName[name] != nil {
		fail("declared twice")
		return
	}
	if _, isDouble := p.like.v.(float64); p.auto != "" && !isDouble {
		fail("only a double can be automatic")
	}
	if !p.allows(p.def) {
		fail("its default is %v, allowed is %s", p.public(p.def), p.allowed())
	}
	s.byName[name] = p
	s.list = append(s.list, p)
}

// OnChange runs check after fields were set, at the start of the node, by a service or by
// Set, and before the change is announced. An error refuses the change, and all its
// fields are restored.
func (s *Set) OnChange(check func() error) { s.onChange = append(s.onChange, check) }

// Notify calls fn after parameters were set, with their new values. It replaces the
// function of an earlier call.
func (s *Set) Notify(fn func(changed []ri.Parameter)) { s.notify = fn }

// Err returns the mistakes in the declarations.
func (s *Set) Err() error { return errors.Join(s.errs...) }

// Check returns errors for fields whose present value is not allowed, which happens if a
// program sets fields directly. It does not run the functions given to OnChange.
func (s *Set) Check() error {
	var errs []error
	for _, p := range s.list {
		if v := p.get(); !p.allows(v) {
			errs = append(errs, &paramError{Name: p.name, Given: p.given(v), Allowed: p.allowed()})
		}
	}
	return errors.Join(errs...)
}

// Names returns the names in the order of their declaration.
func (s *Set) Names() []string {
	names := make([]string, len(s.list))
	for i, p := range s.list {
		names[i] = p.name
	}
	return names
}

// Get returns the present value of a parameter, see [Secret], and whether it is declared.
func (s *Set) Get(name string) (Value, bool) {
	if p := s.byName[name]; p != nil {
		return p.told(), true
	}
	return Value{}, false
}

// Assignment is a value for a parameter.
type Assignment struct {
	Name  string
	Value Value
	File  string // source, "" for no file
	Line  int    // in File, from 1; 0 if unknown
}

// Set sets live parameters, all or none, and returns all errors. If a parameter is assigned
// several times, the last value counts. It may be called only from callbacks of the node.
func (s *Set) Set(assignments ...Assignment) error { return s.set("", assignments, false) }

func (s *Set) set(node string, assignments []Assignment, starting bool) error {
	var errs []error
	type change struct {
		p        *parameter
		old, new Value
	}
	var changes []change
	for _, a := range assignments {
		p, v, err := s.validate(node, a, starting)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		changes = append(changes, change{p, p.get(), v})
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	for _, c := range changes {
		c.p.put(c.new)
	}
	for _, check := range s.onChange {
		if err := check(); err != nil {
			for _, c := range changes {
				c.p.put(c.old)
			}
			return err
		}
	}
	if s.notify != nil {
		var told []*parameter
		for _, c := range changes {
			if !slices.Contains(told, c.p) {
				told = append(told, c.p)
			}
		}
		s.notify(messages(told))
	}
	return nil
}

func (s *Set) validate(node string, a Assignment, starting bool) (*parameter, Value, error) {
	e := &paramError{File: a.File, Line: a.Line, Node: node, Name: a.Name}
	p := s.byName[a.Name]
	if p == nil {
		e.Reason, e.Suggestion = "there is no such parameter", spelling.Nearest(a.Name, s.Names())
		return nil, Value{}, e
	}
	v, ok := p.check(a.Value)
	excess := a.Value.excess()
	switch {
	case excess != "":
		e.Reason = excess
	case !ok:
		e.Given, e.Allowed = p.given(a.Value), p.allowed()
		if given, like := a.Value.kind(), p.like.kind(); given < ri.ParameterTypeParameterByteArray && like > ri.ParameterTypeParameterByteArray {
			e.Given += ", a list needs brackets, as in [a, b]"
		}
		if a.File != "" && p.like.kind() == ri.ParameterTypeParameterString && a.Value.kind() < p.like.kind() {
			e.Given += ", a string needs quotes" // in YAML, on, y and 1 are no strings
		}
		if text, is := a.Value.v.(string); is && p.like.kind() < ri.ParameterTypeParameterString && !p.secret {
			e.Given += unquoted(text)
		}
	case p.unreplaced(v) != "":
		e.Given, e.Reason = p.given(a.Value), p.unreplaced(v)
	case !p.live && !starting:
		e.Reason = "it is read-only while the node runs"
	default:
		return p, v, nil
	}
	return nil, Value{}, e
}

// unquoted says what makes a text of a number or of true and false, "" if nothing simple does.
func unquoted(text string) string {
	text = strings.TrimSpace(text)
	_, isDouble := parseDouble(text)
	_, isInt := parseInt(text)
	_, withPoint := parseDouble(strings.Replace(text, ",", ".", 1))
	number, _, _ := strings.Cut(text, " ")
	_, withUnit := parseDouble(number)
	switch {
	case isDouble || isInt || slices.Contains(yamlTrue, text) || slices.Contains(yamlFalse, text):
		return ", without quotes it would be no string"
	case withPoint:
		return ", the decimal sign is a point"
	case withUnit:
		return ", a number has no unit"
	}
	return ""
}

// given returns the value as text, with its type if the text alone does not show it.
func (v Value) given() string {
	text := v.String()
	if most := 200; len(text) > most { // what is allowed follows, and must be seen
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	if _, ok := v.v.(string); ok || v.v == nil {
		return text
	}
	return text + " (" + v.typeName() + ")"
}

// Row describes a declared parameter, for tables and help texts.
type Row struct {
	Group, Name, Type, Unit, Default, Range, Description string
	ReadOnly                                             bool
}

// Rows returns all parameters in the order of their declaration.
func (s *Set) Rows() []Row {
	rows := make([]Row, len(s.list))
	for i, p := range s.list {
		rows[i] = Row{
			Group: p.group, Name: p.name, Type: p.like.typeName(), Unit: p.unit, Default: p.public(p.def).String(),
			Range: p.limits(), Description: p.describe(), ReadOnly: !p.live,
		}
	}
	return rows
}
