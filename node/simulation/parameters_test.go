// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation_test

import (
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/simulation"
)

// pureNumbers are the parameters that are pure numbers: a parameter
// without a unit must be listed here.
var pureNumbers = map[string][]string{
	"fieldsim": {"clock.speed", "secondary.correlation"},
	"ekf":      {"slip.turn"},
	"ugp_explorer": {
		"beta.fixed", "field.margin_sigmas",
	},
}

func TestEveryParameterIsDescribed(t *testing.T) {
	cfg := simulation.DefaultConfig(1)
	nodes := map[string]bool{}
	for _, p := range cfg.Parameters() {
		if nodes[p.Node] {
			t.Errorf("there are two nodes %s", p.Node)
		}
		nodes[p.Node] = true
		if err := p.Set.Err(); err != nil {
			t.Errorf("%s: %v", p.Node, err)
		}
		pure := pureNumbers[p.Node]
		names := map[string]bool{}
		var changeable []string
		for _, row := range p.Set.Rows() {
			if names[row.Name] {
				t.Errorf("%s: %s is declared twice", p.Node, row.Name)
			}
			names[row.Name] = true
			if len(row.Description) < len("but at") || strings.ContainsAny(row.Description, "\n\t") || strings.HasSuffix(row.Description, ".") {
				t.Errorf("%s: %s has the description %q, want one line", p.Node, row.Name, row.Description)
			}
			if row.Description == row.Name {
				t.Errorf("%s: the description of %s is its name", p.Node, row.Name)
			}
			number := row.Type == "double" || row.Type == "double array"
			if needs := number && !slices.Contains(pure, row.Name); needs != (row.Unit != "") && row.Type != "integer" {
				t.Errorf("%s: %s is a %s with the unit %q; a number has a unit or is in the list of pure numbers", p.Node, row.Name, row.Type, row.Unit)
			}
			if number && row.Range == "" && !row.ReadOnly {
				t.Errorf("%s: %s may be set to any number while the node runs", p.Node, row.Name)
			}
			if !row.ReadOnly {
				changeable = append(changeable, row.Name)
			}
		}
		// The explorer, the filter and the world read their parameters once; the follower is tuned while it
		// drives, and of the guard the patience with commands may change, but not the fence.
		if want := map[string][]string{"guard": {"timeout", "zero_time"}}[p.Node]; p.Node != "follower" && !slices.Equal(changeable, want) {
			t.Errorf("%s may be told to change %v, want %v", p.Node, changeable, want)
		}
		if p.Node == "follower" && !slices.Contains(changeable, "max_speed") {
			t.Error("the follower's max_speed cannot be changed while it drives")
		}
		for _, name := range pure {
			if !names[name] {
				t.Errorf("%s has no parameter %s that could be a pure number", p.Node, name)
			}
		}
		if len(names) < 10 {
			t.Errorf("%s has %d parameters", p.Node, len(names))
		}
	}
	for node := range pureNumbers {
		if !nodes[node] {
			t.Errorf("there is no node %s", node)
		}
	}
	if len(nodes) != 5 {
		t.Errorf("%d nodes, want 5", len(nodes))
	}
}
