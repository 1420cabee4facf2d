// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"errors"
	"fmt"
	"strings"
)

// nameKind is the kind of names that a remapping rule changes.
type nameKind uint8

const (
	endName nameKind = iota // of topics and services
	nodeName
	namespaceName
)

// Remap is one remapping rule, "[node:]from:=to".
type Remap struct {
	text     string
	kind     nameKind
	node     string // the only node to which the rule applies, as name or full name; "" for all
	from, to string
}

// String returns the rule as it was written.
func (r Remap) String() string { return r.text }

// ParseRemap reads a rule such as "scan:=/lidar/scan", "left:scan:=points",
// "__node:=name" or "__ns:=/robot1". Wildcards are an error, as in rcl. Unlike rcl it knows no
// rules for topics alone or services alone.
func ParseRemap(rule string) (Remap, error) {
	r := Remap{text: rule}
	fail := func(err error) (Remap, error) {
		return Remap{}, fmt.Errorf("ros: remapping rule %q: %w", rule, err)
	}
	from, to, ok := strings.Cut(rule, ":=")
	switch {
	case !ok:
		return fail(errors.New(`want "from:=to"`))
	case from == "":
		return fail(errors.New(`nothing before ":="`))
	case to == "":
		return fail(errors.New(`nothing after ":="`))
	case strings.ContainsAny(rule, "*\\"):
		return fail(errors.New("wildcards and back-references are not part of ROS 2's remapping; write one rule for each name"))
	}
	if node, rest, ok := strings.Cut(from, ":"); ok {
		r.node, from = node, rest
		err := ValidateNode(r.node)
		if strings.HasPrefix(r.node, "/") {
			err = ValidateFull(r.node)
		}
		if err != nil {
			return fail(err)
		}
	}
	switch from {
	case "__node", "__name":
		r.kind, r.to = nodeName, to
		if err := ValidateNode(to); err != nil {
			return fail(err)
		}
		return r, nil
	case "__ns":
		r.kind, r.to = namespaceName, to
		if err := ValidateNamespace(to); err != nil {
			return fail(err)
		}
		return r, nil
	}
	for _, name := range []string{from, to} {
		if err := validate(name); err != nil {
			return fail(err)
		}
	}
	r.from, r.to = from, to
	return r, nil
}

// appliesTo reports whether the rule applies to the node ns/node.
func (r Remap) appliesTo(ns, node string) bool {
	if strings.HasPrefix(r.node, "/") {
		return r.node == Join(ns, node)
	}
	return r.node == "" || r.node == node
}

// Remaps are rules in the order of the command line. The first rule that applies counts,
// whether it names a node or not.
type Remaps []Remap

// NodeName returns the remapped name of the node that its program calls name, in ns.
func (rs Remaps) NodeName(ns, name string) string { return rs.first(nodeName, ns, name, name) }

// Namespace returns the remapped namespace of a node that its program puts into ns. name
// is the result of NodeName.
func (rs Remaps) Namespace(ns, name string) string { return rs.first(namespaceName, ns, name, ns) }

func (rs Remaps) first(kind nameKind, ns, node, otherwise string) string {
	for _, r := range rs {
		if r.kind == kind && r.appliesTo(ns, node) {
			return r.to
		}
	}
	return otherwise
}

// Resolve returns the full name of the topic or the service that the node ns/node calls name:
// expanded, then remapped once.
func (rs Remaps) Resolve(name, ns, node string) (string, error) {
	full, err := expand(name, ns, node)
	if err != nil {
		return "", err
	}
	for _, r := range rs {
		if r.kind != endName || !r.appliesTo(ns, node) {
			continue
		}
		from, err := expand(r.from, ns, node)
		if err != nil {
			return "", fmt.Errorf("ros: remapping rule %q: %w", r, err)
		}
		if from != full {
			continue
		}
		to, err := expand(r.to, ns, node)
		if err != nil {
			return "", fmt.Errorf("ros: remapping rule %q: %w", r, err)
		}
		return to, nil
	}
	return full, nil
}
