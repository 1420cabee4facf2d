// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package generated compares files that are generated from the code with the present code.
package generated

import (
	"fmt"
	"os"
	"strings"

	"ugp_explorer/internal/testkit/must"
)

// variable is the environment variable with which tests write the files, instead of comparing them.
const variable = "UPDATE_GENERATED"

// Update reports whether the files shall be written.
func Update() bool { return os.Getenv(variable) != "" }

// Command returns the command that writes the files of the tests that a pattern of names matches, in the package of a
// folder such as ./node/simulation.
func Command(folder, tests string) string {
	return fmt.Sprintf("%s=1 go test %s -run %s", variable, folder, tests)
}

// Check ends the test when a file differs from want. It names the lines, and the command that writes the file. With [Update]
// it writes the file instead.
func Check(t must.Test, file, want, command string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && string(data) == want {
		return
	}
	if Update() {
		must.OK(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	t.Fatal(fmt.Sprintf("%s is not what the code declares (- has, + lacks). If the change is intended, run %s\n%s", file, command, difference(string(data), want)))
}

// shown is the greatest number of lines of a difference.
const shown = 40

// difference returns the lines that only one of two texts has, shortened to 200 characters: curves of figures are single lines.
func difference(has, want string) string {
	var lines []string
	only := func(mark, text, other string) {
		known := map[string]bool{}
		for line := range strings.Lines(other) {
			known[line] = true
		}
		for line := range strings.Lines(text) {
			if !known[line] {
				lines = append(lines, fmt.Sprintf("%s%.200s", mark, strings.TrimRight(line, "\n")))
			}
		}
	}
	only("- ", has, want)
	only("+ ", want, has)
	if more := len(lines) - shown; more > 0 {
		lines = append(lines[:shown], fmt.Sprintf("and %d lines more", more))
	}
	if len(lines) == 0 {
		return "the same lines in another order"
	}
	return strings.Join(lines, "\n")
}
