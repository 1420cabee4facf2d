package ros

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Overrides are the values that parameter files and the command line give to
// the parameters of nodes. Where several give one, the last holds: the later in
// a file, the later file, whether its node is named or meant by a wildcard.
type Overrides struct {
	sections []section
}

// section is the parameters under one node name of one file.
type section struct {
	file    string
	line    int
	node    string // pattern: absolute, with * and ** as parts
	all     bool   // from the command line, without a node's name
	entries []Assignment
}

// CommandLine is the File of what -p sets.
const CommandLine = "command line"

// AddFile adds the file's assignments after those that are there.
func (o *Overrides) AddFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("parameter file: %w", err)
	}
	return o.AddYAML(path, data)
}

// AddYAML is AddFile for the contents of a file; file is its name in errors.
func (o *Overrides) AddYAML(file string, data []byte) error {
	sections, err := parseParameters(file, data)
	if err != nil {
		return err
	}
	o.sections = append(o.sections, sections...)
	return nil
}

// AddAssignment adds "[node:]name:=value", as -p has it; the value is YAML.
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
	s := section{file: CommandLine, node: "/**", all: true}
	if node, rest, ok := strings.Cut(name, ":"); ok {
		s.node, s.all, name = joinPattern("", node), false, rest
		if err := validatePattern(s.node); err != nil {
			return fail("%v", err)
		}
	}
	if !validParameterName(name) {
		return fail("%q is no parameter name", name)
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
	s.entries = []Assignment{{Name: name, Value: v, File: CommandLine}}
	o.sections = append(o.sections, s)
	return nil
}

// Add adds the values of other, which may be nil, after those that are there.
func (o *Overrides) Add(other *Overrides) {
	if other != nil {
		o.sections = append(o.sections, other.sections...)
	}
}

// Unmatched returns an error for each section whose node is none of nodes, given
// by their full names: a warning to most, as files are shared among processes.
func (o *Overrides) Unmatched(nodes ...string) []error {
	if o == nil {
		return nil
	}
	var errs []error
sections:
	for _, s := range o.sections {
		for _, n := range nodes {
			if matchPattern(s.node, n) {
				continue sections
			}
		}
		err := fmt.Sprintf("%s:%d: node %s is not running here", s.file, s.line, s.node)
		if s.file == CommandLine {
			err = fmt.Sprintf("%s: node %s is not running here", s.file, s.node)
		}
		_, base := SplitName(s.node)
		for _, n := range nodes {
			if _, b := SplitName(n); b == base {
				err += fmt.Sprintf("; write %s, or /**/%s", n, base)
			}
		}
		if near := nearest(s.node, nodes); near != "" && !strings.Contains(err, "; write") {
			err += fmt.Sprintf("; did you mean %s?", near)
		}
		errs = append(errs, errors.New(err))
	}
	return errs
}

// forNode returns the assignments for the node, in order. What a section of a
// file for nodes of any name gives to parameters that the node does not declare is
// meant for other nodes: it is left out, and returned as unknown.
func (o *Overrides) forNode(node string, set *ParameterSet) (as []Assignment, unknown []error) {
	if o == nil {
		return nil, nil
	}
	for _, s := range o.sections {
		if !matchPattern(s.node, node) {
			continue
		}
		_, base := SplitName(s.node)
		lenient := strings.Contains(base, "*") && !s.all
		for _, a := range s.entries {
			if lenient && set.byName[a.Name] == nil {
				_, _, err := set.validate(node, a, true)
				unknown = append(unknown, err)
				continue
			}
			as = append(as, a)
		}
	}
	return as, unknown
}

// joinPattern puts two parts of a node's name together; the result is absolute.
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
	if err := ValidateFullName(strings.Join(parts, "/")); err != nil {
		return fmt.Errorf("node name %q: want a name, or * or ** for whole parts of it", pattern)
	}
	return nil
}

// matchPattern reports whether the full name is one that pattern means: * is
// one part, ** any number of them, none included, as rclcpp has it
// (parameter_map.cpp).
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
