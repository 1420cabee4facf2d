package simulation

import (
	"testing"

	"ugp_explorer/internal/testkit/generated"
)

var updateCommand = generated.Command("./node/simulation", "Generated")

// checkGenerated fails the test when a file differs from want; see [generated.Check].
func checkGenerated(t *testing.T, file, want string) {
	t.Helper()
	generated.Check(t, file, want, updateCommand)
}
