// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/msgs/rcl_interfaces"
)

// parametersKey is the key between the name of a node and its parameters.
const parametersKey = "ros__parameters"

// parse reads a parameter file: node names, in which parts may be "**" or
// "*", nested in any way; below parametersKey the parameters, whose nested names are
// joined with dots. file is the name used in errors. All errors are returned together.
func parse(file string, data []byte) ([]section, error) {
	p := yamlParser{file: file}
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w%s%s", file, err, indentedByTab(data), notUTF8(data))
	}
	switch err := dec.Decode(new(yaml.Node)); {
	case err == nil:
		return nil, fmt.Errorf("%s: there is more than one YAML document in the file", file)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if top := doc.Content[0]; top.Kind != yaml.ScalarNode || top.Tag != "!!null" {
		p.nodes("", top)
	}
	p.findTwice()
	return p.sections, errors.Join(p.errs...)
}

// indentedByTab names the first line of a file that begins with a tab, which YAML does not allow; "" if there is none.
func indentedByTab(data []byte) string {
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; strings.HasPrefix(strings.TrimLeft(line, " "), "\t") {
			return fmt.Sprintf("; line %d is indented by a tab: use spaces", n)
		}
	}
	return ""
}

// notUTF8 names the first line of a file that is not UTF-8, and the remedy; "" if there is none.
func notUTF8(data []byte) string {
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; !utf8.ValidString(line) {
			return fmt.Sprintf("; line %d has a character of another encoding, such as Latin-1: save the file as UTF-8", n)
		}
	}
	return ""
}

type yamlParser struct {
	file     string
	sections []section
	errs     []error
}

func (p *yamlParser) fail(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s", p.file, n.Line, fmt.Sprintf(format, args...)))
}

// nodes reads a mapping of node names or parts of them.
func (p *yamlParser) nodes(prefix string, m *yaml.Node) {
	where := prefix
	if where == "" {
		where = "the file"
	}
	if m.Kind != yaml.MappingNode {
		p.fail(m, "%s: found %s without %q above it: a file has the name of a node, or /**, below it %[3]q, and below that the parameters", where, kindOf(m), parametersKey)
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, val := m.Content[i], m.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.fail(key, "%s: a node name must be a word, found %s", where, kindOf(key))
		case key.Value == parametersKey && prefix == "":
			p.fail(key, "%q is at the top level: put it below the name of a node, or /**", parametersKey)
		case key.Value == parametersKey:
			if err := validatePattern(prefix); err != nil {
				p.fail(key, "%v", err)
				continue
			}
			s := section{file: p.file, line: key.Line, node: prefix}
			p.parameters(&s, "", val)
			p.sections = append(p.sections, s)
		default:
			p.nodes(joinPattern(prefix, key.Value), val)
		}
	}
}

// parameters reads a mapping of parameters into s.
func (p *yamlParser) parameters(s *section, prefix string, m *yaml.Node) {
	if m.Kind == yaml.ScalarNode && m.Tag == "!!null" && prefix == "" {
		return // an empty section
	}
	if m.Kind != yaml.MappingNode {
		p.fail(m, "node %s: want a mapping from parameters to values, found %s: each line has a name, a colon, a space and a value", s.node, kindOf(m))
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, val := m.Content[i], m.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			p.fail(key, "node %s: a parameter name must be a word, found %s", s.node, kindOf(key))
			continue
		}
		name := prefix + key.Value
		if val.Kind == yaml.MappingNode {
			p.parameters(s, name+".", val)
			continue
		}
		v, err := yamlValue(val)
		if err != nil {
			p.errs = append(p.errs, &paramError{File: p.file, Line: val.Line, Node: s.node, Name: name, Reason: err.Error()})
			continue
		}
		s.entries = append(s.entries, Assignment{Name: name, Value: v, File: p.file, Line: val.Line})
	}
}

// findTwice notes the parameters that the file sets twice for the same nodes. As in rcl, the last value counts, whichever was meant.
func (p *yamlParser) findTwice() {
	lines := map[[2]string]int{} // of the last value, by node and name
	for i := range p.sections {
		s := &p.sections[i]
		for _, a := range s.entries {
			key := [2]string{s.node, a.Name}
			if first := lines[key]; first > 0 {
				s.twice = append(s.twice, &paramError{File: a.File, Line: a.Line, Node: s.node, Name: a.Name, Reason: fmt.Sprintf("line %d sets it, too, and only the last value counts: delete one of them", first)})
			}
			lines[key] = a.Line
		}
	}
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	case yaml.ScalarNode:
		const most = 60 // of a file that is no parameter file
		if text := []rune(n.Value); len(text) > most {
			return strconv.Quote(string(text[:most]) + "…")
		}
		return strconv.Quote(n.Value)
	}
	return "nothing"
}

// yamlValue returns the value of a scalar or of a list of scalars.
func yamlValue(n *yaml.Node) (Value, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return yamlScalar(n)
	case yaml.SequenceNode:
		return yamlList(n)
	}
	return Value{}, fmt.Errorf("%s is not allowed in a ROS parameter file", kindOf(n))
}

// yamlList returns the value of a list. Its elements must have one type; integers among
// doubles become doubles.
func yamlList(n *yaml.Node) (Value, error) {
	elems := make([]Value, len(n.Content))
	for i, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			return Value{}, fmt.Errorf("element %d of the list is %s, want a single value", i, kindOf(c))
		}
		v, err := yamlScalar(c)
		if err != nil {
			return Value{}, fmt.Errorf("element %d of the list: %w", i, err)
		}
		elems[i] = v
	}
	double := Value{float64(0)}
	isDouble := func(v Value) bool { return v.kind() == double.kind() }
	switch {
	case len(elems) == 0:
		return Value{[]int64{}}, nil // see Value.as
	case elems[0].v == true || elems[0].v == false:
		return Value{foreign(rcl_interfaces.ParameterTypeParameterBoolArray)}, nil
	case elems[0].kind() == rcl_interfaces.ParameterTypeParameterString:
		return collect[string](elems)
	case !slices.ContainsFunc(elems, isDouble):
		return collect[int64](elems)
	}
	for i := range elems {
		elems[i], _ = elems[i].as(double)
	}
	return collect[float64](elems)
}

func collect[T int64 | float64 | string](elems []Value) (Value, error) {
	out := make([]T, len(elems))
	for i, e := range elems {
		v, ok := e.v.(T)
		if !ok {
			return Value{}, fmt.Errorf("the list mixes types: element 0 is %s, element %d is %s", elems[0].given(), i, e.given())
		}
		out[i] = v
	}
	return Value{out}, nil
}

// yamlScalar finds the type of a scalar as rcl_yaml_param_parser does (parse.c,
// get_value): quoted text is a string; then come the booleans of YAML 1.1, integers in
// C's notation (0x1f, 017), doubles, .nan and .inf; anything else is a string.
func yamlScalar(n *yaml.Node) (Value, error) {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	tagged := n.Style&yaml.TaggedStyle != 0
	switch {
	case n.Style&quoted != 0 || tagged && n.Tag == "!!str":
		return Value{n.Value}, nil
	case tagged:
		return Value{}, fmt.Errorf("the tag %s is not allowed in a ROS parameter file", n.Tag)
	case n.Value == "":
		return Value{}, errors.New(`there is no value (an empty string is "")`)
	}
	text := n.Value
	switch {
	case slices.Contains(yamlTrue, text):
		return Value{true}, nil
	case slices.Contains(yamlFalse, text):
		return Value{false}, nil
	}
	if i, ok := parseInt(text); ok {
		return Value{i}, nil
	}
	if f, ok := parseDouble(text); ok {
		return Value{f}, nil
	}
	return Value{text}, nil
}

var (
	yamlTrue  = []string{"Y", "y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}
	yamlFalse = []string{"N", "n", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}
)

// parseInt is C's strtol with base 0, on the whole text.
func parseInt(text string) (int64, bool) {
	digits := strings.ToLower(unsigned(text))
	if strings.Contains(digits, "_") || strings.HasPrefix(digits, "0b") || strings.HasPrefix(digits, "0o") {
		return 0, false // only Go accepts these
	}
	i, err := strconv.ParseInt(text, 0, 64)
	return i, err == nil
}

// parseDouble is C's strtod on the whole text, plus YAML's .nan and .inf.
func parseDouble(text string) (float64, bool) {
	switch unsigned(text) {
	case ".inf", ".Inf", ".INF":
		if text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), true
	}
	if strings.Contains(text, "_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// unsigned returns text without its leading sign.
func unsigned(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}
