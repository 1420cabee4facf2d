// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Settings holds all parameters of a mission: node → parameter → value. A value is a
// boolean, an integer, a float, a string or a slice of those.
type Settings map[string]map[string]any

// Change is a parameter whose value has changed. The values are in their JSON form.
type Change struct{ Name, Was, Is string }

// String writes it as "name: was → is".
func (c Change) String() string { return fmt.Sprintf("%s: %s → %s", c.Name, c.Was, c.Is) }

// Changes returns a node's changed parameters, except for some, sorted by name.
func Changes(was, is map[string]any, except ...string) (list []Change) {
	text := func(of map[string]any, name string) string {
		v, there := of[name]
		if !there {
			return "none"
		}
		b, err := Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	names := map[string]any{}
	maps.Copy(names, was)
	maps.Copy(names, is)
	for name := range names {
		if a, b := text(was, name), text(is, name); a != b && !slices.Contains(except, name) {
			list = append(list, Change{name, a, b})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return list
}
