package simulation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation"
)

// pureNumbers are the numbers that count nothing: whoever declares a parameter
// without a unit has to say here that it has none.
var pureNumbers = map[string][]string{
	"fieldsim": {"clock.speed"},
	"ekf":      {"gate_probability", "slip.turn"},
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
		names, descriptions := map[string]bool{}, map[string]string{}
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
			descriptions[row.Name] = row.Description
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

// The defaults, as a table of parameters shows them, are a parameter file that
// the nodes take, and it changes nothing.
func TestDefaultsAreAParameterFile(t *testing.T) {
	cfg := simulation.DefaultConfig(1)
	var file strings.Builder
	want := map[string]map[string]param.Value{}
	for _, p := range cfg.Parameters() {
		fmt.Fprintf(&file, "%s:\n  ros__parameters:\n", p.Node)
		want[p.Node] = map[string]param.Value{}
		for _, row := range p.Set.Rows() {
			fmt.Fprintf(&file, "    %s: %s\n", row.Name, row.Default)
			v, ok := p.Set.Get(row.Name)
			if !ok || v.String() != row.Default || v.TypeName() != row.Type && row.Default != param.AutoWord {
				t.Errorf("%s: %s is %v, a %s; the table has %s, a %s", p.Node, row.Name, v, v.TypeName(), row.Default, row.Type)
			}
			want[p.Node][row.Name] = v
		}
	}
	var o param.Overrides
	if err := o.AddYAML("defaults.yaml", []byte(file.String())); err != nil {
		t.Fatal(err)
	}
	again := simulation.DefaultConfig(1)
	graph, ex := inproc.New(), exec.NewSimulated(0)
	for _, p := range cfg.Parameters() { // what a node makes of its own defaults
		node, err := ros.NewNode(graph, ex, p.Node, ros.NodeOptions{Parameters: p.Set})
		if err != nil {
			t.Fatalf("%s: %v", p.Node, err)
		}
		for name := range want[p.Node] {
			want[p.Node][name], _ = p.Set.Get(name)
		}
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, p := range again.Parameters() {
		node, err := ros.NewNode(graph, ex, p.Node, ros.NodeOptions{Parameters: p.Set, Overrides: &o})
		if err != nil {
			t.Errorf("%s: %v", p.Node, err)
			continue
		}
		for name, v := range want[p.Node] {
			got, _ := p.Set.Get(name)
			if got.String() != v.String() || got.Kind() != v.Kind() {
				t.Errorf("%s: %s was read as %v, the default is %v", p.Node, name, got, v)
			}
		}
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The explorer, the filter and the world read their parameters once, and so refuse to
// have them changed while they run; the follower is tuned while it drives, and the guard's patience
// with commands may change, but not its fence.
func TestWhatMayChangeWhileNodesRun(t *testing.T) {
	cfg := simulation.DefaultConfig(1)
	for _, p := range cfg.Parameters() {
		var changeable []string
		for _, row := range p.Set.Rows() {
			if !row.ReadOnly {
				changeable = append(changeable, row.Name)
			}
		}
		want := map[string][]string{"guard": {"timeout", "zero_time"}}[p.Node]
		if p.Node != "follower" && !slices.Equal(changeable, want) {
			t.Errorf("%s may be told to change %v, want %v", p.Node, changeable, want)
		}
		if p.Node == "follower" && !slices.Contains(changeable, "max_speed") {
			t.Error("the follower's max_speed cannot be changed while it drives")
		}
	}
}
