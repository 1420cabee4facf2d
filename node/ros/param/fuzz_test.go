// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"strings"
	"testing"

	"ugp_explorer/node/ros/param"
)

// No file makes the reader panic, and what it accepts reaches a node or is
// refused with an error that names the file.
func FuzzParameterFile(f *testing.F) {
	for _, seed := range []string{
		designFile, "", "---", "a: [", "/**: {n: {ros__parameters: {a: {b: [1, 2.5]}, c: 'x', d: .nan}}}", "n: {ros__parameters: }",
		"n: {ros__parameters: {a: &x 1, b: *x}}", "? [a]\n: b", "n: {ros__parameters: {my_int: 0x, my_float: -}}", "<<: {a: 1}", "!!map {a: 1}", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := &param.Overrides{}
		if err := o.AddYAML("f.yaml", []byte(text)); err != nil {
			if !strings.Contains(err.Error(), "f.yaml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		if _, _, err := tune(t, "/", "my_node", o); err != nil && !strings.Contains(err.Error(), "f.yaml") {
			t.Errorf("the error does not name the file: %v", err)
		}
	})
}
