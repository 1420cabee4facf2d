// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

const (
	launchFolder = "../../launch/"
	farmFile     = launchFolder + "fields/farm.geojson"
)

// ownDefaults are the nodes as they start by themselves, without what a
// simulation has them know of one another.
func ownDefaults() Config {
	return Config{
		Explorer: settings.DefaultConfig(), Follower: follower.DefaultConfig(), Guard: guard.DefaultConfig(),
		EKF: ekf.DefaultConfig(), Fieldsim: fieldsim.DefaultConfig(),
	}
}

// referenceFiles hold every parameter of a node at its default, by the node's name.
var referenceFiles = map[string]string{
	explorer.DefaultName: launchFolder + "params/explorer.yaml",
	follower.DefaultName: launchFolder + "params/follower.yaml",
	guard.DefaultName:    launchFolder + "params/guard.yaml",
	ekf.DefaultName:      launchFolder + "params/ekf.yaml",
	fieldsim.DefaultName: launchFolder + "params/fieldsim.yaml",
}

// TestGeneratedParameterFiles keeps the reference files equal to what the nodes declare.
func TestGeneratedParameterFiles(t *testing.T) {
	own, demo := ownDefaults(), DefaultConfig(1)
	inDemo := demo.Parameters()
	for i, p := range own.Parameters() {
		file := referenceFiles[p.Node]
		if file == "" {
			t.Fatalf("no reference file for the node %s", p.Node)
		}
		checkGenerated(t, file, parameterFile(p, inDemo[i]))
	}
	if want := len(own.Parameters()); len(referenceFiles) != want {
		t.Errorf("%d reference files for %d nodes", len(referenceFiles), want)
	}
}

// TestGeneratedFarm keeps the outline for processes equal to that of the
// made-up farm.
func TestGeneratedFarm(t *testing.T) {
	farm := field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
	var text bytes.Buffer
	must.OK(t, field.WriteField(&text, farm, nil))
	checkGenerated(t, farmFile, text.String())
	if _, err := convert.ReadBoundary(farmFile, nil); err != nil {
		t.Error(err)
	}
}

// parameterFile returns the parameters of a node at their defaults. The comment above
// each one describes it, and gives the value in the demonstration where that differs.
func parameterFile(own, demo NodeParameters) string {
	launchFile := "explore.launch.py"
	if own.Node == fieldsim.DefaultName {
		launchFile = "sim.launch.py"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# All parameters of the node %s at their defaults. The comment above a parameter gives\n", own.Node)
	b.WriteString("# its meaning, unit in brackets, type, range and default, and its value in `ugp demo` where that\n")
	b.WriteString("# differs. To change parameters, write them to a file of your own below the same first two lines\n")
	fmt.Fprintf(&b, "# and pass that file as params_file to %s.\n#\n", launchFile)
	fmt.Fprintf(&b, "# This file is generated: `%s`.\n\n", updateCommand)
	fmt.Fprintf(&b, "/**/%s:\n  ros__parameters:\n", own.Node)
	inDemo := demo.Set.Rows()
	for i, r := range own.Set.Rows() {
		if i > 0 {
			b.WriteString("\n")
		}
		kind := r.Type
		if r.Unit != "" {
			kind = "[" + r.Unit + "] " + kind
		}
		if r.Range != "" {
			kind += ", " + r.Range
		}
		kind += ", default " + r.Default
		if value := inDemo[i].Default; value != r.Default {
			kind += "; demo: " + value
		}
		if !r.ReadOnly {
			kind += "; may be set while the node runs"
		}
		for _, line := range append(process.Wrap(r.Description, 93), process.Wrap(kind, 93)...) {
			fmt.Fprintf(&b, "    # %s\n", line)
		}
		fmt.Fprintf(&b, "    %s: %s\n", r.Name, r.Default)
	}
	return b.String()
}

// TestParameterFiles loads each reference file into its node, where it must change
// nothing.
func TestParameterFiles(t *testing.T) {
	for node, file := range referenceFiles {
		want, got := ownDefaults(), ownDefaults()
		for _, p := range got.Parameters() {
			if p.Node == node {
				apply(t, parameterFiles(t, file), p)
			}
		}
		compareParameters(t, file, &got, &want)
	}
}

// parameterFiles returns the contents of parameter files.
func parameterFiles(t *testing.T, paths ...string) *param.Overrides {
	t.Helper()
	o := &param.Overrides{}
	for _, path := range paths {
		must.OK(t, o.AddFile(path))
	}
	return o
}

// apply starts nodes on parameters, which have to be for these nodes alone.
func apply(t *testing.T, o *param.Overrides, nodes ...NodeParameters) {
	t.Helper()
	graph, ex := inproc.New(), exec.NewSimulated(0)
	var names []string
	for _, p := range nodes {
		node, err := ros.NewNode(graph, ex, p.Node, ros.NodeOptions{Parameters: p.Set, Overrides: o})
		must.OK(t, err)
		t.Cleanup(func() {
			if err := node.Close(); err != nil {
				t.Error(err)
			}
		})
		names = append(names, "/"+p.Node)
	}
	for _, err := range o.Unmatched(names...) {
		t.Error(err)
	}
}

// compareParameters fails the test where a parameter in got is not as in want,
// except those called "node:parameter".
func compareParameters(t *testing.T, what string, got, want *Config, except ...string) {
	t.Helper()
	apply(t, &param.Overrides{}, got.Parameters()...) // auto becomes a number when a node starts
	apply(t, &param.Overrides{}, want.Parameters()...)
	wanted := want.Parameters()
	for i, p := range got.Parameters() {
		for _, name := range p.Set.Names() {
			g, _ := p.Set.Get(name)
			w, _ := wanted[i].Set.Get(name)
			if g.String() != w.String() && !slices.Contains(except, p.Node+":"+name) {
				t.Errorf("%s: %s of %s is %v, want %v", what, name, p.Node, g, w)
			}
		}
	}
}
