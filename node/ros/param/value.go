// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/msgs/rcl_interfaces"
)

// valueType is a type that a parameter of ours may have.
type valueType interface {
	bool | int64 | float64 | string | []float64 | []string
}

// Value is the value of a parameter: of a [Type], or of one that only files and messages have
// ([]int64, foreign), or none.
type Value struct{ v any }

// foreign is a value of a type that no parameter of ours has, as its number in
// rcl_interfaces/ParameterType.
type foreign uint8

// NewValue returns v as a Value. Slices are copied.
func NewValue[T valueType](v T) Value { return Value{cloneAny(v)} }

// Any returns the value, or nil for none; [autoWord] is the value of an [Auto] parameter that
// is not chosen yet. A slice is a copy.
func (v Value) Any() any { return cloneAny(v.v) }

func cloneAny(v any) any {
	switch v := v.(type) {
	case automatic:
		return autoWord
	case []float64:
		return slices.Clone(v)
	case []string:
		return slices.Clone(v)
	}
	return v
}

// kind returns the number of the type in rcl_interfaces/ParameterType.
func (v Value) kind() uint8 {
	switch v := v.v.(type) {
	case bool:
		return rcl_interfaces.ParameterTypeParameterBool
	case int64:
		return rcl_interfaces.ParameterTypeParameterInteger
	case float64:
		return rcl_interfaces.ParameterTypeParameterDouble
	case string:
		return rcl_interfaces.ParameterTypeParameterString
	case []int64:
		return rcl_interfaces.ParameterTypeParameterIntegerArray
	case []float64:
		return rcl_interfaces.ParameterTypeParameterDoubleArray
	case []string:
		return rcl_interfaces.ParameterTypeParameterStringArray
	case foreign:
		return uint8(v)
	}
	return rcl_interfaces.ParameterTypeParameterNotSet
}

var kindNames = [...]string{"not set", "bool", "integer", "double", "string", "byte array", "bool array", "integer array", "double array", "string array"}

// typeName returns the name of the type in ROS: "double", "string array".
func (v Value) typeName() string { return kindNames[v.kind()] }

// String returns the value as YAML, or "nothing".
func (v Value) String() string {
	switch v := v.v.(type) {
	case nil:
		return "nothing"
	case automatic:
		return autoWord
	case foreign:
		return "a " + kindNames[v]
	case []int64:
		return list(v)
	case []float64:
		return list(v)
	case []string:
		return list(v)
	}
	return scalar(v.v)
}

func list[T any](vs []T) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = scalar(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return formatFloat(v)
	}
	return fmt.Sprint(v)
}

// formatFloat formats a double such that YAML reads it as a double.
func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// Msg returns the value as a message.
func (v Value) Msg() rcl_interfaces.ParameterValue {
	m := rcl_interfaces.ParameterValue{Type: v.kind()}
	switch v := v.Any().(type) {
	case bool:
		m.BoolValue = v
	case int64:
		m.IntegerValue = v
	case float64:
		m.DoubleValue = v
	case string:
		m.StringValue = v
	case []int64:
		m.IntegerArrayValue = v
	case []float64:
		m.DoubleArrayValue = v
	case []string:
		m.StringArrayValue = v
	}
	return m
}

// ValueOf returns the value in a message. A type that does not exist gives no value.
func ValueOf(m *rcl_interfaces.ParameterValue) Value {
	switch m.Type {
	case rcl_interfaces.ParameterTypeParameterBool:
		return Value{m.BoolValue}
	case rcl_interfaces.ParameterTypeParameterInteger:
		return Value{m.IntegerValue}
	case rcl_interfaces.ParameterTypeParameterDouble:
		return Value{m.DoubleValue}
	case rcl_interfaces.ParameterTypeParameterString:
		return Value{m.StringValue}
	case rcl_interfaces.ParameterTypeParameterIntegerArray:
		return Value{slices.Clone(m.IntegerArrayValue)}
	case rcl_interfaces.ParameterTypeParameterDoubleArray:
		return NewValue(m.DoubleArrayValue)
	case rcl_interfaces.ParameterTypeParameterStringArray:
		return NewValue(m.StringArrayValue)
	case rcl_interfaces.ParameterTypeParameterByteArray, rcl_interfaces.ParameterTypeParameterBoolArray:
		return Value{foreign(m.Type)}
	}
	return Value{}
}

// exactDouble is the largest n for which a double can hold all integers up to n.
const exactDouble = 1 << 53

// as converts v to the type of like, or returns v and false. An integer is converted to a
// double, which ROS 2 refuses: people write 3 for 3.0, and the conversion is exact. An
// empty list can have any array type.
func (v Value) as(like Value) (Value, bool) {
	if v.kind() == like.kind() {
		return v, true
	}
	switch like.v.(type) {
	case float64:
		if i, ok := v.v.(int64); ok && -exactDouble <= i && i <= exactDouble {
			return Value{float64(i)}, true
		}
	case []float64:
		is, ok := v.v.([]int64)
		if !ok {
			break
		}
		fs := make([]float64, len(is))
		for k, i := range is {
			if i < -exactDouble || i > exactDouble {
				return v, false
			}
			fs[k] = float64(i)
		}
		return Value{fs}, true
	case []string:
		is, ok := v.v.([]int64)
		return Value{[]string{}}, ok && len(is) == 0 // an empty list has no type in YAML
	}
	return v, false
}
