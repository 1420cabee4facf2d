// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"testing"
)

// An expanded name is always a valid one, and stays as it is when it is expanded
// again.
func FuzzExpandName(f *testing.F) {
	for _, seed := range []string{"~/a", "a/{node}", "{ns}", "/", "~", "{", "a//b", "\x00", "ä"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		full, err := expand(name, "/ns", "node")
		if err != nil {
			return
		}
		if err := ValidateFull(full); err != nil {
			t.Errorf("%q expands to %q: %v", name, full, err)
		}
		if again, err := expand(full, "/other", "one"); err != nil || again != full {
			t.Errorf("%q expands to %q and then to %q, %v", name, full, again, err)
		}
	})
}
