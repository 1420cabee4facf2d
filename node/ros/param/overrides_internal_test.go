// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import "testing"

// rclcpp's parameter_map.cpp turns "/**" into (/\w+)* and "/*" into (/\w+).
func TestMatchPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"/**", "/n", true}, {"/**", "/a/b/n", true}, {"/*", "/n", true}, {"/*", "/a/n", false},
		{"/n", "/n", true}, {"/n", "/a/n", false}, {"/n", "/nn", false},
		{"/**/n", "/n", true}, {"/**/n", "/a/b/n", true}, {"/**/n", "/a/b/m", false},
		{"/*/n", "/a/n", true}, {"/*/n", "/n", false}, {"/*/n", "/a/b/n", false},
		{"/a/**", "/a", true}, {"/a/**", "/a/b/c", true}, {"/a/**", "/ab", false},
		{"/a/*/c/**/e", "/a/b/c/e", true}, {"/a/*/c/**/e", "/a/b/c/d/d/e", true}, {"/a/*/c/**/e", "/a/c/e", false},
		{"/**/**", "/n", true},
	} {
		if got := matchPattern(c.pattern, c.name); got != c.want {
			t.Errorf("matchPattern(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
