// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strings"
)

// YAML returns the set as a section of a parameter file for node, which is a full or a
// plain name. [Overrides.AddFile] reads it again.
func (s *Set) YAML(node string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n  %s:\n", node, parametersKey)
	for _, name := range s.Names() {
		if v, ok := s.Get(name); ok {
			fmt.Fprintf(&b, "    %s: %s\n", name, v)
		}
	}
	return b.String()
}
