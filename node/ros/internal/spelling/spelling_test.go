// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package spelling

import "testing"

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		// Wagner & Fischer 1974 count kitten → sitting as 3; a swap is one here
		// (optimal string alignment, Damerau 1964).
		{"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abcd", "acbd", 1}, {"ca", "abc", 3},
	} {
		if got := editDistance(c.a, c.b, 100); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := editDistance(c.b, c.a, 100); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
