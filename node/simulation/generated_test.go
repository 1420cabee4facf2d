package simulation

import (
	"os"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// updateGenerated is the environment variable with which updateCommand writes the
// files that are generated from the code.
const (
	updateGenerated = "UPDATE_GENERATED"
	updateCommand   = "UPDATE_GENERATED=1 go test ./node/simulation -run Generated"
)

// checkGenerated fails the test when a file differs from want. With updateGenerated
// set it writes the file instead.
func checkGenerated(t *testing.T, file, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && string(data) == want {
		return
	}
	if os.Getenv(updateGenerated) == "" {
		t.Fatalf("%s is not what the code declares (%v): run %s", file, err, updateCommand)
	}
	must.OK(t, os.WriteFile(file, []byte(want), 0o644))
}
