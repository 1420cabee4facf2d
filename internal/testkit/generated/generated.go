// Package generated holds files that are generated from the code against what the code declares now.
package generated

import (
	"fmt"
	"os"

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

// Check ends the test when a file differs from want, and names the command that writes it. With [Update] it writes the file
// instead.
func Check(t must.Test, file, want, command string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && string(data) == want {
		return
	}
	if !Update() {
		t.Fatal(fmt.Sprintf("%s is not what the code declares (%v): run %s", file, err, command))
	}
	must.OK(t, os.WriteFile(file, []byte(want), 0o644))
}
