// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package names holds the rules for the names of nodes, namespaces, topics and services, and
// their remapping.
package names

import (
	"fmt"
	"regexp"
	"strings"
)

// Lengths of the longest names that fit a DDS topic of 256 characters, as in rmw
// (rmw/validate_full_topic_name.h, validate_namespace.h, validate_node_name.h).
const (
	maxTopic     = 247
	maxNamespace = 245
	maxNode      = 255
)

// The forms of names. A name in a program may be private ("~", "~/x"), and hold
// substitutions, whose braces may stand wherever letters may.
const (
	word    = `[A-Za-z_][A-Za-z0-9_]*`
	subst   = `\{` + word + `\}`
	inWords = `(?:[A-Za-z_]|` + subst + `)(?:[A-Za-z0-9_]|` + subst + `)*`
)

var (
	nodeForm      = regexp.MustCompile(`^` + word + `$`)
	fullForm      = regexp.MustCompile(`^(?:/` + word + `)+$`)
	parameterForm = regexp.MustCompile(`^` + word + `(?:\.` + word + `)*$`)
	programForm   = regexp.MustCompile(`^(?:~|(?:~?/)?` + inWords + `(?:/` + inWords + `)*)$`)
	substitution  = regexp.MustCompile(subst)
)

const wordRule = "letters, digits and underscores that do not begin with a digit"

// check returns an error that says what is wanted unless name has the form and is not too long.
func check(kind, name string, form *regexp.Regexp, longest int, want string) error {
	switch {
	case !form.MatchString(name):
		return fmt.Errorf("ros: the %s %q is not valid: want %s", kind, name, want)
	case len(name) > longest:
		return fmt.Errorf("ros: the %s %q is %d characters long, at most %d are allowed", kind, name, len(name), longest)
	}
	return nil
}

// ValidParameter reports whether name is words joined by dots.
func ValidParameter(name string) bool { return parameterForm.MatchString(name) }

// ValidateNode returns an error unless name is one word.
func ValidateNode(name string) error {
	return check("node name", name, nodeForm, maxNode, wordRule)
}

// ValidateNamespace returns an error unless ns is "/" or a fully qualified
// name such as "/robot1/left".
func ValidateNamespace(ns string) error {
	if ns == "/" {
		return nil
	}
	return check("namespace", ns, fullForm, maxNamespace, "a slash before each part, and in the parts "+wordRule)
}

// ValidateFull returns an error unless name is a fully qualified topic
// or service name: absolute, no "~", no braces, no empty part.
func ValidateFull(name string) error {
	return check("topic or service name", name, fullForm, maxTopic, "a slash before each part, and in the parts "+wordRule)
}

// validate returns an error unless a program may use name for a topic or a service.
func validate(name string) error {
	return check("topic or service name", name, programForm, maxTopic,
		`parts with one slash between them, of `+wordRule+`; "~/" or "/" may stand in front, and {node}, {ns} and {namespace} in it`)
}

// expand returns the fully qualified form of name for a node: ns is put in front of
// relative names, "~" becomes the full name of the node, and {node}, {ns} and {namespace}
// are replaced. It does not remap, see [Remaps].
func expand(name, ns, node string) (string, error) {
	for _, err := range []error{validate(name), ValidateNode(node), ValidateNamespace(ns)} {
		if err != nil {
			return "", err
		}
	}
	unknown := ""
	full := substitution.ReplaceAllStringFunc(name, func(key string) string {
		switch key {
		case "{node}":
			return node
		case "{ns}", "{namespace}":
			return ns
		}
		unknown = key
		return ""
	})
	switch {
	case unknown != "":
		return "", fmt.Errorf("ros: the topic or service name %q has the unknown substitution %s; {node}, {ns} and {namespace} are known", name, unknown)
	case full[0] == '~':
		full = Join(ns, node) + full[1:]
	case full[0] != '/':
		full = Join(ns, full)
	}
	if err := ValidateFull(full); err != nil {
		return "", fmt.Errorf("ros: %q in namespace %q: %w", name, ns, err)
	}
	return full, nil
}

// Join returns ns and name with one slash between them.
func Join(ns, name string) string {
	if strings.HasSuffix(ns, "/") {
		return ns + name
	}
	return ns + "/" + name
}

// Split returns the namespace and the last part of a fully qualified name:
// "/a/b" is "/a" and "b", "/b" is "/" and "b".
func Split(full string) (ns, base string) {
	i := strings.LastIndexByte(full, '/')
	if i <= 0 {
		return "/", full[i+1:]
	}
	return full[:i], full[i+1:]
}
