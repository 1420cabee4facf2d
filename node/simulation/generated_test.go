// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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
