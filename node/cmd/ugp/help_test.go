// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"ugp_explorer/internal/testkit/must"
)

// commands returns the words of all commands, as in "experiment robot".
func commands() (all []string) {
	var visit func(n *kong.Node, path string)
	visit = func(n *kong.Node, path string) {
		for _, child := range n.Children {
			all = append(all, strings.TrimSpace(path+" "+child.Name))
			visit(child, all[len(all)-1])
		}
	}
	visit(grammar(terminal{}, func(int) {}).Model.Node, "")
	return all
}

// The help of each command fits into 80 columns, and is that of ugp help.
func TestHelpFits(t *testing.T) {
	t.Setenv("COLUMNS", "")
	all := commands()
	if !slices.Contains(all, "demo") || !slices.Contains(all, "experiment robot") || !slices.Contains(all, "help") {
		t.Fatalf("the commands are %q", all)
	}
	for _, command := range append(all, "") {
		words := strings.Fields(command)
		help := succeeds(t, append(slices.Clone(words), "--help")...).out
		if other := succeeds(t, append([]string{"help"}, words...)...).out; command != "help" && other != help {
			t.Errorf("ugp help %s shows\n%s", command, other)
		}
		for line := range strings.Lines(help) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("ugp %s --help has a line of more than 80 letters: %q", command, line)
			}
		}
	}
	if first := succeeds(t).out; first != succeeds(t, "help").out {
		t.Errorf("ugp alone shows\n%s", first)
	}
}

// What the manual page names is there.
func TestManualPage(t *testing.T) {
	page, err := os.ReadFile("../../../launch/debian/ugp.1")
	must.OK(t, err)
	all := commands()
	named := regexp.MustCompile(`ugp ([a-z]+)`).FindAllStringSubmatch(string(page), -1)
	if len(named) < 3 {
		t.Fatalf("it names %q", named)
	}
	for _, m := range named {
		if !slices.Contains(all, m[1]) {
			t.Errorf("the manual page names ugp %s, and the commands are %q", m[1], all)
		}
	}
	for _, command := range all {
		if !strings.Contains(command, " ") && !strings.Contains(string(page), ".B ugp "+command+"\n") {
			t.Errorf("the manual page lacks ugp %s", command)
		}
	}
}

// A word that is no command, and one too many, are told with what is right.
func TestWordsThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"start"}, `there is no command "start": want one of demo, sim, replay,`},
		{[]string{"help", "start"}, `there is no command "start": want one of demo, sim, replay,`},
		{[]string{"experiment", "x"}, `there is no command "x": want one of rkhs,`},
		{[]string{"demo", "--field"}, "--field: a value is missing; see ugp demo --help"},
		{[]string{"demo", "--method"}, "--method: a value is missing; see ugp demo --help"},
		{[]string{"demo", "my.geojson"}, "an outline is given by --field my.geojson; see ugp demo --help"},
		{[]string{"advise", "--field", "my.geojson", "--distance", "6", "km"}, "a number and its unit are one word, as in 6km; see ugp advise --help"},
	} {
		refused(t, ugp(t, c.args...), c.want)
	}
}
