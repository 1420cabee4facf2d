// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/node/ros/internal/spelling"
	"ugp_explorer/node/ros/names"
)

// Overrides holds the values that parameter files and the command line give to the
// parameters of nodes. If a parameter gets several values, the last one counts, whether
// its section names the node or uses a wildcard.
type Overrides struct {
	files    []string // in the order in which they were added
	sections []section
}

// section holds the parameters under one node name of one file.
type section struct {
	file    string
	line    int
	node    string // pattern: absolute; parts may be * or **
	all     bool   // from the command line, without a node name
	entries []Assignment
	twice   []error // those of them that an earlier line sets, too
}

// commandLine is the File of an Assignment by -p.
const commandLine = "command line"

// AddFile appends the assignments of a parameter file.
func (o *Overrides) AddFile(path string) error {
	data, err := readFile(path)
	if err != nil {
		return fmt.Errorf("parameter file: %w", err)
	}
	return o.AddYAML(path, data)
}

// AddYAML is AddFile for the contents of a file; file is the name used in errors.
func (o *Overrides) AddYAML(file string, data []byte) error {
	sections, err := parse(file, data)
	if err != nil {
		return err
	}
	o.files = append(o.files, file)
	o.sections = append(o.sections, sections...)
	return nil
}

// AddAssignment appends "[node:]name:=value", the argument of -p. The value is YAML.
func (o *Overrides) AddAssignment(rule string) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("parameter assignment %q: %s", rule, fmt.Sprintf(format, args...))
	}
	name, text, ok := strings.Cut(rule, ":=")
	switch {
	case !ok:
		return fail(`want "name:=value"`)
	case text == "":
		return fail(`nothing after ":="`)
	}
	s := section{file: commandLine, node: "/**", all: true}
	if node, rest, ok := strings.Cut(name, ":"); ok {
		s.node, s.all, name = joinPattern("", node), false, rest
		if err := validatePattern(s.node); err != nil {
			return fail("%v", err)
		}
	}
	if !names.ValidParameter(name) {
		return fail("%q is not a parameter name", name)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return fail("%v", err)
	}
	if len(doc.Content) == 0 {
		return fail("there is no value")
	}
	v, err := yamlValue(doc.Content[0])
	if err != nil {
		return fail("%v", err)
	}
	s.entries = []Assignment{{Name: name, Value: v, File: commandLine}}
	o.sections = append(o.sections, s)
	return nil
}

// Add appends the assignments of other, which may be nil.
func (o *Overrides) Add(other *Overrides) {
	if other != nil {
		o.files = append(o.files, other.files...)
		o.sections = append(o.sections, other.sections...)
	}
}

// Unmatched returns an error for each section that matches none of nodes, which are full
// names. Programs should only warn, since processes share parameter files.
func (o *Overrides) Unmatched(nodes ...string) []error {
	if o == nil {
		return nil
	}
	var errs []error
	for _, s := range o.sections {
		if slices.ContainsFunc(nodes, s.matches) {
			continue
		}
		where := s.file
		if s.line > 0 {
			where += fmt.Sprintf(":%d", s.line)
		}
		errs = append(errs, fmt.Errorf("%s: node %s is not running here%s", where, s.node, didYouMean(meant(s.node, nodes))))
	}
	return errs
}

// NoSectionError reports a parameter file without a section for a node, one whose sections for all nodes alone match while another is
// meant for a node of a similar name, or an assignment of the command line that is.
type NoSectionError struct {
	File, Node string
	Sections   []string // the file's that do not match, as patterns
	Meant      string   // the section that one of them may be meant for; "" if none is similar
	alike      []string // those of them that are meant for a node of a similar name
	all        bool     // sections for all nodes match
}

func (e *NoSectionError) Error() string {
	if e.all {
		return fmt.Sprintf("%s: no section but those for all nodes matches %s, so nothing below %s is used%s", e.File, e.Node, strings.Join(e.alike, ", "), didYouMean(e.Meant))
	}
	has := "the file is empty"
	if len(e.Sections) > 0 {
		has = "it has " + strings.Join(e.Sections, ", ")
	}
	return fmt.Sprintf("%s: no section matches %s: %s%s", e.File, e.Node, has, didYouMean(e.Meant))
}

// Missed returns an error for each file that says nothing to the node with that full name, though files may be shared, or only in sections
// for all nodes beside one for a node of a similar name, and for the assignments of the command line if one of them is for such a node.
func (o *Overrides) Missed(node string) (errs []*NoSectionError) {
	if o == nil {
		return nil
	}
	for _, file := range append(slices.Clone(o.files), commandLine) {
		e, named := &NoSectionError{File: file, Node: node}, false
		for _, s := range o.sections {
			if s.file != file {
				continue
			}
			_, base := names.Split(s.node)
			switch similar := meant(s.node, []string{node}); {
			case s.matches(node) && file != commandLine && strings.Contains(base, "*"):
				e.all = true
			case s.matches(node) && file != commandLine:
				named = true
			case !s.matches(node) && (file != commandLine || similar != ""):
				e.Sections, e.Meant = append(e.Sections, s.node), cmp.Or(e.Meant, similar)
				if similar != "" {
					e.alike = append(e.alike, s.node)
				}
			}
		}
		if !named && (file != commandLine && !e.all || e.Meant != "") {
			errs = append(errs, e)
		}
	}
	return errs
}

// Explain adds the errors of [Overrides.Missed] to the one with which a node did not start; nil stays nil.
func (o *Overrides) Explain(err error, node string) error {
	if err == nil {
		return nil
	}
	for _, e := range o.Missed(node) {
		err = fmt.Errorf("%w; %w", err, e)
	}
	return err
}

func (s section) matches(node string) bool { return matchPattern(s.node, node) }

// meant returns the section that a node name in a file may be meant for, which matches none of nodes: that of a node of
// the same name in another namespace, of a name with one word more in front, as ugp_explorer for explorer, or of one
// that is spelt alike; "" if there is none.
func meant(section string, nodes []string) string {
	_, base := names.Split(section)
	for _, n := range nodes {
		if _, b := names.Split(n); b == base || strings.HasSuffix(b, "_"+base) {
			return n + ", or /**/" + b
		}
	}
	return spelling.Nearest(section, nodes)
}

func didYouMean(section string) string {
	if section == "" {
		return ""
	}
	return "; did you mean " + section + "?"
}

// Override sets the parameters to the values that o, which may be nil, has for the node
// with that full name. It is meant for the start of the node, and sets read-only parameters
// too. err joins all errors; with an error nothing is set. In sections for nodes of any name,
// parameters that the set does not declare are meant for other nodes.
func (s *Set) Override(node string, o *Overrides) error {
	return s.set(node, o.forNode(node, s), true)
}

// forNode returns the assignments for the node, in order.
func (o *Overrides) forNode(node string, set *Set) (as []Assignment) {
	if o == nil {
		return nil
	}
	for _, s := range o.sections {
		if !s.matches(node) {
			continue
		}
		for _, a := range s.entries {
			if !s.lenient() || set.byName[a.Name] != nil {
				as = append(as, a)
			}
		}
	}
	return as
}

// Doubts returns what the values for nodes with these names, which have these parameters, probably do not mean: a parameter that a file
// sets twice, and in sections for nodes of any name one that none of the nodes has, but whose name is nearly that of one.
func (o *Overrides) Doubts(nodes []string, sets ...*Set) (doubts []error) {
	if o == nil {
		return nil
	}
	var known []string
	for _, set := range sets {
		known = append(known, set.Names()...)
	}
	for _, s := range o.sections {
		if !slices.ContainsFunc(nodes, s.matches) {
			continue
		}
		doubts = append(doubts, s.twice...)
		for _, a := range s.entries {
			if !s.lenient() || slices.Contains(known, a.Name) {
				continue
			}
			if near := spelling.Nearest(a.Name, known); near != "" {
				doubts = append(doubts, &paramError{File: a.File, Line: a.Line, Node: s.node, Name: a.Name, Reason: "there is no such parameter", Suggestion: near})
			}
		}
	}
	return doubts
}

// lenient reports whether the section is for nodes of any name, whose parameters differ.
func (s *section) lenient() bool {
	_, base := names.Split(s.node)
	return strings.Contains(base, "*") && !s.all
}

// joinPattern joins two parts of a node name. The result is absolute.
func joinPattern(prefix, part string) string {
	return prefix + "/" + strings.TrimPrefix(part, "/")
}

// validatePattern returns an error unless pattern is a full node name in which
// parts may be * or **.
func validatePattern(pattern string) error {
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		if part == "*" || part == "**" {
			parts[i] = "w"
		}
	}
	if err := names.ValidateFull(strings.Join(parts, "/")); err != nil {
		return fmt.Errorf("node name %q: want a name, or * or ** for whole parts of it", pattern)
	}
	return nil
}

// matchPattern reports whether a full name matches pattern, as in rclcpp
// (parameter_map.cpp): * matches one part, ** any number of parts, including none.
func matchPattern(pattern, name string) bool {
	head, rest := cutPart(pattern)
	switch {
	case pattern == "":
		return name == ""
	case head == "**":
		for {
			if matchPattern(rest, name) {
				return true
			}
			if name == "" {
				return false
			}
			_, name = cutPart(name)
		}
	case name == "":
		return false
	}
	part, tail := cutPart(name)
	return (head == "*" || head == part) && matchPattern(rest, tail)
}

// cutPart splits "/a/b/c" into "a" and "/b/c".
func cutPart(name string) (part, rest string) {
	name = strings.TrimPrefix(name, "/")
	if i := strings.IndexByte(name, '/'); i >= 0 {
		return name[:i], name[i:]
	}
	return name, ""
}
